import Feeds
package import Library
package import Foundation
package import Document
package import Formats
import ReaderMode

/// Metadata of a page as YAML front matter of its Markdown, for static site generators and
/// note-taking programs.
package struct FrontMatter: Sendable, Equatable {
  /// The title, or empty.
  package var title = ""
  /// The absolute URL, or empty.
  package var url = ""
  /// The author, or empty.
  package var author = ""
  /// The name of the site, or empty.
  package var site = ""
  /// The publication date; nil if unknown.
  package var publicationDate: Date?
  /// The time when the page was saved; nil if unknown.
  package var savedDate: Date?
  package var tags: [String] = []
  /// Whether the user archived the page.
  package var isArchived = false
  /// The language (BCP 47), or empty.
  package var language = ""
  /// The note of the user, or empty; may have several lines.
  package var note = ""
  /// The highlights of the user, which follow the text.
  package var highlights: [Highlight] = []

  package init() {}

  /// Creates front matter from the metadata of a document.
  /// - Parameters:
  ///   - document: The page; reader view provides the most metadata.
  ///   - url: The absolute URL of the page.
  package init(_ document: Document, url: String) {
    let metadata = document.readerFacts?.metadata ?? PageMetadata()
    title = document.title
    author = metadata.byline
    site = metadata.siteName
    publicationDate = DateText.parse(metadata.date)
    language = document.language
    self.url = url
  }

  /// The YAML lines with their delimiters; unknown values are left out.
  package var text: String {
    var lines = ["---"]
    func add(_ name: String, _ value: String) {
      if !value.isEmpty { lines.append("\(name): \(YAMLText.scalar(value))") }
    }
    add("title", title)
    add("url", url)
    add("author", author)
    add("site", site)
    if let publicationDate { lines.append("date: \(YAMLText.date(publicationDate))") }
    if let savedDate { lines.append("saved: \(YAMLText.date(savedDate))") }
    add("language", language)
    if !tags.isEmpty {
      lines.append("tags:")
      lines += tags.map { "  - \(YAMLText.scalar($0))" }
    }
    if isArchived { lines.append("archived: true") }
    add("note", note)
    return lines.joined(separator: "\n") + "\n---\n"
  }

  /// Returns a page as Markdown, preceded by the front matter and followed by the highlights.
  /// - Parameters:
  ///   - document: The page.
  ///   - targets: The targets of its links and images.
  /// - Returns: UTF-8 text.
  package func markdown(_ document: Document, _ targets: ExportTargets) -> [UInt8] {
    Array((text + "\n").utf8) + document.markdown(targets)
      + HighlightText.section(highlights)
  }
}
