import DOM

/// The title of an article in the title of its page, which often names the site too.
package struct PageTitle {
  /// A heading of the page.
  struct Heading {
    /// 1 to 6.
    var level: UInt8
    /// What it says.
    var text: String
    /// Whether it says whose the site is, and not what the page is about.
    var isLogo = false
    /// Whether it stands in the element that holds the main content.
    var isInMain = false
  }

  let whole: String
  private let cuts: [Cut]

  /// A place at which a title may end or begin.
  private struct Cut {
    /// The separator with the white space around it.
    var range: Range<String.Index>
    var separator: Separator
    /// Whether it is a bar with white space on both sides.
    var isBar: Bool

    /// Extends the cut by the next one, which touches it or shares white space with it (`a | | b`),
    /// so that the cuts of a title never overlap and nothing empty stands between them.
    mutating func join(_ next: Cut) {
      range = range.lowerBound..<next.range.upperBound
      if next.separator.rawValue < separator.rawValue { separator = next.separator }
      isBar = isBar || next.isBar
    }
  }

  /// What stands between the parts of a title, the clearest first.
  private enum Separator: Int {
    /// Stands between a title and a site.
    case site
    /// Stands between the levels of a site.
    case level
    /// Stands there, too, but also within titles.
    case colon
  }

  /// The separators, and whether white space must stand on both sides.
  private static func separator(_ character: Character) -> (Separator, isSpaced: Bool)? {
    // Characters are compared as they are normalised; those of one scalar need not be.
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
    default: nil
    }
  }

  /// Reads a title of one line.
  init(_ title: String) {
    whole = title
    var cuts: [Cut] = []
    let indices = Array(title.indices)
    for (offset, index) in indices.enumerated().dropFirst().dropLast() where cuts.count < 12 {
      guard let (separator, isSpaced) = Self.separator(title[index]) else { continue }
      let (isBehindSpace, isBeforeSpace) = (
        title[indices[offset - 1]].isWhitespace, title[indices[offset + 1]].isWhitespace
      )
      // A colon without a space stands in times and addresses.
      guard
        isSpaced
          ? isBehindSpace && isBeforeSpace
          : separator != .colon || isBeforeSpace || title[index] == "："
      else { continue }
      let start = isBehindSpace ? indices[offset - 1] : index
      let end = title.index(indices[offset + 1], offsetBy: isBeforeSpace ? 1 : 0)
      let isBar = separator == .site && !isSpaced
      let cut = Cut(
        range: start..<end, separator: separator,
        isBar: isBar && (isBehindSpace && isBeforeSpace || title[index] == "｜"))
      if let last = cuts.indices.last, cuts[last].range.upperBound >= start {
        cuts[last].join(cut)
      } else {
        cuts.append(cut)
      }
    }
    self.cuts = cuts
  }

  // MARK: Parts

  /// The title without the names of its site, which may stand there twice.
  /// - Parameters:
  ///   - site: what its site is called.
  ///   - keepsBeginning: whether the names stay at the beginning.
  /// - Returns: what is left, never nothing of a title that is not empty.
  func part(without site: SiteNames, keepsBeginning: Bool = false) -> String {
    var (start, end) = (whole.startIndex, whole.endIndex)
    while let cut = cuts.last(where: {
      $0.range.lowerBound > start && $0.range.upperBound < end && $0.separator != .colon
        && site.contains(whole[$0.range.upperBound..<end])
    }) {
      end = cut.range.lowerBound
    }
    while !keepsBeginning,
      let cut = cuts.first(where: {
        $0.range.lowerBound > start && $0.range.upperBound < end
          && site.contains(whole[start..<$0.range.lowerBound])
      })
    {
      start = cut.range.upperBound
    }
    return String(whole[start..<end]).oneLine
  }

  /// What stands before the first separator that is no colon.
  var beginning: String {
    guard let cut = cuts.first(where: { $0.separator != .colon }) else { return whole }
    return String(whole[..<cut.range.lowerBound]).oneLine
  }

  /// What stands behind the first separator: the title where the first part says nothing.
  var rest: String {
    cuts.first.map { String(whole[$0.range.upperBound...]).oneLine } ?? whole
  }

  /// Whether a title is one that programs give to pages without one ("Home").
  static func saysNothing(_ title: String) -> Bool {
    key(title).isEmpty || MetadataVocabulary.unsaid.contains(title.lowercased())
  }

  /// What stands before the first bar, if that is a few words: what follows is for search engines.
  var beforeBar: String {
    guard let cut = cuts.first(where: \.isBar) else { return whole }
    let part = String(whole[..<cut.range.lowerBound]).oneLine
    return ComparableWords(part).count >= 3 && part.utf8.count >= 12 ? part : whole
  }

  /// A line as it is compared: letters and digits, in lower case.
  package static func key(_ line: some StringProtocol) -> String {
    line.plainKey(separator: " ")
      ?? line.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
  }

  // MARK: What can be guessed

  /// The article's part of the title of a page that says nothing else of it.
  /// - Parameters:
  ///   - headings: those of the page, in order.
  ///   - site: What the site is called.
  /// - Returns: The part, or all of it.
  func article(headings: [Heading], site: SiteNames) -> String {
    let main = headings.filter { $0.level == 1 && !$0.isLogo }
    let part = part(without: site)
    if Self.saysNothing(part) {
      return (main.first ?? headings.first { !$0.isLogo })?.text ?? whole
    }
    if let heading = heading(insteadOf: main) { return heading }
    guard part == whole else { return part }
    let marks = cuts.filter { $0.separator != .colon }
    var title = whole
    if let last = marks.last {
      title = String(whole[..<last.range.lowerBound])
      if title.wordCount < 3 { title = String(whole[marks[0].range.upperBound...]) }
    } else if whole.contains(": ") {
      title = behindColon(headings)
    } else if whole.count > 150 || whole.count < 15 {
      if main.count == 1 { title = main[0].text }
    }
    title = title.oneLine
    let isHierarchical = marks.contains { $0.separator == .level }
    let others = marks.isEmpty ? title.wordCount : partsWordCount(marks)
    if title.wordCount <= 4, !isHierarchical || title.wordCount != others - 1 { return whole }
    return title
  }

  /// The only heading of the main content, if it says something else than a title with a site.
  private func heading(insteadOf main: [Heading]) -> String? {
    let inMain = main.filter(\.isInMain)
    guard inMain.count == 1, main.count == 1, inMain[0].text.wordCount > 2,
      cuts.contains(where: { $0.separator != .colon })
    else { return nil }
    let (title, heading) = (ComparableWords(whole), ComparableWords(inMain[0].text))
    let isOther = max(title.similarity(to: heading), heading.similarity(to: title)) < 0.5
    return isOther ? inMain[0].text : nil
  }

  /// How many words there are apart from separators.
  private func partsWordCount(_ marks: [Cut]) -> Int {
    var count = 0
    var start = whole.startIndex
    for mark in marks {
      count += whole[start..<mark.range.lowerBound].wordCount
      start = mark.range.upperBound
    }
    return count + whole[start...].wordCount
  }

  /// `Site: title`, unless a heading says the whole of it.
  private func behindColon(_ headings: [Heading]) -> String {
    if headings.contains(where: { $0.text == whole }) { return whole }
    guard let last = whole.lastIndex(of: ":"), let first = whole.firstIndex(of: ":") else {
      return whole
    }
    let end = String(whole[whole.index(after: last)...])
    if end.wordCount < 3 { return String(whole[whole.index(after: first)...]) }
    return whole[..<first].wordCount > 5 ? whole : end
  }
}

extension StringProtocol {
  fileprivate var wordCount: Int { split(whereSeparator: \.isWhitespace).count }
}
