import Foundation

/// The name of a file, as the last part of a reference has it.
struct FileName {
  /// The name on one line.
  let text: String

  /// A name as it is.
  init(text: String) {
    self.text = text
  }

  /// The last part of the path of a reference; nil when it has none.
  init?(reference: String) {
    let path = Array(reference.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    guard let name = path.split(separator: UInt8(ascii: "/")).last else { return nil }
    let decoded = String(decoding: name, as: UTF8.self).removingPercentEncoding
    let text = SpecialText.line(decoded.map { Array($0.utf8)[...] } ?? name)
    guard !text.isEmpty else { return nil }
    self.text = String(text.prefix(80))
  }

  /// Whether the name has a word that a person gave it. `IMG_6590.jpg` has none, nor has
  /// `5de4107c489820ded1ef801edc9d.png`.
  var hasWords: Bool {
    let stem = stem
    if stem.contains(where: { $0 >= 0x80 }) { return true }
    if Self.hasFingerprint(stem) { return false }
    var hasWord = false
    for part in stem.split(whereSeparator: { !$0.isLetter && !$0.isDigit })
    where part.count >= 3 && part.allSatisfy(\.isLetter) {
      let word = String(decoding: part.map(\.lowercased), as: UTF8.self)
      if Self.ornaments.contains(word) { return false }
      let isPronounceable = part.count > 3 && word.contains { "aeiouy".contains($0) }
      if isPronounceable, !Self.genericNames.contains(word) { hasWord = true }
    }
    return hasWord
  }

  /// Whether a machine made the name: sixteen hexadecimal digits, or the groups of a UUID.
  var hasFingerprint: Bool { Self.hasFingerprint(Array(text.utf8)[...]) }

  private var stem: ArraySlice<UInt8> {
    let bytes = Array(text.utf8)
    return bytes[..<(bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex)]
  }

  private static func hasFingerprint(_ name: ArraySlice<UInt8>) -> Bool {
    var groups: [Int] = []
    for group in name.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false) {
      var digits = 0
      for byte in group {
        digits = byte.digit(hexadecimal: true) == nil ? 0 : digits + 1
        if digits >= 16 { return true }
      }
      groups.append(digits)
      if groups.suffix(4).elementsEqual([8, 4, 4, 4]) { return true }
    }
    return false
  }

  /// Words in names of files that only adorn a page.
  private static let ornaments: Set<String> = [
    "arrow", "background", "badge", "blank", "bullet", "divider", "ico", "icon", "icons", "pixel",
    "placeholder", "spacer", "sprite", "transparent",
  ]

  /// Words in names of files that say nothing about what they show.
  private static let genericNames: Set<String> = [
    "banner", "copy", "default", "desktop", "empty", "final", "full", "header", "hero", "image",
    "images", "large", "main", "medium", "mobile", "photo", "picture", "scaled", "small", "square",
    "thumb", "thumbnail", "untitled", "wide",
  ]
}

extension Document.Image {
  /// What stands for an image that nobody described: the name of a drawing, that of its file when it
  /// says something, or "image".
  var name: String {
    if source.isEmpty, let alternative { return alternative }
    guard let name = FileName(reference: source), name.hasWords else { return "image" }
    return name.text
  }
}
