import Pages

/// The encoding of messages: one byte for the kind, followed by strings that end with NUL.
enum LauncherCoding {
  static func encode(_ kind: UInt8, _ strings: [String]) -> [UInt8] {
    [kind] + strings.flatMap { word in word.utf8.filter { $0 != 0 } + [0] }
  }

  static func decode(_ bytes: [UInt8]) -> (UInt8, [String])? {
    guard let kind = bytes.first, bytes.count == 1 || bytes.last == 0 else { return nil }
    let parts = bytes.dropFirst().split(separator: 0, omittingEmptySubsequences: false).dropLast()
    var strings: [String] = []
    for part in parts {
      guard let word = String(validating: part, as: UTF8.self) else { return nil }
      strings.append(word)
    }
    return (kind, strings)
  }
}
