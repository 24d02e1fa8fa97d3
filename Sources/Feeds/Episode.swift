import DOM

/// The parts of a podcast episode that Podlove Simple Chapters (`psc:chapters`) and the podcast
/// namespace (`podcast:chapters`, `podcast:person`) describe.
enum Episode {
  private static let maxChapters = 500
  private static let maxPeople = 100

  /// Adds chapters to the text of an item as a list, and a link to a file with chapters.
  static func addChapters(_ elements: [FeedElement], _ base: String, to item: inout FeedItem) {
    for element in elements {
      let chapters = element.children.filter { $0.name == "chapter" }.prefix(maxChapters)
      let rows = chapters.compactMap { row(of: $0, base) }
      guard !rows.isEmpty else {
        item.addRelatedLink(
          element.url(element.xml.attribute("url"), against: base), title: "Chapters")
        continue
      }
      add("<h2>Chapters</h2><ul>\(rows.joined())</ul>", to: &item)
      // Further elements describe the same chapters.
      return
    }
  }

  private static func row(of chapter: FeedElement, _ base: String) -> String? {
    let start = (chapter.xml.attribute("start") ?? "").oneLine.prefix { $0 != "." }
    let title = (chapter.xml.attribute("title") ?? "").oneLine
    guard !start.isEmpty || !title.isEmpty else { return nil }
    let name = escaped(title)
    let link = chapter.url(chapter.xml.attribute("href"), against: base)
    let text =
      link.map { "<a href=\"\(escaped($0))\">\(name.isEmpty ? escaped($0) : name)</a>" } ?? name
    return "<li>\(escaped(String(start))) \(text)</li>"
  }

  /// Appends markup to the text that is shown.
  private static func add(_ html: String, to item: inout FeedItem) {
    if item.content != nil {
      item.content?.html += html
    } else if item.summary != nil {
      item.summary?.html += html
    } else {
      item.content = FeedItem.Markup(html: html)
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing("\"", with: "&quot;")
  }

  /// Adds links to the pages of the people of an episode. Its hosts are the authors if there are no
  /// others.
  static func addPeople(_ elements: [FeedElement], _ base: String, to item: inout FeedItem) {
    var hosts: [String] = []
    for element in elements.prefix(maxPeople) {
      let name = element.lineWithoutInlineMarkup
      guard !name.isEmpty else { continue }
      let role = (element.xml.attribute("role") ?? "host").oneLine.lowercased()
      if role == "host", !hosts.contains(name) { hosts.append(name) }
      let title = role == "host" ? name : "\(name) (\(role))"
      item.addRelatedLink(element.url(element.xml.attribute("href"), against: base), title: title)
    }
    if item.author.isEmpty { item.author = hosts.joined(separator: ", ") }
  }
}
