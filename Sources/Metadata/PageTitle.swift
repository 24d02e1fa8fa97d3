import DOM

/// The title of a page, split into the article's title and other parts, such as the name of the
/// site.
package struct PageTitle {
  /// A heading of the page.
  struct Heading {
    /// The level, from 1 to 6.
    var level: UInt8
    var text: String
    /// Whether the heading shows the name of the site rather than the subject of the page.
    var isLogo = false
    /// Whether the heading is in an `article` or `main` element.
    var isInMainContent = false
  }

  let fullTitle: String
  private let separators: [SeparatorMatch]

  /// A position at which a part of the title ends and another begins.
  private struct SeparatorMatch {
    /// The separator, including the white space around it.
    var range: Range<String.Index>
    var kind: SeparatorKind
    /// Whether the separator is a bar with white space on both sides, or a fullwidth bar.
    var isBar: Bool
    /// Whether the separator is an underscore, as in Chinese titles.
    var isUnderscore = false

    /// Merges the next separator, which touches this one or shares white space with it (`a | | b`),
    /// so that separators never overlap and no empty part is left between them.
    mutating func join(_ next: SeparatorMatch) {
      range = range.lowerBound..<next.range.upperBound
      if next.kind.rawValue < kind.rawValue { kind = next.kind }
      isBar = isBar || next.isBar
      isUnderscore = isUnderscore || next.isUnderscore
    }
  }

  /// The kinds of separators, from the least to the most ambiguous.
  private enum SeparatorKind: Int {
    /// Separates a title from the name of a site.
    case site
    /// Separates the levels of a site.
    case level
    /// Separates levels, but also occurs within titles.
    case colon
  }

  /// Returns the kind of separator that a character is, and whether it counts only with white space
  /// on both sides; nil for other characters.
  private static func separatorKind(_ character: Character) -> (SeparatorKind, isSpaced: Bool)? {
    // Characters compare by canonical equivalence, which is slow; scalars do not.
    let scalars = character.unicodeScalars
    guard let scalar = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex
    else { return nil }
    return switch scalar {
    case "|", "｜", "¦", "‖": (.site, false)
    case "-", "–", "—", "·", "\u{387}", "•", "∙", "・", "●", "~", "∷", "⋅", "‹", "«", "<", "―", "‐",
      "−":
      (.site, true)
    case "\\", "/", ">", "»", "›", "→": (.level, true)
    case ":", "：": (.colon, false)
    case "_": (.site, false)
    default: nil
    }
  }

  /// Whether a separator between two characters counts: a hyphen also between ideographs without
  /// white space, an underscore only beside an ideograph.
  private static func separates(
    _ separator: Character, _ before: Character, _ after: Character, isSpaced: Bool
  ) -> Bool {
    switch separator {
    case "_": return isIdeograph(before) || isIdeograph(after)
    case "-" where isIdeograph(before) && isIdeograph(after): return true
    // A colon without a space occurs in times and URLs.
    case ":": return after.isWhitespace
    default: return !isSpaced || before.isWhitespace && after.isWhitespace
    }
  }

  private static func isIdeograph(_ character: Character) -> Bool {
    IdeographicText.isSingleIdeograph(Array(character.utf8)[...])
  }

  /// Splits a title of one line.
  init(_ title: String) {
    fullTitle = title
    var cuts: [SeparatorMatch] = []
    let indices = Array(title.indices)
    for (offset, index) in indices.enumerated().dropFirst().dropLast() where cuts.count < 12 {
      guard let (separator, isSpaced) = Self.separatorKind(title[index]) else { continue }
      let (followsSpace, precedesSpace) = (
        title[indices[offset - 1]].isWhitespace, title[indices[offset + 1]].isWhitespace
      )
      guard
        Self.separates(
          title[index], title[indices[offset - 1]], title[indices[offset + 1]], isSpaced: isSpaced)
      else { continue }
      // Two colons with white space around them are one separator, unlike those of `::before`.
      let isSecondColon =
        title[index] == ":" && offset > 2 && title[indices[offset - 1]] == ":"
        && title[indices[offset - 2]].isWhitespace
      let start =
        isSecondColon ? indices[offset - 2] : followsSpace ? indices[offset - 1] : index
      let end = title.index(indices[offset + 1], offsetBy: precedesSpace ? 1 : 0)
      let isUnderscore = title[index] == "_"
      let isBar = separator == .site && !isSpaced && !isUnderscore
      let cut = SeparatorMatch(
        range: start..<end, kind: isSecondColon ? .site : separator,
        isBar: isBar && (followsSpace && precedesSpace || title[index] == "｜"),
        isUnderscore: isUnderscore)
      if let last = cuts.indices.last, cuts[last].range.upperBound >= start {
        cuts[last].join(cut)
      } else {
        cuts.append(cut)
      }
    }
    self.separators = cuts
  }

  // MARK: Parts

  /// Returns the title without the names of its site, which may occur at both ends and repeatedly,
  /// except one at the beginning if wanted. The rest is empty only if the title is.
  func articleTitle(without site: SiteNames, keepsFirstPart: Bool = false) -> String {
    var (start, end) = (fullTitle.startIndex, fullTitle.endIndex)
    while let cut = separators.last(where: {
      $0.range.lowerBound > start && $0.range.upperBound < end
        && ($0.kind != .colon || fullTitle[$0.range] == "：")
        && site.contains(fullTitle[$0.range.upperBound..<end])
    }) {
      end = cut.range.lowerBound
    }
    while !keepsFirstPart,
      let cut = separators.first(where: {
        $0.range.lowerBound > start && $0.range.upperBound < end
          && site.contains(fullTitle[start..<$0.range.lowerBound])
      })
    {
      start = cut.range.upperBound
    }
    return String(fullTitle[start..<end]).oneLine
  }

  /// The title, or only its first half if the second one, after a separator, is the same. Signs
  /// count (`C - C++`), and numbers may be a result (`0 - 0`).
  var withoutRepetition: String {
    let repetition = separators.first { cut in
      let (before, after) = (
        fullTitle[..<cut.range.lowerBound], fullTitle[cut.range.upperBound...]
      )
      return cut.kind == .site && before.contains(where: \.isLetter)
        && before.lowercased() == after.lowercased()
    }
    guard let repetition else { return fullTitle }
    return String(fullTitle[..<repetition.range.lowerBound])
  }

  /// The part before the first separator other than a colon.
  var firstPart: String {
    guard let cut = separators.first(where: { $0.kind != .colon }) else { return fullTitle }
    return String(fullTitle[..<cut.range.lowerBound]).oneLine
  }

  /// The part after the last separator other than a colon.
  var lastPart: String {
    guard let cut = separators.last(where: { $0.kind != .colon }) else { return fullTitle }
    return String(fullTitle[cut.range.upperBound...]).oneLine
  }

  /// Returns whether the title has more than two parts and begins with a text that ends at one of
  /// its separators.
  func hasSeveralParts(after text: String) -> Bool {
    guard separators.count > 1 else { return false }
    let key = Self.comparisonKey(text)
    return separators.contains {
      Self.comparisonKey(fullTitle[..<$0.range.lowerBound]) == key
    }
  }

  /// The text after the first separator: the title if the first part is a placeholder.
  var textAfterFirstPart: String {
    separators.first.map { String(fullTitle[$0.range.upperBound...]).oneLine } ?? fullTitle
  }

  /// The text after a part that programs for blogs and forums put before the title of a text, such
  /// as "Blog Archive" in `News » Blog Archive » New bridge` and "View topic" in
  /// `Forum :: View topic - New bridge`; the full title if there is none. If the part is between
  /// two equal separators that do not point forward, the title may also be before it.
  var textAfterPageKind: String {
    var previous: SeparatorMatch?
    for cut in separators where cut.kind != .colon {
      let start = previous?.range.upperBound ?? fullTitle.startIndex
      let key = Self.comparisonKey(fullTitle[start..<cut.range.lowerBound])
      let isLevel = previous?.kind == .level
      let precedesTitle =
        MetadataVocabulary.archiveTitles.contains(key) && isLevel
        || MetadataVocabulary.threadTitles.contains(key)
          && (isLevel || previous.map { fullTitle[$0.range] } != fullTitle[cut.range])
      if precedesTitle { return String(fullTitle[cut.range.upperBound...]) }
      previous = cut
    }
    return fullTitle
  }

  /// Whether a title is a placeholder such as "Home" or "Untitled", or the name of a document file.
  static func isPlaceholder(_ title: String) -> Bool {
    comparisonKey(title).isEmpty
      || MetadataVocabulary.placeholderTitles.contains(title.lowercased()) || isFileName(title)
  }

  /// Whether a title is the name of a document file, such as `report.docx`, which programs write
  /// if the document has no title.
  private static func isFileName(_ title: String) -> Bool {
    guard let dot = title.lastIndex(of: "."), dot > title.startIndex,
      !title.contains(where: \.isWhitespace)
    else { return false }
    return ["html", "htm", "xhtml", "doc", "docx", "odt", "rtf", "pdf"]
      .contains(title[title.index(after: dot)...].lowercased())
  }

  /// The part before the first bar if it has at least three words and twelve bytes, else the whole
  /// title: the text after a bar is often written for search engines.
  var textBeforeBar: String {
    guard let cut = separators.first(where: \.isBar) else { return fullTitle }
    let part = String(fullTitle[..<cut.range.lowerBound]).oneLine
    return ComparableText(part).count >= 3 && part.utf8.count >= 12 ? part : fullTitle
  }

  /// Returns the key by which lines are compared: lowercase letters and digits, with spaces between
  /// words. Soft hyphens do not separate words.
  package static func comparisonKey(_ line: some StringProtocol) -> String {
    line.plainKey(separator: " ")
      ?? line.lowercased().filter { $0 != "\u{AD}" }.split { !$0.isLetter && !$0.isNumber }
      .joined(separator: " ")
  }

  /// Whether two lines differ only in spaces, punctuation and case. One of them may join words that
  /// are apart in the other one.
  package static func hasSameLetters(_ one: String, _ other: String) -> Bool {
    func letters(_ line: String) -> String { comparisonKey(line).filter { $0 != " " } }
    return letters(one) == letters(other)
  }

  /// Whether a text of several words is the end of a title, as the rest of a heading from which the
  /// line above the title was removed.
  package static func isEnd(_ text: String, of title: String) -> Bool {
    let key = comparisonKey(text)
    return key.contains(" ") && comparisonKey(title).hasSuffix(" " + key)
  }

  // MARK: Heuristics

  /// Returns the article's title, guessed from the title of a page without title metadata: a part
  /// of it, the whole title, or a heading.
  func guessedArticleTitle(headings: [Heading], site: SiteNames) -> String {
    let main = headings.filter { $0.level == 1 && !$0.isLogo }
    let part = articleTitle(without: site)
    // The name of a file says more than the heading of a section.
    if Self.isFileName(part) { return main.first?.text ?? part }
    if Self.isPlaceholder(part) {
      return (main.first ?? headings.first { !$0.isLogo })?.text ?? fullTitle
    }
    if site.contains(part) {
      if main.count == 1,
        main[0].isInMainContent || main[0].text.wordCount >= Self.minHeadingWordCount
      {
        return main[0].text
      }
      let others = headings.filter { $0.isInMainContent && !$0.isLogo }
      if main.isEmpty, others.count == 1, others[0].text.wordCount >= Self.minHeadingWordCount {
        return others[0].text
      }
    }
    if let heading = heading(insteadOf: main) { return heading }
    if let cut = separators.first(where: \.isUnderscore),
      case let first = String(fullTitle[..<cut.range.lowerBound]).oneLine, part.hasPrefix(first)
    {
      return first
    }
    guard part == fullTitle else { return part }
    let markers = separators.filter { $0.kind != .colon }
    // The levels from the home page to the page, whose last one may be only a number.
    if !markers.isEmpty, markers.allSatisfy({ $0.kind == .level }), Self.isPlaceholder(firstPart),
      lastPart.contains(where: \.isLetter)
    {
      return lastPart
    }
    var title = fullTitle
    if let last = markers.last {
      title = String(fullTitle[..<last.range.lowerBound])
      if title.wordCount < 3 { title = String(fullTitle[markers[0].range.upperBound...]) }
    } else if fullTitle.contains(": ") {
      title = textAfterColon(headings)
    } else if fullTitle.count > 150 || fullTitle.count < 15 {
      if main.count == 1 { title = main[0].text }
    }
    title = title.oneLine
    let isHierarchical = markers.contains { $0.kind == .level }
    let others = markers.isEmpty ? title.wordCount : partsWordCount(markers)
    if title.wordCount <= 4, !isHierarchical || title.wordCount != others - 1 { return fullTitle }
    return title
  }

  /// The minimum number of words of a heading of level 2 or outside the main content that is the
  /// title of a page whose own title is the name of the site.
  private static let minHeadingWordCount = 3

  /// Returns the only heading of the main content if it differs from a page title that has several
  /// parts; nil otherwise.
  private func heading(insteadOf mainHeadings: [Heading]) -> String? {
    let inMain = mainHeadings.filter(\.isInMainContent)
    guard inMain.count == 1, mainHeadings.count == 1, inMain[0].text.wordCount > 2,
      separators.contains(where: { $0.kind != .colon })
    else { return nil }
    let (title, heading) = (ComparableText(fullTitle), ComparableText(inMain[0].text))
    let isOther = max(title.similarity(to: heading), heading.similarity(to: title)) < 0.5
    return isOther ? inMain[0].text : nil
  }

  /// Returns the number of words, excluding separators.
  private func partsWordCount(_ markers: [SeparatorMatch]) -> Int {
    var count = 0
    var start = fullTitle.startIndex
    for marker in markers {
      count += fullTitle[start..<marker.range.lowerBound].wordCount
      start = marker.range.upperBound
    }
    return count + fullTitle[start...].wordCount
  }

  /// Returns the title in `Site: title`, unless a heading equals the whole. The name of a site
  /// begins with a capital, unlike the subsystem in the subject of a patch.
  private func textAfterColon(_ headings: [Heading]) -> String {
    if headings.contains(where: { $0.text == fullTitle }) { return fullTitle }
    guard let initial = fullTitle.first, initial.isLetter || initial.isNumber, !initial.isLowercase
    else { return fullTitle }
    guard let last = fullTitle.lastIndex(of: ":"), let first = fullTitle.firstIndex(of: ":") else {
      return fullTitle
    }
    let end = String(fullTitle[fullTitle.index(after: last)...])
    if end.wordCount < 3 { return String(fullTitle[fullTitle.index(after: first)...]) }
    return fullTitle[..<first].wordCount > 5 ? fullTitle : end
  }
}

extension StringProtocol {
  fileprivate var wordCount: Int { split(whereSeparator: \.isWhitespace).count }
}
