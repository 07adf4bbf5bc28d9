import Glibc

/// What the fuzzer calls: the bytes as text, held against the properties that `FUZZ` names. A property that does not
/// hold ends the process, so that the fuzzer keeps the text.
private let target: @Sendable (String) -> String? = {
  switch getenv("FUZZ").map({ String(cString: $0) }) {
  case "schema": return SchemaProperties.violation
  case "query":
    do {
      let properties = try QueryProperties()
      return { properties.violation($0) }
    } catch { return { _ in "no store: \(error)" } }
  case "statement":
    do {
      let properties = try StatementProperties()
      return { properties.violation($0) }
    } catch { return { _ in "no store: \(error)" } }
  default: return LanguageProperties.violation
  }
}()

/// One text of the fuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  if let violation = target(text) {
    let words = Array("\n=== \(text)\n=== \(violation)\n".utf8)
    _ = write(2, words, words.count)
    abort()
  }
  return 0
}
