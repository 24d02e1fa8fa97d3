import Feeds
package import Library
package import Foundation
import DOM
package import Document
package import Formats
import ReaderMode
import WARC

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

/// Writes values of YAML 1.2 so that parsers for YAML 1.1 read the same values.
enum YAMLText {
  /// Returns a text as a scalar on one line: plain if that is unambiguous, otherwise in double
  /// quotes.
  static func scalar(_ text: String) -> String {
    isPlain(text) ? text : quoted(text)
  }

  /// Returns a date in UTC, to the second.
  static func date(_ date: Date) -> String {
    WARCDate.text(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
  }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
      first.properties.isAlphabetic, last != " ", last != ":", !reserved.contains(text.lowercased())
    else { return false }
    // `: ` and ` #` are special within a scalar; any text with a colon or hash is quoted, except
    // URLs.
    let isAddress = text.hasPrefix("https://") || text.hasPrefix("http://")
    return text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value)
        || " .-_/()+".unicodeScalars.contains(scalar)
        || isAddress && ":?&=%~,;".unicodeScalars.contains(scalar)
    } && !text.contains("  ")
  }

  /// Plain scalars that are not read as text.
  private static let reserved: Set<String> = [
    "true", "false", "yes", "no", "on", "off", "null", "y", "n", "nan", "inf",
  ]

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default:
        if isPrintable(scalar) {
          result.unicodeScalars.append(scalar)
        } else {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          let (marker, width) =
            scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
          result +=
            "\\\(marker)" + String(repeating: "0", count: width - digits.utf8.count) + digits
        }
      }
    }
    return result + "\""
  }

  /// Whether a character may be written unescaped (YAML 1.2 §5.1) and is visible.
  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch CharacterRole(scalar) {
    case .visible: scalar != "\u{A0}"
    case .variationSelector: true
    case .control, .separator, .lineBreakControl, .invisible: false
    }
  }
}
