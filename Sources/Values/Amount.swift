/// `1 object`, `2 objects`: a number of things in a sentence.
package func amount(_ number: some BinaryInteger, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}
