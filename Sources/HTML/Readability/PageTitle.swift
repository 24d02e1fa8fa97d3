/// The title of an article in the title of its page, which often names the site too.
enum PageTitle {
  private static func isSeparator(_ character: Character) -> Bool {
    switch character {
    case "|", "-", "–", "—": true
    default: isHierarchical(character)
    }
  }

  /// Those that stand between the levels of a site.
  private static func isHierarchical(_ character: Character) -> Bool {
    switch character {
    case "\\", "/", ">", "»": true
    default: false
    }
  }

  /// The article's part of a page's title.
  /// - Parameters:
  ///   - pageTitle: The whole title.
  ///   - headings: The texts of `h1` and `h2`, in order.
  ///   - site: The name of the site, or empty.
  /// - Returns: The part, or all of it.
  static func article(
    pageTitle: String, headings: [(level: UInt8, text: String)], site: String
  ) -> String {
    let marks = separatorPlaces(in: pageTitle)
    var title = pageTitle
    if let last = marks.last, !site.isEmpty, pageTitle[last...].dropFirst(3) == site {
      return String(pageTitle[..<last])
    }
    if let last = marks.last {
      title = String(pageTitle[..<last])
      if title.wordCount < 3 { title = behindFirstSeparator(pageTitle) }
    } else if pageTitle.contains(": ") {
      title = behindColon(pageTitle, headings)
    } else if pageTitle.count > 150 || pageTitle.count < 15 {
      let first = headings.filter { $0.level == 1 }
      if first.count == 1 { title = first[0].text }
    }
    title = title.oneLine
    // A short rest is the title only when there is more than the separator to say so.
    if !marks.isEmpty, headings.contains(where: { $0.level == 1 && $0.text == title }) {
      return title
    }
    let isHierarchical = marks.contains {
      Self.isHierarchical(pageTitle[pageTitle.index(after: $0)])
    }
    let others = pageTitle.filter { !isSeparator($0) }.wordCount
    if title.wordCount <= 4, !isHierarchical || title.wordCount != others - 1 { return pageTitle }
    return title
  }

  /// Where a separator stands between two spaces; the places of the spaces before them.
  private static func separatorPlaces(in title: String) -> [String.Index] {
    var places: [String.Index] = []
    let characters = Array(title.indices)
    for (offset, index) in characters.enumerated().dropLast().dropFirst()
    where isSeparator(title[index]) && title[characters[offset - 1]] == " "
      && title[characters[offset + 1]] == " "
    {
      places.append(characters[offset - 1])
    }
    return places
  }

  private static func behindFirstSeparator(_ title: String) -> String {
    guard let first = title.firstIndex(where: isSeparator) else { return title }
    return String(title[title.index(after: first)...])
  }

  /// `Site: title`, unless a heading says the whole of it.
  private static func behindColon(
    _ title: String, _ headings: [(level: UInt8, text: String)]
  ) -> String {
    if headings.contains(where: { $0.text == title }) { return title }
    guard let last = title.lastIndex(of: ":"), let first = title.firstIndex(of: ":") else {
      return title
    }
    let end = String(title[title.index(after: last)...])
    if end.wordCount < 3 { return String(title[title.index(after: first)...]) }
    return String(title[..<first]).wordCount > 5 ? title : end
  }
}

extension String {
  fileprivate var wordCount: Int { split(whereSeparator: \.isWhitespace).count }
}
