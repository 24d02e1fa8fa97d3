/// Writes a document as HTML of its meaning alone: no scripts, no styles, no attributes but those
/// that say something.
struct DocumentHTML {
  private let document: Document
  private let targets: DocumentTargets
  /// What is written follows the rules of XML and of its schema, as books in EPUB must.
  private let isXML: Bool
  private var output: [UInt8] = []

  /// The styles of text and the elements they are written as, from the outside to the inside.
  private static let styles: [(InlineStyle, StaticString)] = [
    (.deleted, "del"), (.inserted, "ins"), (.marked, "mark"), (.strong, "strong"),
    (.emphasis, "em"), (.underlined, "u"), (.small, "small"), (.subscript, "sub"),
    (.superscript, "sup"), (.keyboard, "kbd"), (.code, "code"),
  ]

  init(_ document: Document, _ targets: DocumentTargets, isXML: Bool = false) {
    self.document = document
    self.targets = targets
    self.isXML = isXML
    output.reserveCapacity(document.text.count * 2)
  }

  /// A whole page.
  mutating func page() -> [UInt8] {
    add("<!DOCTYPE html>\n<html")
    if !document.language.isEmpty { attribute("lang", document.language) }
    add(">\n<head>\n<meta charset=\"utf-8\">\n<title>")
    text(Array(document.title.utf8)[...])
    add("</title>\n</head>\n<body>\n")
    blocks(0..<document.blocks.count)
    add("</body>\n</html>\n")
    return output
  }

  /// A part of the blocks, without what makes a page around it.
  mutating func fragment(_ range: Range<Int>) -> [UInt8] {
    blocks(range)
    return output
  }

  private mutating func blocks(_ range: Range<Int>) {
    var open: [Int] = []
    for index in range {
      while let last = open.last, Int(document.blocks[last].end) <= index {
        open.removeLast()
        leave(last, in: open.last)
      }
      enter(index, in: open.last)
      open.append(index)
    }
    while let last = open.popLast() { leave(last, in: open.last) }
  }

  // MARK: Blocks

  /// Whether a block is the first in a disclosure.
  private func isSummary(_ index: Int) -> Bool {
    guard index > 0, case .details = document.blocks[index - 1].kind else { return false }
    return true
  }

  private mutating func enter(_ index: Int, in parent: Int?) {
    let block = document.blocks[index]
    if isSummary(index) { add("<summary>") }
    switch block.kind {
    case .paragraph:
      if isSummary(index) { runs(block) } else { leaf("p", block) }
    case .heading(let level):
      leaf("h\(level)", block)
    case .preformatted(let language):
      add("<pre><code")
      if !language.isEmpty { attribute("class", "language-" + language) }
      add(">")
      runs(block)
      add("</code></pre>\n")
    case .rule: add(isXML ? "<hr/>\n" : "<hr>\n")
    case .image: leaf("p", block)
    case .term: leaf(isComplete(parent) ? "dt" : "p", block)
    case .list: add(isOrdered(index) ? "<ol>\n" : "<ul>\n")
    case .item(let marker):
      add("<li")
      if case .number(let value, _) = marker, !isXML || parent.map(isOrdered) == true {
        attribute("value", String(value))
      }
      add(">")
    case .definitionList: add(isComplete(index) ? "<dl>\n" : "<div>\n")
    case .definition: add(isComplete(parent) ? "<dd>" : "<div>")
    case .quote: add("<blockquote>\n")
    case .figure: add("<figure>\n")
    case .caption: add("<\(captionName(index, in: parent))>")
    case .table: add("<table>\n")
    case .row: add("<tr>")
    case .cell(let isHeader, let columns, let rows, let alignment):
      add(isHeader && mayBeHeader(index) ? "<th" : "<td")
      if columns > 1 { attribute("colspan", String(columns)) }
      if rows > 1 { attribute("rowspan", String(rows)) }
      if alignment != .unset {
        attribute(isXML ? "style" : "align", isXML ? "text-align: \(alignment)" : "\(alignment)")
      }
      add(">")
    case .details(let isOpen):
      add("<details" + (isOpen ? isXML ? " open=\"open\"" : " open" : "") + ">\n")
    }
  }

  private mutating func leave(_ index: Int, in parent: Int?) {
    switch document.blocks[index].kind {
    case .list: add(isOrdered(index) ? "</ol>\n" : "</ul>\n")
    case .item: add("</li>\n")
    case .definitionList: add(isComplete(index) ? "</dl>\n" : "</div>\n")
    case .definition: add(isComplete(parent) ? "</dd>\n" : "</div>\n")
    case .quote: add("</blockquote>\n")
    case .figure: add("</figure>\n")
    case .caption: add("</\(captionName(index, in: parent))>\n")
    case .table: add("</table>\n")
    case .row: add("</tr>\n")
    case .cell(let isHeader, _, _, _): add(isHeader && mayBeHeader(index) ? "</th>" : "</td>")
    case .details: add("</details>\n")
    case .paragraph, .heading, .preformatted, .rule, .image, .term: break
    }
    if isSummary(index) { add("</summary>\n") }
  }

