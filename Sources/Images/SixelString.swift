/// A sixel string (DEC STD 070, chapter 9): DCS, parameters, `q`, characters of data, ST.
package enum SixelString {
  private static let escape: UInt8 = 0x1B

  /// Whether bytes are one such string and nothing else: within it no byte is one that a terminal obeys.
  package static func isPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= 5, bytes.starts(with: [escape, UInt8(ascii: "P")]),
      bytes.suffix(2).elementsEqual([escape, UInt8(ascii: "\\")])
    else { return false }
    let body = bytes.dropFirst(2).dropLast(2)
    guard let start = body.firstIndex(of: UInt8(ascii: "q")),
      body[..<start].allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ";") })
    else { return false }
    // Data, and what stands between: repeats, raster attributes, colours, carriage return, new line.
    return body[(start + 1)...].allSatisfy {
      (0x21...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D
    }
  }
}
