import DOM
import Foundation

/// A file name, from the last path segment of a URL reference.
package struct FileName {
  /// The name on one line.
  package let text: String

  init(text: String) {
    self.text = text
  }

  /// Creates a file name from the last path segment of a URL reference; nil if the path is empty.
  /// - Parameter reference: A URL, with or without scheme and host.
  package init?(reference: String) {
    // A `data:` URL has no file name.
    guard !reference.hasScheme("data") else { return nil }
    let markers = [UInt8(ascii: "?"), UInt8(ascii: "#")]
    var path = Array(reference.utf8.prefix { !markers.contains($0) })[...]
    let slash = UInt8(ascii: "/")
    // Skip what precedes the path (RFC 3986, section 3): "https://a.test", "//a.test".
    let scheme = path.prefix { $0 != slash }
    if scheme.last == UInt8(ascii: ":") { path = path.dropFirst(scheme.count) }
    if path.starts(with: [slash, slash]) { path = path.dropFirst(2).drop { $0 != slash } }
    guard let name = path.split(separator: slash).last else { return nil }
    // Foundation's function takes long, and most names have no escapes.
    let decoded =
      name.contains(UInt8(ascii: "%"))
      ? String(decoding: name, as: UTF8.self).removingPercentEncoding : nil
    let text = SpecialText.collapsedLine(decoded.map { Array($0.utf8)[...] } ?? name)
    guard !text.isEmpty else { return nil }
    self.text = text
  }

  /// Whether the name contains a descriptive word. Names such as `IMG_6590.jpg` or
  /// `5de4107c489820ded1ef801edc9d.png` do not.
  var isDescriptive: Bool {
    let stem = stem
    if stem.contains(where: { $0 >= 0x80 }) { return true }
    if Self.hasFingerprint(stem) { return false }
    var hasWord = false
    for part in stem.split(whereSeparator: { !$0.isLetter && !$0.isDigit })
    where part.count >= 3 && part.allSatisfy(\.isLetter) {
      let word = String(decoding: part.map(\.lowercased), as: UTF8.self)
      if Self.decorativeWords.contains(word) { return false }
      let isPronounceable = part.count > 3 && word.contains { "aeiouy".contains($0) }
      if isPronounceable, !Self.genericNames.contains(word) { hasWord = true }
    }
    return hasWord
  }

  /// Whether the name contains a word such as `icon` or `divider`.
  var namesDecoration: Bool {
    text.lowercased().split { !$0.isLetter }.contains { Self.decorativeWords.contains(String($0)) }
  }

  /// The name without the parts that a program generated from the content, such as `5de4107c` in
  /// `harbour.5de4107c.jpg`; nil if what remains is not descriptive.
  var readableText: String? {
    let stem = stem
    let suffix = Array(text.utf8)[stem.endIndex...]
    var parts: [ArraySlice<UInt8>] = []
    var start = stem.startIndex
    for index in stem.indices where Self.separators.contains(stem[index]) {
      parts.append(stem[start..<index])
      start = index
    }
    parts.append(stem[start...])
    // Each part but the first begins with its separator.
    let partsWithoutSeparators = parts.enumerated().map {
      $0.offset == 0 ? $0.element : $0.element.dropFirst()
    }
    guard let first = partsWithoutSeparators.firstIndex(where: Self.isGenerated) else {
      return isDescriptive ? text : nil
    }
    let uuid = Self.uuidIndices(in: partsWithoutSeparators)
    let keptParts = zip(parts, partsWithoutSeparators).enumerated().filter { index, part in
      !uuid.contains(index)
        && (index < first || !Self.isGenerated(part.1) && !Self.isHexadecimal(part.1))
    }
    var joinedName = keptParts.flatMap { $0.element.0 }
    if let byte = joinedName.first, Self.separators.contains(byte) { joinedName.removeFirst() }
    let remainingName = FileName(text: String(decoding: joinedName + suffix, as: UTF8.self))
    return remainingName.isDescriptive ? remainingName.text : nil
  }

  /// The bytes that separate the parts of a name.
  private static let separators = Array(" -._".utf8)

  /// Returns the indices of the five groups of a UUID; an empty range if there is none.
  private static func uuidIndices(in parts: [ArraySlice<UInt8>]) -> Range<Int> {
    let isDigits = { (part: ArraySlice<UInt8>) in
      part.allSatisfy { $0.digitValue(hexadecimal: true) != nil }
    }
    let start = parts.indices.first { start in
      let groups = parts[start...].prefix(5)
      return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.allSatisfy(isDigits)
    }
    return start.map { $0..<$0 + 5 } ?? 0..<0
  }

  /// Returns whether a part of a name is a hexadecimal number of at least four digits, unlike words
  /// such as "facade", and years.
  private static func isHexadecimal(_ part: ArraySlice<UInt8>) -> Bool {
    let isYear =
      part.count == 4 && part.allSatisfy(\.isDigit)
      && (part.starts(with: "19".utf8) || part.starts(with: "20".utf8))
    return part.count >= 4 && part.contains(where: \.isDigit) && !isYear
      && part.allSatisfy { $0.digitValue(hexadecimal: true) != nil }
  }

  /// Returns whether a part of a name is a hash: hexadecimal digits with letters among them, or a
  /// long mixture of letters and digits. In both, digits and letters alternate, unlike in a word
  /// with a number.
  private static func isGenerated(_ part: ArraySlice<UInt8>) -> Bool {
    let changes = zip(part, part.dropFirst()).count { $0.isDigit != $1.isDigit }
    guard part.count >= 7, changes >= 2 else { return false }
    if part.allSatisfy({ $0.digitValue(hexadecimal: true) != nil }) { return true }
    let digits = part.count(where: \.isDigit)
    return part.count >= 16 && digits >= 3 && part.allSatisfy { $0.isDigit || $0.isLetter }
  }

  /// Whether the name looks generated: it contains sixteen consecutive hexadecimal digits, or the
  /// groups of a UUID.
  var hasFingerprint: Bool { Self.hasFingerprint(Array(text.utf8)[...]) }

  /// Whether the name is that of a spacer image, such as `spacer.gif`.
  var isSpacerName: Bool {
    let words = String(decoding: stem.map(\.lowercased), as: UTF8.self)
      .split { !$0.isLetter && !$0.isNumber }
    let spacerWords: Set<Substring> = [
      "spacer", "blank", "transparent", "pixel", "1x1", "clear", "trans", "shim", "dot",
      "clearpixel", "spaceball",
    ]
    let neutralWords: Set<Substring> = [
      "gif", "img", "image", "pixel", "1x1", "1px", "tracking",
    ]
    return words.contains(where: spacerWords.contains)
      && words.allSatisfy {
        spacerWords.contains($0) || neutralWords.contains($0) || Int($0) != nil
      }
  }

  private var stem: ArraySlice<UInt8> {
    let bytes = Array(text.utf8)
    return bytes[..<(bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex)]
  }

  private static func hasFingerprint(_ name: ArraySlice<UInt8>) -> Bool {
    var groups: [Int] = []
    for group in name.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false) {
      var digits = 0
      for byte in group {
        digits = byte.digitValue(hexadecimal: true) == nil ? 0 : digits + 1
        if digits >= 16 { return true }
      }
      groups.append(digits)
      if groups.suffix(4).elementsEqual([8, 4, 4, 4]) { return true }
    }
    return false
  }

  /// Words in the names of decorative images.
  private static let decorativeWords: Set<String> = [
    "arrow", "background", "badge", "blank", "bullet", "divider", "ico", "icon", "icons", "pixel",
    "placeholder", "spacer", "sprite", "transparent",
  ]

  /// Words in file names that do not describe the content.
  private static let genericNames: Set<String> = [
    "banner", "copy", "default", "desktop", "empty", "final", "full", "header", "hero", "image",
    "images", "large", "main", "maxresdefault", "medium", "mobile", "photo", "picture", "scaled",
    "small", "square", "thumb", "thumbnail", "unnamed", "untitled", "wide",
  ]
}

extension Document.Image {
  /// A name for an image that has no description: the readable part of its file name, or "image" if
  /// there is none. An image without a source is named by its alternative text.
  package var displayName: String {
    if source.isEmpty, let alternativeText { return alternativeText }
    guard let name = FileName(reference: source)?.readableText else { return "image" }
    return String(name.prefix(80))
  }
}
