import Glibc

/// The standard error stream, unbuffered. It cannot fail: there is nobody to tell.
enum StandardError {
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let base = rest.baseAddress, !rest.isEmpty {
        let count = Glibc.write(2, base, rest.count)
        if count < 0, errno != EINTR { return }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(count, 0)))
      }
    }
  }

  static var isTerminal: Bool { isatty(2) == 1 }
}
