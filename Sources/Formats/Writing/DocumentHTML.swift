import DOM
import Algorithms
package import Document

/// Writes a document as semantic HTML: without scripts and style sheets, and with only the
/// attributes that carry meaning.
struct DocumentHTML {
  private let document: Document
  private let targets: DocumentTargets
  /// Whether the output is XHTML that conforms to the schema of EPUB.
  private let isXML: Bool
  /// Whether the output loads nothing: an image without a source is replaced by its alternative
  /// text.
  private let isSelfContained: Bool
  /// The open lists.
  private var lists: [OpenList] = []
  /// The current part of each open table.
  private var tables: [TablePart] = []
  private var output: [UInt8] = []
  /// The number of targets of fragments that are written.
  private var idCount = 0

  /// The text styles and their elements, outermost first.
  private static let styles: [(InlineStyle, StaticString)] = [
    (.deleted, "del"), (.inserted, "ins"), (.marked, "mark"), (.strong, "strong"),
    (.emphasis, "em"), (.underlined, "u"), (.small, "small"), (.subscript, "sub"),
    (.superscript, "sup"), (.keyboard, "kbd"), (.code, "code"),
  ]

  private enum TablePart { case caption, head, body }

  init(
    _ document: Document, _ targets: DocumentTargets, isXML: Bool = false,
    isSelfContained: Bool = false
  ) {
    self.document = document
    self.targets = targets
    self.isXML = isXML
    self.isSelfContained = isSelfContained
    output.reserveCapacity(document.text.count * 2)
  }

  /// Writes a complete page, with the origin of an exported one.
  mutating func page(_ origin: PageOrigin? = nil) -> [UInt8] {
    add("<!DOCTYPE html>\n")
    if let origin { add("<!-- \(origin.comment) -->\n") }
    add("<html")
    if !document.language.isEmpty { attribute("lang", document.language) }
    if let direction = document.direction { attribute("dir", direction.rawValue) }
    add(">\n<head>\n<meta charset=\"utf-8\">\n")
    if isSelfContained { add(Self.policy) }
    if let origin {
      add("<link rel=\"canonical\"")
      attribute("href", origin.url)
      add(">\n")
    }
    add("<title>")
    text(Array(document.title.utf8)[...])
    add("</title>\n</head>\n<body>\n")
    blocks(0..<document.blocks.count)
    endIDs()
    add("</body>\n</html>\n")
    return output
  }

  /// A content security policy that makes browsers load nothing else (CSP Level 3).
  private static let policy =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    + "img-src data:; style-src 'unsafe-inline'\">\n"

