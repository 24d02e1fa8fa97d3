import Feeds
package import Library
package import Foundation
import DOM
package import Document
package import Formats
import ReaderMode
import WARC

/// What is known of a page, in YAML before its Markdown, as makers of sites and notebooks read it.
package struct FrontMatter: Sendable, Equatable {
  /// The title, or empty.
  package var title = ""
  /// The absolute URL, or empty.
  package var url = ""
  /// Who wrote it, or empty.
  package var author = ""
  /// The name of the site, or empty.
  package var site = ""
  /// When it was published, or nil.
  package var published: Date?
  /// When it was saved, or nil.
  package var saved: Date?
  /// The tags.
  package var tags: [String] = []
  /// The language (BCP 47), or empty.
  package var language = ""
  /// What the reader wrote of it, or empty; may have several lines.
  package var note = ""
  /// The passages that the reader keeps, which come behind the text.
  package var highlights: [Highlight] = []

  /// Nothing.
  package init() {}

  /// What a document says of itself.
  /// - Parameters:
  ///   - document: the page; most is known in reader mode.
  ///   - url: its absolute URL.
  package init(_ document: Document, url: String) {
    let metadata = document.reader?.metadata ?? PageMetadata()
    title = document.title
    author = metadata.byline
    site = metadata.site
    published = DateText.parse(metadata.date)
    language = document.language
    self.url = url
  }

  /// The lines with the marks around them; what is not known is left out.
  package var text: String {
    var lines = ["---"]
    func add(_ name: String, _ value: String) {
      if !value.isEmpty { lines.append("\(name): \(YAMLText.scalar(value))") }
    }
    add("title", title)
    add("url", url)
    add("author", author)
    add("site", site)
    if let published { lines.append("date: \(YAMLText.date(published))") }
    if let saved { lines.append("saved: \(YAMLText.date(saved))") }
    add("language", language)
    if !tags.isEmpty {
      lines.append("tags:")
      lines += tags.map { "  - \(YAMLText.scalar($0))" }
    }
    add("note", note)
    return lines.joined(separator: "\n") + "\n---\n"
  }

  /// A page as Markdown with this before it, and the passages that are kept behind it.
  /// - Parameters:
  ///   - document: the page.
  ///   - targets: where its links and images lead.
  /// - Returns: UTF-8.
  package func markdown(_ document: Document, _ targets: DocumentTargets) -> [UInt8] {
    Array((text + "\n").utf8) + document.markdown(targets)
      + HighlightText.section(highlights)
  }
}

/// Values of YAML 1.2, written so that 1.1 reads the same.
enum YAMLText {
  /// A text as a scalar on one line: plain where that means the text and nothing else, else in
  /// double quotes.
  static func scalar(_ text: String) -> String {
    isPlain(text) ? text : quoted(text)
  }

  /// A date in UTC, to the second.
  static func date(_ date: Date) -> String {
    WARCDate.text(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
  }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
      first.properties.isAlphabetic, last != " ", last != ":", !words.contains(text.lowercased())
    else { return false }
    // `: ` and ` #` mean something within; what has a colon or a hash is quoted altogether, but for
    // addresses.
    let isAddress = text.hasPrefix("https://") || text.hasPrefix("http://")
    return text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value)
        || " .-_/()+".unicodeScalars.contains(scalar)
        || isAddress && ":?&=%~,;".unicodeScalars.contains(scalar)
    } && !text.contains("  ")
  }

  /// What is no text when it stands alone.
  private static let words: Set<String> = [
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
          let (mark, width) =
            scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
          result += "\\\(mark)" + String(repeating: "0", count: width - digits.utf8.count) + digits
        }
      }
    }
    return result + "\""
  }

  /// YAML 1.2 §5.1, without what cannot be seen.
  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch CharacterRole(scalar) {
    case .shown: scalar != "\u{A0}"
    case .variation: true
    case .control, .separator, .breakPoint, .invisible: false
    }
  }
}
