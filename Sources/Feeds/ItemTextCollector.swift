import DOM

/// A collection of the texts of an item, from which its content and summary are chosen regardless
/// of their order in the feed.
///
/// The texts are ranked by their elements. The main text is the first text in this order that is
/// not much shorter than the longest one, so that a teaser does not replace an article. Shorter
/// texts that precede the main text in the ranking are put before it, unless the main text begins
/// with the same words.
struct ItemTextCollector {
  /// The kind of element that contains a text. The cases are in the order of preference.
  enum Rank: CaseIterable {
    /// An element for the full text.
    case content
    case description
    /// An element for a description in the iTunes vocabulary.
    case podcastSummary
    /// An element of Media RSS that describes the item or its media. The description may be just a
    /// caption.
    case mediaDescription
    /// An element that is used only if the item has no other text.
    case fallback
    case subtitle

    fileprivate var isFallback: Bool { self == .fallback || self == .subtitle }
  }

  private struct Text {
    var rank: Rank
    var markup: FeedItem.Markup
  }

  private var texts: [Text] = []

  /// The minimum difference in length, in letters, for which a longer text is preferred.
  private static let minDifference = 16

  /// Adds a text unless it is nil.
  mutating func add(_ markup: FeedItem.Markup?, as rank: Rank) {
    if let markup { texts.append(Text(rank: rank, markup: markup)) }
  }

  /// Sets the content and the summary of an item. There is no summary if the content is composed of
  /// several texts. If the only text of an item is a description, that is the summary.
  /// - Parameter item: the item.
  /// - Returns: whether the summary is a description of the medium.
  func apply(to item: inout FeedItem) -> Bool {
    let rankedTexts = texts.filter { !$0.rank.isFallback }
    let used = rankedTexts.isEmpty ? texts : rankedTexts
    let ranked = Rank.allCases.flatMap { rank in used.filter { $0.rank == rank } }
    guard let first = ranked.first else { return false }
    if ranked.count > 1, let content = Self.longerContent(ranked) {
      item.content = content
      return false
    }
    guard first.rank == .content else {
      item.summary = first.markup
      return first.rank == .mediaDescription
    }
    item.content = first.markup
    let summary = ranked.first { $0.rank != .content }
    item.summary = summary?.markup
    return summary?.rank == .mediaDescription
  }

  /// Returns the content if the first text is much shorter than a later one. The content is then
  /// that later text; the texts that were skipped in its favour precede it, except those with which
  /// it begins anyway. Returns nil if the first text is the main text.
  private static func longerContent(_ ranked: [Text]) -> FeedItem.Markup? {
    let letters = ranked.map(\.markup.letters)
    let longest = letters.map(\.count).max() ?? 0
    let main = letters.firstIndex { text in
      text.count * 3 >= longest * 2 || !text.isEmpty && longest - text.count < minDifference
    }
    guard let main, main > 0 else { return nil }
    var content = ranked[main].markup
    let hasMedia = content.hasMedia
    let added = ranked.indices.prefix(main).filter { index in
      !letters[main].starts(with: letters[index]) || !hasMedia && ranked[index].markup.hasMedia
    }
    guard !added.isEmpty else { return content }
    let parts = added.map { ranked[$0].markup } + [content]
    content.isXML = parts.allSatisfy(\.isXML)
    content.html = parts.map { "<div>\($0.html)</div>" }.joined(separator: "\n")
    return content
  }
}

extension FeedItem.Markup {
  /// The markup; nil if it contains neither text nor media.
  var nilIfBlank: FeedItem.Markup? {
    var hasText = false
    visitText { text in
      hasText = text.unicodeScalars.contains {
        !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
      }
      return !hasText
    }
    return hasText || hasMedia ? self : nil
  }

  /// The letters and digits of the text as UTF-8, without tags, white space and punctuation, so
  /// that texts with different markup can be compared.
  fileprivate var letters: [UInt8] {
    var result: [UInt8] = []
    visitText { text in
      for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: result.append(UInt8(scalar.value))
        // These are punctuation marks and spaces outside ASCII.
        case 0..<0xAA, 0x2000...0x206F, 0x3000...0x303F: break
        default: result += Array(String(scalar).utf8)
        }
      }
      return true
    }
    return result
  }

  /// Whether the markup has elements that show something other than text, such as images.
  fileprivate var hasMedia: Bool {
    let source = Array(html.utf8)
    var rest = source[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = source[(start + 1)...]
      let name = rest.prefix(8).prefix(while: \.isLetter)
      if Self.mediaElements.contains(String(decoding: name, as: UTF8.self).lowercased()) {
        return true
      }
    }
    return false
  }

  private static let mediaElements: Set<String> = [
    "img", "image", "picture", "video", "audio", "iframe", "embed", "object", "svg",
  ]

  /// Passes the text between the tags to a closure until the closure returns false. Comments, style
  /// sheets and scripts are skipped. Character references are decoded.
  private func visitText(_ visit: (String) -> Bool) {
    let source = Array(html.utf8)
    var position = 0
    while position < source.count {
      let tag = Self.nextTag(in: source, from: position)
      if tag > position {
        let text = String(decoding: source[position..<tag], as: UTF8.self)
        guard visit(text.withoutCharacterReferences) else { return }
      }
      position = Self.endOfTag(in: source, at: tag)
    }
  }

  /// Returns the index of the next tag or comment, or the end.
  private static func nextTag(in source: [UInt8], from start: Int) -> Int {
    var index = start
    while let open = source[index...].firstIndex(of: UInt8(ascii: "<")) {
      guard open + 1 < source.count else { break }
      let next = source[open + 1]
      if next.isLetter || "/!?".utf8.contains(next) { return open }
      index = open + 1
    }
    return source.count
  }

  /// Returns the index after the tag or comment at an index, and after the content of a style sheet
  /// or script.
  private static func endOfTag(in source: [UInt8], at tag: Int) -> Int {
    let isComment = source[tag...].starts(with: "<!--".utf8)
    var index = tag
    while let end = source[index...].firstIndex(of: UInt8(ascii: ">")) {
      index = end + 1
      guard isComment, !source[..<end].suffix(2).elementsEqual("--".utf8) else { break }
    }
    guard index > tag else { return source.count }
    let name = source[tag...].dropFirst().prefix(7).prefix(while: \.isLetter)
    guard ["style", "script"].contains(String(decoding: name, as: UTF8.self).lowercased()) else {
      return index
    }
    while let open = source[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = open + 1
      if index < source.count, source[index] == UInt8(ascii: "/") { return open }
    }
    return source.count
  }
}