  /// Writes a range of blocks, without the elements of a page around them.
  mutating func fragment(_ range: Range<Int>) -> [UInt8] {
    blocks(range)
    endIDs()
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

  /// Returns whether a block is the summary of a disclosure widget.
  private func isSummary(_ index: Int) -> Bool {
    guard index > 0, case .details = document.blocks[index - 1].kind else { return false }
    return true
  }

  private mutating func enter(_ index: Int, in parent: Int?) {
    let block = document.blocks[index]
    if isSummary(index) { add("<summary>") }
    switch block.kind {
    case .paragraph, .image:
      leaf(leafName(index, in: parent), block)
      images(below: index)
    case .heading(let level):
      leaf("h\(level)", block)
      images(below: index)
    case .preformatted(let language):
      add("<pre")
      locale(block)
      add("><code")
      let language = document.codeLanguage(language)
      if !language.isEmpty { attribute("class", "language-" + language) }
      add(">")
      // The parser ignores a line break directly after `<pre>`.
      if let run = document.runs(of: block).first, document.text[Int(run.start)] == 0x0A {
        add("\n")
      }
      runs(block)
      add("</code></pre>\n")
    case .rule: add(isXML ? "<hr/>\n" : "<hr>\n")
    case .term: leaf(isComplete(parent) ? "dt" : "p", block)
    case .list: beginList(index)
    case .item(let marker): beginItem(marker)
    case .definitionList: add(isComplete(index) ? "<dl>\n" : "<div>\n")
    case .definition: add(isComplete(parent) ? "<dd>" : "<div>")
    case .quote: add("<blockquote>\n")
    case .figure: add("<figure>\n")
    case .caption: add("<\(captionElementName(for: index, in: parent))>")
    case .table:
      // A nested table is read as a data table again only if it has a border.
      add(!isXML && holdsTable(index) ? "<table border=\"1\">\n" : "<table>\n")
      tables.append(.caption)
    case .row(let isHeader): beginRow(isHeader: isHeader)
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
    case .list: add(lists.popLast()?.isOrdered == true ? "</ol>\n" : "</ul>\n")
    case .item: add("</li>\n")
    case .definitionList: add(isComplete(index) ? "</dl>\n" : "</div>\n")
    case .definition: add(isComplete(parent) ? "</dd>\n" : "</div>\n")
    case .quote: add("</blockquote>\n")
    case .figure: add("</figure>\n")
    case .caption: add("</\(captionElementName(for: index, in: parent))>\n")
    case .table: add(tables.popLast() == .head ? "</thead>\n</table>\n" : "</table>\n")
    case .row: add("</tr>\n")
    case .cell(let isHeader, _, _, _): add(isHeader && mayBeHeader(index) ? "</th>" : "</td>")
    case .details: add("</details>\n")
    case .paragraph, .heading, .preformatted, .rule, .image, .term: break
    }
    if isSummary(index) { add("</summary>\n") }
  }

  /// Returns whether a definition list conforms to the schema: terms, each followed by definitions.
  /// In HTML every list is accepted.
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

  /// Returns whether the schema allows a cell to be a header: it must not contain headings.
  private func mayBeHeader(_ cell: Int) -> Bool {
    !isXML
      || !document.blocks[cell..<Int(document.blocks[cell].end)].contains {
        if case .heading = $0.kind { true } else { false }
      }
  }

  /// Returns the element of a paragraph or image; empty if it needs none, such as the only content
  /// of a table cell.
  private func leafName(_ index: Int, in parent: Int?) -> String {
    let next = document.blocks[index].end
    let isClose =
      document.blocks[index].isClose
      || Int(next) < document.blocks.count && document.blocks[Int(next)].isClose
    let name = isClose ? "div" : "p"
    guard let parent else { return name }
    if isSummary(index) { return "" }
    let isFirst = index == parent + 1
    let isAlone = isFirst && document.blocks[index].end == document.blocks[parent].end
    switch document.blocks[parent].kind {
    case .cell, .definition, .caption: return isAlone ? "" : name
    case .item:
      guard lists.last?.isTight == true else { return isAlone ? "" : name }
      // Paragraphs would make the list loose.
      return isFirst && !isLeaf(index + 1, in: parent) ? "" : "div"
    default: return name
    }
  }

  /// Returns whether the block at an index is a paragraph or image within a container.
  private func isLeaf(_ index: Int, in parent: Int) -> Bool {
    guard index < Int(document.blocks[parent].end) else { return false }
    switch document.blocks[index].kind {
    case .paragraph, .image: return true
    default: return false
    }
  }

  private func holdsTable(_ table: Int) -> Bool {
    document.blocks[(table + 1)..<Int(document.blocks[table].end)].contains { $0.kind == .table }
  }

  /// Begins a row. In the schema a table has at most one `thead`, which comes first.
  private mutating func beginRow(isHeader: Bool) {
    if let part = tables.popLast() {
      if isHeader, part == .caption || part == .body && !isXML { add("<thead>\n") }
      if !isHeader, part == .head { add("</thead>\n") }
      tables.append(isHeader && (part != .body || !isXML) ? .head : .body)
    }
    add("<tr>")
  }

  /// Begins a list. Its numbering is determined from its first items.
  private mutating func beginList(_ index: Int) {
    var list = OpenList(document, index)
    if case .list(let isTight) = document.blocks[index].kind { list.isTight = isTight }
    add(list.isOrdered ? "<ol" : "<ul")
    if !list.hasMarkers { attribute("style", "list-style: none") }
    if list.style != .decimal { attribute("type", list.style.type) }
    if list.step < 0 { add(isXML ? " reversed=\"reversed\"" : " reversed") }
    if list.next != 1 || list.step < 0 { attribute("start", String(list.next)) }
    add(">\n")
    lists.append(list)
  }

  /// Begins an item, with its number unless it follows from the previous one.
  private mutating func beginItem(_ marker: Document.Marker) {
    add("<li")
    if var list = lists.popLast() {
      switch marker {
      case .number(let value, let style) where list.isOrdered:
        if value != list.next { attribute("value", String(value)) }
        if style != list.style, !isXML { attribute("type", style.type) }
        list.next = value &+ list.step
      case .none where list.hasMarkers:
        attribute("style", "list-style: none")
        list.next &+= list.step
      default: break
      }
      lists.append(list)
    }
    add(">")
  }

  /// Returns the name of the element of a caption. In the schema a figure has one caption, at its
  /// start or end.
  private func captionElementName(for caption: Int, in parent: Int?) -> String {
    if let parent, document.blocks[parent].kind == .table { return "caption" }
    guard isXML else { return "figcaption" }
    guard let parent, document.blocks[parent].kind == .figure else { return "div" }
    let isFirst = caption == parent + 1
    let isLast =
      document.blocks[caption].end == document.blocks[parent].end
      && document.blocks[parent + 1].kind != .caption
    return isFirst || isLast ? "figcaption" : "div"
  }

  private mutating func leaf(_ name: String, _ block: Document.Block) {
    // The language and direction need an element.
    let name = name.isEmpty && differs(block) != nil ? "div" : name
    if !name.isEmpty {
      add("<\(name)")
      locale(block)
      add(">")
    }
    runs(block)
    if !name.isEmpty { add("</\(name)>\n") }
  }

  /// Writes the images below a leaf, which have empty alternative text because the leaf contains
  /// their text.
  private mutating func images(below leaf: Int) {
    guard !isSummary(leaf) else { return }
    for below in document.images(below: Int32(leaf)) {
      let index = Int(below.image)
      guard let source = targets.image(index) else { continue }
      add("<div><img")
      attribute("src", source)
      attribute("alt", "")
      size(of: document.images[index])
      add(isXML ? "/></div>\n" : "></div>\n")
    }
  }

  private mutating func size(of image: Document.Image) {
    if image.width > 0 { attribute("width", String(image.width)) }
    if image.height > 0 { attribute("height", String(image.height)) }
  }

  /// Returns the language and direction of a block if they differ from those of the page.
  private func differs(_ block: Document.Block) -> Document.Locale? {
    guard !document.locales.isEmpty, let run = document.runs(of: block).first else { return nil }
    let locale = document.locale(at: run.start)
    let isSame = locale.language == document.language && locale.direction == document.direction
    return isSame ? nil : locale
  }

  private mutating func locale(_ block: Document.Block) {
    guard let locale = differs(block) else { return }
    if locale.language != document.language { attribute("lang", locale.language) }
    if locale.direction != document.direction {
      attribute("dir", locale.direction?.rawValue ?? "auto")
    }
  }

  // MARK: Text

  private mutating func runs(_ block: Document.Block) {
    var link: Int32 = -1
    var image: Int32 = -1
    var open: [(style: InlineStyle, name: StaticString)] = []
    for run in document.runs(of: block) {
      // Preformatted text is in a `code` element already.
      let style = isPreformatted(block) ? run.style.subtracting(.code) : run.style
      let kept = run.link == link ? open.prefix { style.contains($0.style) }.count : 0
      while open.count > kept, let last = open.popLast() { add("</\(last.name)>") }
      if run.link != link {
        if link >= 0 { add("</a>") }
        link = run.link
        if link >= 0, !beginLink(Int(link)) { link = -1 }
      }
      for (each, name) in Self.styles
      where style.contains(each) && !open.contains(where: { $0.style == each }) {
        add("<\(name)>")
        open.append((each, name))
      }
      if run.image < 0 {
        text(of: run, breaks: !isPreformatted(block))
      } else if run.image != image {
        ids(before: run.end)
        self.image(run)
      }
      image = run.image
    }
    while let last = open.popLast() { add("</\(last.name)>") }
    if link >= 0 { add("</a>") }
  }

  /// Writes the text of a run with its bidirectional isolates. Isolates that span several runs are
  /// left out, because splitting them would change the order of the text.
  private mutating func text(of run: Document.Run, breaks: Bool) {
    var position = run.start
    var ends: [(end: UInt32, name: StaticString)] = []
    for isolate in document.isolates(within: run) {
      while let last = ends.last, last.end <= isolate.start {
        text(from: position, to: last.end, breaks: breaks)
        add("</\(last.name)>")
        position = last.end
        ends.removeLast()
      }
      text(from: position, to: isolate.start, breaks: breaks)
      position = isolate.start
      let name: StaticString = isolate.isOverride && isolate.direction != nil ? "bdo" : "bdi"
      add("<\(name)")
      if let direction = isolate.direction { attribute("dir", direction.rawValue) }
      add(">")
      ends.append((isolate.end, name))
    }
    while let last = ends.popLast() {
      text(from: position, to: last.end, breaks: breaks)
      add("</\(last.name)>")
      position = last.end
    }
    text(from: position, to: run.end, breaks: breaks)
  }

  /// Writes a range of the text with the targets of fragments before and in it.
  private mutating func text(from start: UInt32, to end: UInt32, breaks: Bool) {
    var position = start
    while idCount < targets.ids.count, targets.ids[idCount].offset < end {
      let offset = max(position, targets.ids[idCount].offset)
      text(document.text[Int(position)..<Int(offset)], breaks: breaks)
      position = offset
      addID("span")
    }
    text(document.text[Int(position)..<Int(end)], breaks: breaks)
  }

  /// Writes the targets of fragments before an offset.
  private mutating func ids(before end: UInt32) {
    while idCount < targets.ids.count, targets.ids[idCount].offset < end { addID("span") }
  }

  /// Writes the targets of fragments after the last text.
  private mutating func endIDs() {
    while idCount < targets.ids.count {
      addID("div")
      add("\n")
    }
  }

  /// Writes an empty element with the next ID.
  private mutating func addID(_ name: StaticString) {
    add("<\(name)")
    attribute("id", targets.ids[idCount].id)
    add("></\(name)>")
    idCount += 1
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

  private mutating func image(_ run: Document.Run) {
    let image = document.images[Int(run.image)]
    let source = targets.image(Int(run.image))
    let alternative = image.alternative ?? label(of: run, image)
    if isXML || isSelfContained, source == nil {
      // The schema requires a source, and browsers show a broken image without one.
      return text(Array((alternative ?? "").utf8)[...])
    }
    add("<img")
    if let source { attribute("src", source) }
    if let alternative = isXML ? alternative ?? "" : alternative { attribute("alt", alternative) }
    size(of: image)
    add(isXML ? "/>" : ">")
  }

  /// Returns the label of an image without alternative text, unless it is derived from its file
  /// name.
  private func label(of run: Document.Run, _ image: Document.Image) -> String? {
    let label = document.text(of: run)
    return label == image.name ? nil : label
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
  /// Returns the content of `body` as semantic XHTML in UTF-8.
  package func semanticXHTML(_ targets: DocumentTargets) -> [UInt8] {
    var writer = DocumentHTML(self, targets, isXML: true)
    let body = writer.fragment(0..<blocks.count)
    guard !body.isValidXML else { return body }
    // Remove two characters that XML does not allow.
    return Array(
      String(decoding: body, as: UTF8.self)
        .unicodeScalars.filter { $0.value != 0xFFFE && $0.value != 0xFFFF }.map(String.init)
        .joined().utf8)
  }

  /// Returns the document as semantic HTML in UTF-8.
  /// - Parameters:
  ///   - targets: The URLs of links and images.
  ///   - isSelfContained: Whether the page must not load anything; then images without a source are
  ///     replaced by their alternative text.
  ///   - origin: The origin to name in the page; nil for none.
  /// - Returns: The page.
  package func semanticHTML(
    _ targets: DocumentTargets, isSelfContained: Bool = false, origin: PageOrigin? = nil
  ) -> [UInt8] {
    var writer = DocumentHTML(self, targets, isSelfContained: isSelfContained)
    return writer.page(origin)
  }
}

extension Document {
  /// Returns the isolates within a run, outer ones before inner ones.
  fileprivate func isolates(within run: Run) -> [Isolate] {
    let first = isolates.partitioningIndex { $0.end > run.start }
    // Isolates are ordered by their ends.
    return isolates[first...].prefix { $0.end <= run.end }.filter { $0.start >= run.start }
      .sorted { ($0.start, $1.end) < ($1.start, $0.end) }
  }
}

extension [UInt8] {
  /// Whether UTF-8 without control characters contains neither U+FFFE nor U+FFFF.
  fileprivate var isValidXML: Bool {
    for index in indices.dropLast(2) where self[index] == 0xEF && self[index + 1] == 0xBF {
      if self[index + 2] >= 0xBE { return false }
    }
    return true
  }
}

/// The state of a list that is being written.
private struct OpenList {
  var isTight = true
  /// Whether its items are numbered.
  var isOrdered = false
  /// Whether any of its items has a marker.
  var hasMarkers = false
  /// The expected number of the next item.
  var next: Int32 = 1
  var step: Int32 = 1
  var style = NumberStyle.decimal

  init(_ document: Document, _ list: Int) {
    var count = 0
    var item = list + 1
    while item < Int(document.blocks[list].end), count < 2 {
      switch document.blocks[item].kind {
      case .item(.bullet):
        hasMarkers = true
        return
      case .item(.number(let value, let style)):
        if count == 0 {
          (isOrdered, hasMarkers, next, self.style) = (true, true, value, style)
        } else if value == next &- 1 {
          step = -1
        }
        count += 1
      default: break
      }
      item = Int(document.blocks[item].end)
    }
  }
}

extension NumberStyle {
  /// The value of the `type` attribute.
  fileprivate var type: String {
    switch self {
    case .decimal: "1"
    case .lowerAlpha: "a"
    case .upperAlpha: "A"
    case .lowerRoman: "i"
    case .upperRoman: "I"
    }
  }
}
