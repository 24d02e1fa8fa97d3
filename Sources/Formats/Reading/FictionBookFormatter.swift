import DOM
import Document

/// Shows books in the XML format FictionBook (FB2), whose elements are converted to HTML in a
/// single pass.
struct FictionBookFormatter {
  private let tree: XMLTree
  private var writer: HTMLWriter
  /// The open elements: the name, the end of the content in the text, and the markup after it.
  private var openElements: [(name: String, end: UInt32, markup: String)] = []
  private var sectionDepth = 0
  private var titleDepth = 0
  /// The images by their IDs.
  private var images: [String: XMLElement] = [:]
  /// The URLs of the images that are already in the page, by their IDs.
  private var shownImages: [String: String] = [:]
  private var imageCount = 0
  /// The number of characters that images which recur may add to the page.
  private var remainingRecurringLength: Int

  /// The number of bytes at the start that are searched for the root element.
  private static let examinedLength = 4096

  private init(_ text: [UInt8]) {
    // An image contains no elements. If end tags are missing, nested images would share their text.
    tree = XMLTree(text, unnestableNames: ["binary"])
    remainingRecurringLength = text.count
    writer = HTMLWriter(capacity: text.count + text.count / 4)
    for element in tree.elements where element.name == "binary" {
      if let id = element.attribute("id") { images[id] = element }
    }
  }

  /// Creates the document of a book.
  /// - Parameters:
  ///   - text: Valid UTF-8.
  ///   - url: The URL of the book, or empty.
  /// - Returns: The document; nil if the text is not such a book.
  static func document(of text: [UInt8], url: String) -> Document? {
    let root = Array("<FictionBook".utf8)
    guard text.prefix(examinedLength).firstRange(of: root) != nil else { return nil }
    var formatter = FictionBookFormatter(text)
    // A comment or a text may mention the name.
    guard formatter.tree.elements.first(where: { _ in true })?.name == "fictionbook" else {
      return nil
    }
    formatter.write()
    return MarkdownFormatter.document(ofHTML: formatter.writer.bytes, url: url)
  }

  private mutating func write() {
    // The end of an element whose content is not shown.
    var skippedEnd: UInt32 = 0
    for (index, node) in tree.nodes.enumerated().dropFirst() {
      let range = node.nameOrTextRange
      guard range.lowerBound >= skippedEnd else { continue }
      closeElements(before: range.lowerBound)
      let text = Int(range.lowerBound)..<Int(range.upperBound)
      switch node.kind {
      case .text: writer.writeEscaped(tree.bytes, text, keepsReferences: true)
      case .cdata: writer.writeEscaped(tree.bytes, text)
      case .element:
        let element = XMLElement(tree: tree, index: Int32(index))
        let name = element.name
        if Self.skippedNames.contains(name) {
          skippedEnd = node.content.upperBound
        } else {
          begin(element, name, end: node.content.upperBound)
        }
      }
    }
    closeElements(before: .max)
  }

  private mutating func begin(_ element: XMLElement, _ name: String, end: UInt32) {
    if name == "section" { sectionDepth += 1 }
    if name == "title" { titleDepth += 1 }
    let tags = markup(of: element, name)
    writer.write(tags.start)
    openElements.append((name, end, tags.end))
  }

  /// Closes the elements that end before an offset of the text.
  private mutating func closeElements(before offset: UInt32) {
    while let last = openElements.last, last.end <= offset {
      writer.write(last.markup)
      if last.name == "section" { sectionDepth -= 1 }
      if last.name == "title" { titleDepth -= 1 }
      openElements.removeLast()
    }
  }

  /// Returns the markup before and after the content of an element.
  private mutating func markup(
    of element: XMLElement, _ name: String
  ) -> (start: String, end: String) {
    switch name {
    case "title":
      let level = min(6, max(2, sectionDepth + 1))
      return ("<h\(level)>", "</h\(level)>\n")
    // The lines of a title are paragraphs.
    case "p" where titleDepth > 0: return ("", " ")
    case "first-name", "middle-name", "last-name", "nickname": return ("", " ")
    case "v": return ("", "<br>\n")
    case "empty-line": return ("<br>\n", "")
    case "subtitle": return ("<p><strong>", "</strong></p>\n")
    case "body": return (element.attribute("name") == nil ? "" : "<hr>\n", "")
    // It would look like another author.
    case "translator": return ("<p>", "(translator)</p>\n")
    case "sequence":
      let text = ["name", "number"].compactMap { element.attribute($0) }.joined(separator: " ")
      return ("<p>\(Markup.escapedLine(text))</p>\n", "")
    case "a":
      let names = element.attribute("type") == "note" ? " class=noteref" : ""
      return ("<a\(names) href=\"\(Markup.escaped(reference(of: element)))\">", "</a>")
    case "image": return (image(element), "")
    default:
      guard let tag = Self.tags[name] else { return ("", "") }
      let attributes = ["id", "colspan", "rowspan"].map { name in
        element.attribute(name).map { " \(name)=\"\(Markup.escaped($0))\"" } ?? ""
      }
      return ("<\(tag)\(attributes.joined())>", "</\(tag)>")
    }
  }

  /// Returns an image with its content, or its description if the book does not contain it.
  private mutating func image(_ element: XMLElement) -> String {
    // Without a number, adjacent images would be merged as duplicates.
    imageCount += 1
    let text = element.attribute("alt") ?? element.attribute("title") ?? "image \(imageCount)"
    let description = Markup.escapedLine(text)
    let id = String(reference(of: element).drop { $0 == "#" })
    guard let source = imageURL(id) else { return "[\(description)]" }
    return "<img alt=\"\(description)\" src=\"\(source)\">"
  }

  /// Returns the escaped URL with the content of an image; nil if the book does not contain the
  /// image, or if images that recur would make the page too long.
  private mutating func imageURL(_ id: String) -> String? {
    if let url = shownImages[id] {
      guard url.utf8.count <= remainingRecurringLength else { return nil }
      remainingRecurringLength -= url.utf8.count
      return url
    }
    guard let binary = images[id] else { return nil }
    let mediaType = binary.attribute("content-type") ?? "image/jpeg"
    let url = Markup.escaped("data:\(mediaType);base64,\(binary.text)")
    shownImages[id] = url
    return url
  }

  /// Returns the value of `href`, whose prefix differs between books.
  private func reference(of element: XMLElement) -> String {
    element.attributes.first { $0.name.lowercased().hasSuffix("href") }?.value ?? ""
  }

  /// The elements of HTML with the same meaning.
  private static let tags = [
    "p": "p", "stanza": "p", "text-author": "p", "author": "p", "date": "p", "book-title": "h1",
    "section": "section", "poem": "div", "annotation": "blockquote",
    "epigraph": "blockquote", "cite": "blockquote", "emphasis": "em", "strong": "strong",
    "strikethrough": "s", "sub": "sub", "sup": "sup", "code": "code", "table": "table",
    "tr": "tr", "th": "th", "td": "td",
  ]

  /// The elements whose content is not part of the text.
  private static let skippedNames: Set<String> = [
    "binary", "stylesheet", "genre", "keywords", "lang", "src-lang", "id", "home-page", "email",
    "src-title-info", "document-info", "publish-info", "custom-info", "output",
  ]
}
