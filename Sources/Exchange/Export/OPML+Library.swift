package import Feeds
package import Library

extension OPML {
  /// Creates a list of pages and feeds of a library, each once.
  package init(title: String, _ pages: [LibraryPage]) {
    self.init()
    self.title = title
    var seen: Set<String> = []
    for page in pages where seen.insert(page.key).inserted {
      let note = page.note.split(whereSeparator: \.isNewline).joined(separator: " ")
      var outline = Outline(title: page.title, tags: page.tags, descriptionLine: note)
      if page.isFeed { outline.feedURL = page.url } else { outline.siteURL = page.url }
      outlines.append(outline)
    }
  }
}
