/// Finds the end of the head of an HTTP message or a WARC record.
package enum HeadEnd {
  /// Returns the length of the head. Interim responses before the final response (RFC 9110 §15.2),
  /// and empty lines before the first line (RFC 9112 §2.2), are part of it.
  /// - Parameters:
  ///   - bytes: The message or record.
  ///   - start: Lines that end before this offset are skipped.
  /// - Returns: The offset after the empty line (CRLF or LF) that ends the head; nil if there is no
  ///   such line.
  package static func find(in bytes: [UInt8], from start: Int = 0) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      let first = firstLine(in: bytes)
      guard isInterim(bytes[first...]) else {
        return emptyLine(in: bytes, from: max(first, start))
      }
      var start = first
      while let end = emptyLine(in: bytes, from: start) {
        // Whether another response follows is not known before its first bytes.
        guard bytes.count - end >= statusLength else { return nil }
        guard bytes[end...].starts(with: "HTTP/".utf8) else { return end }
        guard isInterim(bytes[end...]) else { return emptyLine(in: bytes, from: end) }
        start = end
      }
      return nil
    }
  }

  /// Returns a head without empty lines before the first line, and without the interim responses
  /// before the final response. The head of an interim response alone remains.
  static func withoutInterim(_ head: [UInt8]) -> [UInt8] {
    head.withUnsafeBufferPointer { bytes in
      var start = firstLine(in: bytes)
      while isInterim(bytes[start...]), let end = emptyLine(in: bytes, from: start),
        bytes[end...].starts(with: "HTTP/".utf8)
      {
        start = end
      }
      return Array(bytes[start...])
    }
  }

  /// Returns the offset of the first line that is not empty.
  static func firstLine(in bytes: some Collection<UInt8>) -> Int {
    bytes.prefix { $0 == 13 || $0 == 10 }.count
  }

  /// Returns whether a message begins with an interim response; 101 does not count, because another
  /// protocol follows it.
  static func isInterim(_ message: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let status = message.prefix(statusLength)
    return status.count == statusLength && status.starts(with: "HTTP/1.".utf8)
      && status.suffix(4).starts(with: " 1".utf8) && !status.suffix(2).elementsEqual("01".utf8)
  }

  /// The number of bytes up to the status code, as in `HTTP/1.1 100`.
  private static let statusLength = 12

  private static func emptyLine(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      guard bytes[index] == 10 else {
        index += 1
        continue
      }
      if index + 1 < bytes.count, bytes[index + 1] == 10 { return index + 2 }
      if index + 2 < bytes.count, bytes[index + 1] == 13, bytes[index + 2] == 10 {
        return index + 3
      }
      index += 1
    }
    return nil
  }
}
