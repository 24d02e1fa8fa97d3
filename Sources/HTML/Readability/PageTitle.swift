/// The title of an article in the title of its page, which often names the site too.
struct PageTitle {
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

  private let whole: String
  private let cuts: [Cut]

  /// A place at which a title may end or begin.
  private struct Cut {
    /// The separator with the white space around it.
    var range: Range<String.Index>
    var separator: Separator
  }

  /// What stands between the parts of a title.
  private enum Separator {
    /// Stands between a title and a site.
    case site
    /// Stands between the levels of a site.
    case level
    /// Stands there, too, but also within titles.
    case colon
  }

  /// The separators, and whether white space must stand on both sides.
  private static func separator(_ character: Character) -> (Separator, isSpaced: Bool)? {
    switch character {
    case "|", "｜", "¦", "‖": (.site, false)
    case "-", "–", "—", "·", "•", "∙", "・", "●", "~", "∷", "⋅", "‹", "«", "<", "―", "‐", "−":
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
        title[indices[offset - 1]] == " ", title[indices[offset + 1]] == " "
      )
      // A colon without a space stands in times and addresses.
      guard
        isSpaced
          ? isBehindSpace && isBeforeSpace
          : separator != .colon || isBeforeSpace || title[index] == "："
      else { continue }
      let start = isBehindSpace ? indices[offset - 1] : index
      let end = title.index(indices[offset + 1], offsetBy: isBeforeSpace ? 1 : 0)
      cuts.append(Cut(range: start..<end, separator: separator))
    }
    self.cuts = cuts
  }

  // MARK: What the page says too

  /// The part of the title that a heading says again, without the rest.
  /// - Parameters:
  ///   - headings: those of the page, in order.
  ///   - site: the name of the site, or empty.
  /// - Returns: the longest such part at the beginning, else anywhere, or all of it; nil when there is
  ///   none.
  func part(saidBy headings: [Heading], site: String) -> String? {
    guard !cuts.isEmpty else { return nil }
    let site = Self.key(site)
    var first: Set<String> = [], all: Set<String> = []
    for heading in headings where !heading.isLogo {
      let key = Self.key(heading.text)
      guard !key.isEmpty, key != site else { continue }
      if heading.level == 1 { all.insert(key) }
      // One of many may well say what only a part of the title says.
      if heading.level == 1 || cuts.count == 1 { first.insert(key) }
    }
    guard !first.contains(Self.key(whole)) else { return whole }
    let starts = [whole.startIndex] + cuts.map(\.range.upperBound)
    let ends = cuts.map(\.range.lowerBound) + [whole.endIndex]
    var best: Substring?
    for (index, start) in starts.enumerated() where best?.startIndex != whole.startIndex {
      let said = index == 0 ? first : all
      for end in ends[index...] where said.contains(Self.key(whole[start..<end])) {
        let part = whole[start..<end]
        // A little at the end is a section of the site, of which the heading speaks.
        guard index == 0 || part.count * 3 >= whole.count else { continue }
        if part.count > best?.count ?? 0 { best = part }
      }
    }
    return best.map { String($0).oneLine }
  }

  /// The title without the name of the site at its end.
  func part(without site: String) -> String? {
    let key = Self.key(site)
    guard !key.isEmpty else { return nil }
    let cut = cuts.last { $0.separator != .colon && Self.key(whole[$0.range.upperBound...]) == key }
    guard let cut, cut.range.lowerBound > whole.startIndex else { return nil }
    return String(whole[..<cut.range.lowerBound]).oneLine
  }

  /// A line as it is compared: letters and digits, in lower case.
  private static func key(_ line: some StringProtocol) -> String {
    line.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
  }

  // MARK: What can be guessed

  /// The article's part of the title of a page that says nothing else of it.
  /// - Parameters:
  ///   - headings: those of the page, in order.
  ///   - site: The name of the site, or empty.
  /// - Returns: The part, or all of it.
  func article(headings: [Heading], site: String) -> String {
    let main = headings.filter { $0.level == 1 && !$0.isLogo }
    if Vocabulary.unsaid.contains(whole.lowercased()) || whole.isEmpty {
      return (main.first ?? headings.first { !$0.isLogo })?.text ?? whole
    }
    if let part = part(saidBy: headings, site: site) ?? part(without: site) { return part }
    if let heading = heading(insteadOf: main) { return heading }
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
