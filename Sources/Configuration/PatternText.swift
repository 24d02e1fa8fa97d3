/// Checks patterns of rules, to reject those that obviously never match.
enum PatternText {
  /// Returns whether a text can be a host pattern, with `*` and a port.
  static func isHost(_ text: String) -> Bool {
    !text.isEmpty && !text.utf8.contains { isBlank($0) || "/@#\\".utf8.contains($0) }
  }

  /// Returns whether a text can be a path pattern, with `*` and `?`.
  static func isPath(_ text: String) -> Bool {
    ["/", "*", "?"].contains { text.hasPrefix($0) }
  }

  /// Returns whether a text can be a file extension.
  static func isExtension(_ text: String) -> Bool {
    let name = text.utf8.drop { $0 == UInt8(ascii: ".") }
    return !name.isEmpty && !name.contains { isBlank($0) || "/*".utf8.contains($0) }
  }

  /// Returns whether a text can be a media type pattern without parameters, with `*`.
  static func isMediaType(_ text: String) -> Bool {
    (text.utf8.contains(UInt8(ascii: "/")) || text.utf8.contains(UInt8(ascii: "*")))
      && !text.utf8.contains { isBlank($0) || $0 == UInt8(ascii: ";") }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F }
}