  /// Whether a list of definitions is one to the schema: terms, and behind them what they mean. In
  /// HTML any will do.
  private func isComplete(_ list: Int?) -> Bool {
    guard isXML else { return true }
    guard let list, document.blocks[list].kind == .definitionList else { return false }
    var last: Document.Block.Kind?
    var child = list + 1
    while child < Int(document.blocks[list].end) {
      let kind = document.blocks[child].kind
      guard kind == .term || kind == .definition && last != nil else { return false }
      last = kind
      child = Int(document.blocks[child].end)
    }
    return last == .definition
  }

  /// Whether a cell may be a header to the schema: one without headings in it.
  private func mayBeHeader(_ cell: Int) -> Bool {
    !isXML
      || !document.blocks[cell..<Int(document.blocks[cell].end)].contains {
        if case .heading = $0.kind { true } else { false }
      }
  }

  private func isOrdered(_ list: Int) -> Bool {
    guard list + 1 < document.blocks.count, case .item(.number) = document.blocks[list + 1].kind
    else { return false }
    return true
  }

  /// The element of a caption: to the schema a figure has one, at its beginning or its end.
  private func captionName(_ caption: Int, in parent: Int?) -> String {
    if caption > 0, document.blocks[caption - 1].kind == .table { return "caption" }
    guard isXML else { return "figcaption" }
    guard let parent, document.blocks[parent].kind == .figure else { return "div" }
    let isFirst = caption == parent + 1
    let isLast =
      document.blocks[caption].end == document.blocks[parent].end
      && document.blocks[parent + 1].kind != .caption
    return isFirst || isLast ? "figcaption" : "div"
  }

  private mutating func leaf(_ name: String, _ block: Document.Block) {
    add("<\(name)>")
    runs(block)
    add("</\(name)>\n")
  }

  // MARK: Text

  private mutating func runs(_ block: Document.Block) {
    var link: Int32 = -1
    for run in document.runs(of: block) {
      if run.link != link {
        if link >= 0 { add("</a>") }
        link = run.link
        if link >= 0, !beginLink(Int(link)) { link = -1 }
      }
      // Preformatted text is code already.
      let style = isPreformatted(block) ? run.style.subtracting(.code) : run.style
      let styles = Self.styles.filter { style.contains($0.0) }
      for (_, name) in styles { add("<\(name)>") }
      if run.image >= 0 {
        image(Int(run.image))
      } else {
        text(document.text[Int(run.start)..<Int(run.end)], breaks: !isPreformatted(block))
      }
      for (_, name) in styles.reversed() { add("</\(name)>") }
    }
    if link >= 0 { add("</a>") }
  }

  private func isPreformatted(_ block: Document.Block) -> Bool {
    if case .preformatted = block.kind { true } else { false }
  }

  private mutating func beginLink(_ index: Int) -> Bool {
    guard let url = targets.link(index) else { return false }
    add("<a")
    attribute("href", url)
    if !document.links[index].title.isEmpty { attribute("title", document.links[index].title) }
    add(">")
    return true
  }

  private mutating func image(_ index: Int) {
    let image = document.images[index]
    let source = targets.image(index)
    if isXML, source == nil {
      // The schema has no image without a source.
      return text(Array((image.alternative ?? "").utf8)[...])
    }
    add("<img")
    if let source { attribute("src", source) }
    attribute("alt", image.alternative ?? "")
    if image.width > 0 { attribute("width", String(image.width)) }
    if image.height > 0 { attribute("height", String(image.height)) }
    add(isXML ? "/>" : ">")
  }

  private mutating func attribute(_ name: StaticString, _ value: String) {
    add(" \(name)=\"")
    text(Array(value.utf8)[...])
    add("\"")
  }

  private mutating func text(_ bytes: ArraySlice<UInt8>, breaks: Bool = false) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "&"): add("&amp;")
      case UInt8(ascii: "<"): add("&lt;")
      case UInt8(ascii: ">"): add("&gt;")
      case UInt8(ascii: "\""): add("&quot;")
      case 0x0A where breaks: add(isXML ? "<br/>\n" : "<br>\n")
      default: output.append(byte)
      }
    }
  }

  private mutating func add(_ text: String) {
    output.append(contentsOf: text.utf8)
  }
}

extension Document {
  /// The blocks of the document as XHTML of their meaning alone, in UTF-8: what stands in `body`.
  package func semanticXHTML(_ targets: DocumentTargets) -> [UInt8] {
    var writer = DocumentHTML(self, targets, isXML: true)
    let body = writer.fragment(0..<blocks.count)
    guard !body.isValidXML else { return body }
    // Two characters that XML has none of.
    return Array(
      String(decoding: body, as: UTF8.self)
        .unicodeScalars.filter { $0.value != 0xFFFE && $0.value != 0xFFFF }.map(String.init)
        .joined().utf8)
  }

  /// The document as HTML of its meaning alone, in UTF-8.
  package func semanticHTML(_ targets: DocumentTargets) -> [UInt8] {
    var writer = DocumentHTML(self, targets)
    return writer.page()
  }
}

extension [UInt8] {
  /// Whether UTF-8 without control characters has neither U+FFFE nor U+FFFF.
  fileprivate var isValidXML: Bool {
    for index in indices.dropLast(2) where self[index] == 0xEF && self[index + 1] == 0xBF {
      if self[index + 2] >= 0xBE { return false }
    }
    return true
  }
}
