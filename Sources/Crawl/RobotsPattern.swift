import OfflineCache

/// A path pattern of robots.txt: `*` matches any text, and a final `$` matches the end of the URL
/// (RFC 9309 §2.2.3). Without a final `$`, the pattern matches any path that begins with it.
struct RobotsPattern: Sendable, Equatable {
  /// The literal texts between the asterisks.
  private let pieces: [[UInt8]]
  /// Whether the last literal text must be at the end of the URL.
  private let isAnchored: Bool
  /// The length of the normalized pattern in octets, which determines its precedence.
  let length: Int

  init(_ text: some Sequence<UInt8>) {
    var bytes = Array(text)
    isAnchored = bytes.last == UInt8(ascii: "$")
    if isAnchored { bytes.removeLast() }
    let normal = Self.normalized(bytes, keepsMarks: true)
    length = normal.count + (isAnchored ? 1 : 0)
    pieces = normal.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
      .map(Array.init)
  }

  /// Normalizes the path and query of a URL, so that patterns can be compared with them.
  static func target(_ path: String) -> [UInt8] {
    normalized(Array(path.utf8), keepsMarks: false)
  }

  /// Returns whether the pattern matches a normalized path.
  func matches(_ target: [UInt8]) -> Bool {
    guard let first = pieces.first, target.starts(with: first) else { return false }
    guard pieces.count > 1 else { return !isAnchored || target.count == first.count }
    var index = first.count
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let found = Self.find(piece, in: target, from: index) else { return false }
      index = found + piece.count
    }
    let last = pieces[pieces.count - 1]
    if isAnchored {
      return target.count - index >= last.count && target.suffix(last.count).elementsEqual(last)
    }
    return last.isEmpty || Self.find(last, in: target, from: index) != nil
  }

  private static func find(_ piece: [UInt8], in target: [UInt8], from start: Int) -> Int? {
    guard target.count - start >= piece.count else { return nil }
    for index in start...(target.count - piece.count) where target[index] == piece[0] {
      if target[index...].starts(with: piece) { return index }
    }
    return nil
  }

  /// Normalizes percent-encoding: non-ASCII octets, spaces and control characters are encoded,
  /// unreserved characters are decoded, and hexadecimal digits are in upper case (§2.2.2). In a
  /// path (`keepsMarks` is false), `*` and `$` are encoded as well, because they are special in
  /// patterns.
  private static func normalized(_ bytes: [UInt8], keepsMarks: Bool) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    func encode(_ byte: UInt8) {
      output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "%"), index + 1 < bytes.count,
        let high = PercentEncoding.digit(bytes[index]),
        let low = PercentEncoding.digit(bytes[index + 1])
      {
        let value = high << 4 | low
        index += 2
        if PercentEncoding.isUnreserved(value) { output.append(value) } else { encode(value) }
      } else if byte <= 0x20 || byte >= 0x7F
        || !keepsMarks && (byte == UInt8(ascii: "*") || byte == UInt8(ascii: "$"))
      {
        encode(byte)
      } else {
        output.append(byte)
      }
    }
    return output
  }
}
