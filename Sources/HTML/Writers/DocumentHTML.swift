/// Writes a document as HTML of its meaning alone: no scripts, no styles, no attributes but those
/// that say something.
struct DocumentHTML {
  private let document: Document
  private let targets: DocumentTargets
  private var output: [UInt8] = []

  /// The styles of text and the elements they are written as, from the outside to the inside.
  private static let styles: [(InlineStyle, StaticString)] = [
    (.deleted, "del"), (.inserted, "ins"), (.marked, "mark"), (.strong, "strong"),
    (.emphasis, "em"), (.underlined, "u"), (.small, "small"), (.subscript, "sub"),
    (.superscript, "sup"), (.keyboard, "kbd"), (.code, "code"),
  ]

  init(_ document: Document, _ targets: DocumentTargets) {
    self.document = document
    self.targets = targets
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
        leave(open.removeLast())
      }
      enter(index)
      open.append(index)
    }
    for index in open.reversed() { leave(index) }
  }

  // MARK: Blocks

  /// Whether a block is the first in a disclosure.
  private func isSummary(_ index: Int) -> Bool {
    guard index > 0, case .details = document.blocks[index - 1].kind else { return false }
    return true
  }

  private mutating func enter(_ index: Int) {
    let block = document.blocks[index]
    if isSummary(index) { add("<summary>") }
    switch block.kind {
    case .paragraph:
      if isSummary(index) { runs(block) } else { leaf("p", block) }
    case .heading(let level):
      add("<h\(level)>")
      runs(block)
      add("</h\(level)>\n")
    case .preformatted(let language):
      add("<pre><code")
      if !language.isEmpty { attribute("class", "language-" + language) }
      add(">")
      runs(block)
      add("</code></pre>\n")
    case .rule: add("<hr>\n")
    case .image: leaf("p", block)
    case .term: leaf("dt", block)
    case .list: add(isOrdered(index) ? "<ol>\n" : "<ul>\n")
    case .item(let marker):
      add("<li")
      if case .number(let value, _) = marker { attribute("value", String(value)) }
      add(">")
    case .definitionList: add("<dl>\n")
    case .definition: add("<dd>")
    case .quote: add("<blockquote>\n")
    case .figure: add("<figure>\n")
    case .caption: add(isTableCaption(index) ? "<caption>" : "<figcaption>")
    case .table: add("<table>\n")
    case .row: add("<tr>")
    case .cell(let isHeader, let columns, let rows, let alignment):
      add(isHeader ? "<th" : "<td")
      if columns > 1 { attribute("colspan", String(columns)) }
      if rows > 1 { attribute("rowspan", String(rows)) }
      if alignment != .unset { attribute("align", "\(alignment)") }
      add(">")
    case .details(let isOpen): add(isOpen ? "<details open>\n" : "<details>\n")
    }
  }

  private mutating func leave(_ index: Int) {
    switch document.blocks[index].kind {
    case .list: add(isOrdered(index) ? "</ol>\n" : "</ul>\n")
    case .item: add("</li>\n")
    case .definitionList: add("</dl>\n")
    case .definition: add("</dd>\n")
    case .quote: add("</blockquote>\n")
    case .figure: add("</figure>\n")
    case .caption: add(isTableCaption(index) ? "</caption>\n" : "</figcaption>\n")
    case .table: add("</table>\n")
    case .row: add("</tr>\n")
    case .cell(let isHeader, _, _, _): add(isHeader ? "</th>" : "</td>")
    case .details: add("</details>\n")
    case .paragraph, .heading, .preformatted, .rule, .image, .term: break
    }
    if isSummary(index) { add("</summary>\n") }
  }

  private func isOrdered(_ list: Int) -> Bool {
    guard list + 1 < document.blocks.count, case .item(.number) = document.blocks[list + 1].kind
    else { return false }
    return true
  }

  private func isTableCaption(_ caption: Int) -> Bool {
    caption > 0 && document.blocks[caption - 1].kind == .table
  }

  private mutating func leaf(_ name: StaticString, _ block: Document.Block) {
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
    add("<img")
    if let source = targets.image(index) { attribute("src", source) }
    attribute("alt", image.alternative ?? "")
    if image.width > 0 { attribute("width", String(image.width)) }
    if image.height > 0 { attribute("height", String(image.height)) }
    add(">")
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
      case 0x0A where breaks: add("<br>\n")
      default: output.append(byte)
      }
    }
  }

  private mutating func add(_ text: String) {
    output.append(contentsOf: text.utf8)
  }
}

extension Document {
  /// The document as HTML of its meaning alone, in UTF-8.
  package func semanticHTML(_ targets: DocumentTargets) -> [UInt8] {
    var writer = DocumentHTML(self, targets)
    return writer.page()
  }
}
