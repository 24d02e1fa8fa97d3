import DOM
import Algorithms
package import Document

/// Writes a document as semantic HTML: without scripts and style sheets, and with only the
/// attributes that carry meaning.
struct DocumentHTMLWriter {
  private let document: Document
  private let targets: ExportTargets
  /// Whether the output is XHTML that conforms to the schema of EPUB.
  private let isXML: Bool
  /// Whether the output loads nothing: an image without a source is replaced by its alternative
  /// text.
  private let isSelfContained: Bool
  /// The open lists.
  private var openLists: [OpenListState] = []
  /// The current part of each open table.
  private var openTableParts: [TablePart] = []
  private var output: [UInt8] = []
  /// The number of targets of fragments that are written.
  private var writtenIDCount = 0

  /// The text styles and their elements, outermost first.
  private static let styleElements: [(InlineStyle, StaticString)] = [
    (.deleted, "del"), (.inserted, "ins"), (.marked, "mark"), (.strong, "strong"),
    (.emphasis, "em"), (.underlined, "u"), (.small, "small"), (.subscript, "sub"),
    (.superscript, "sup"), (.keyboard, "kbd"), (.code, "code"),
  ]

  private enum TablePart { case caption, head, body }

  init(
    _ document: Document, _ targets: ExportTargets, isXML: Bool = false,
    isSelfContained: Bool = false
  ) {
    self.document = document
    self.targets = targets
    self.isXML = isXML
    self.isSelfContained = isSelfContained
    output.reserveCapacity(document.text.count * 2)
  }

  /// Writes a complete page, with the origin of an exported one.
  mutating func writePage(_ origin: PageSource? = nil) -> [UInt8] {
    writeMarkup("<!DOCTYPE html>\n")
    if let origin { writeMarkup("<!-- \(origin.comment) -->\n") }
    writeMarkup("<html")
    if !document.language.isEmpty { writeAttribute("lang", document.language) }
    if let direction = document.direction { writeAttribute("dir", direction.rawValue) }
    writeMarkup(">\n<head>\n<meta charset=\"utf-8\">\n")
    if isSelfContained { writeMarkup(Self.policy) }
    if let origin {
      writeMarkup("<link rel=\"canonical\"")
      writeAttribute("href", origin.url)
      writeMarkup(">\n")
    }
    writeMarkup("<title>")
    writeEscaped(Array(document.title.utf8)[...])
    writeMarkup("</title>\n</head>\n<body>\n")
    writeBlocks(0..<document.blocks.count)
    writeRemainingIDs()
    writeMarkup("</body>\n</html>\n")
    return output
  }

  /// A content security policy that makes browsers load nothing else (CSP Level 3).
  private static let policy =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    + "img-src data:; style-src 'unsafe-inline'\">\n"

  /// Writes a range of blocks, without the elements of a page around them.
  mutating func writeFragment(_ range: Range<Int>) -> [UInt8] {
    writeBlocks(range)
    writeRemainingIDs()
    return output
  }

  private mutating func writeBlocks(_ range: Range<Int>) {
    var open: [Int] = []
    for index in range {
      while let last = open.last, Int(document.blocks[last].end) <= index {
        open.removeLast()
        writeEnd(last, in: open.last)
      }
      writeStart(index, in: open.last)
      open.append(index)
    }
    while let last = open.popLast() { writeEnd(last, in: open.last) }
  }

  // MARK: Blocks

  /// Returns whether a block is the summary of a disclosure widget.
  private func isSummary(_ index: Int) -> Bool {
    guard index > 0, case .details = document.blocks[index - 1].kind else { return false }
    return true
  }

  private mutating func writeStart(_ index: Int, in parent: Int?) {
    let block = document.blocks[index]
    if isSummary(index) { writeMarkup("<summary>") }
    switch block.kind {
    case .paragraph, .image:
      writeLeaf(leafElementName(index, in: parent), block)
      writeImages(below: index)
    case .heading(let level):
      writeLeaf("h\(level)", block)
      writeImages(below: index)
    case .preformatted(let language):
      writeMarkup("<pre")
      writeLocaleAttributes(block)
      if let size = document.tabSizes[block.runs.lowerBound] {
        writeAttribute("style", "tab-size: \(size)")
      }
      writeMarkup("><code")
      let language = document.codeLanguage(language)
      if !language.isEmpty { writeAttribute("class", "language-" + language) }
      writeMarkup(">")
      // The parser ignores a line break directly after `<pre>`.
      if let run = document.runs(of: block).first, document.text[Int(run.start)] == 0x0A {
        writeMarkup("\n")
      }
      writeRuns(block)
      writeMarkup("</code></pre>\n")
    case .rule: writeMarkup(isXML ? "<hr/>\n" : "<hr>\n")
    case .term: writeLeaf(conformsToSchema(parent) ? "dt" : "p", block)
    case .list: beginList(index)
    case .item(let marker): beginItem(marker)
    case .definitionList: writeMarkup(conformsToSchema(index) ? "<dl>\n" : "<div>\n")
    case .definition: writeMarkup(conformsToSchema(parent) ? "<dd>" : "<div>")
    case .quote: writeMarkup("<blockquote>\n")
    case .figure: writeMarkup("<figure>\n")
    case .caption: writeMarkup("<\(captionElementName(for: index, in: parent))>")
    case .table:
      // A nested table is read as a data table again only if it has a border.
      writeMarkup(!isXML && containsTable(index) ? "<table border=\"1\">\n" : "<table>\n")
      openTableParts.append(.caption)
    case .row(let isHeader): beginRow(index, isHeader: isHeader)
    case .cell(let isHeader, let columns, let rows, let alignment):
      writeMarkup(isHeader && mayBeHeader(index) ? "<th" : "<td")
      if columns > 1 { writeAttribute("colspan", String(columns)) }
      if rows > 1 { writeAttribute("rowspan", String(rows)) }
      if alignment != .unset {
        writeAttribute(
          isXML ? "style" : "align", isXML ? "text-align: \(alignment)" : "\(alignment)")
      }
      writeMarkup(">")
    case .details(let isOpen):
      writeMarkup("<details" + (isOpen ? isXML ? " open=\"open\"" : " open" : "") + ">\n")
    }
  }

  private mutating func writeEnd(_ index: Int, in parent: Int?) {
    switch document.blocks[index].kind {
    case .list: writeMarkup(openLists.popLast()?.isOrdered == true ? "</ol>\n" : "</ul>\n")
    case .item: writeMarkup("</li>\n")
    case .definitionList: writeMarkup(conformsToSchema(index) ? "</dl>\n" : "</div>\n")
    case .definition: writeMarkup(conformsToSchema(parent) ? "</dd>\n" : "</div>\n")
    case .quote: writeMarkup("</blockquote>\n")
    case .figure: writeMarkup("</figure>\n")
    case .caption: writeMarkup("</\(captionElementName(for: index, in: parent))>\n")
    case .table:
      writeMarkup(openTableParts.popLast() == .head ? "</thead>\n</table>\n" : "</table>\n")
    case .row: writeMarkup("</tr>\n")
    case .cell(let isHeader, _, _, _):
      writeMarkup(isHeader && mayBeHeader(index) ? "</th>" : "</td>")
    case .details: writeMarkup("</details>\n")
    case .paragraph, .heading, .preformatted, .rule, .image, .term: break
    }
    if isSummary(index) { writeMarkup("</summary>\n") }
  }

  /// Returns whether a definition list conforms to the schema: terms, each followed by definitions.
  /// In HTML every list is accepted.
  private func conformsToSchema(_ listIndex: Int?) -> Bool {
    guard isXML else { return true }
    guard let listIndex, document.blocks[listIndex].kind == .definitionList else { return false }
    var last: Document.Block.Kind?
    var child = listIndex + 1
    while child < Int(document.blocks[listIndex].end) {
      let kind = document.blocks[child].kind
      guard kind == .term || kind == .definition && last != nil else { return false }
      last = kind
      child = Int(document.blocks[child].end)
    }
    return last == .definition
  }

  /// Returns whether the schema allows a cell to be a header: it must not contain headings.
  private func mayBeHeader(_ cellIndex: Int) -> Bool {
    !isXML
      || !document.blocks[cellIndex..<Int(document.blocks[cellIndex].end)].contains {
        if case .heading = $0.kind { true } else { false }
      }
  }

  /// Returns the element of a paragraph or image; empty for the only content of a table cell.
  private func leafElementName(_ index: Int, in parent: Int?) -> String {
    let next = document.blocks[index].end
    let isClose =
      document.blocks[index].hasNoSpaceAbove
      || Int(next) < document.blocks.count && document.blocks[Int(next)].hasNoSpaceAbove
    let name = isClose ? "div" : "p"
    guard let parent, !isSummary(index) else { return parent == nil ? name : "" }
    let isAlone = index == parent + 1 && document.blocks[index].end == document.blocks[parent].end
    switch document.blocks[parent].kind {
    case .cell, .definition, .caption: return isAlone ? "" : name
    case .item:
      guard openLists.last?.isTight == true else { return isAlone ? "" : name }
      // Paragraphs would make the list loose.
      return index == parent + 1 && !isLeaf(index + 1, in: parent) ? "" : "div"
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

  private func containsTable(_ tableIndex: Int) -> Bool {
    document.blocks[(tableIndex + 1)..<Int(document.blocks[tableIndex].end)].contains {
      $0.kind == .table
    }
  }

  /// Begins a row. In the schema a table has at most one `thead`, which comes first.
  private mutating func beginRow(_ index: Int, isHeader: Bool) {
    if let part = openTableParts.popLast() {
      let isFirst = part == .caption
      let mayBeHead = isFirst ? document.headerIsGroup(from: index) : part == .head || !isXML
      let isHead = isHeader && mayBeHead
      if isHead, part != .head { writeMarkup("<thead>\n") }
      if !isHead, part == .head { writeMarkup("</thead>\n") }
      openTableParts.append(isHead ? .head : .body)
    }
    writeMarkup("<tr>")
  }

  /// Begins a list. Its numbering is determined from its first items.
  private mutating func beginList(_ index: Int) {
    var list = OpenListState(document, index)
    if case .list(let isTight) = document.blocks[index].kind { list.isTight = isTight }
    writeMarkup(list.isOrdered ? "<ol" : "<ul")
    if !list.hasMarkers { writeAttribute("style", "list-style: none") }
    if list.style != .decimal { writeAttribute(list.style.htmlAttribute) }
    if list.step < 0 { writeMarkup(isXML ? " reversed=\"reversed\"" : " reversed") }
    if list.nextNumber != 1 || list.step < 0 { writeAttribute("start", String(list.nextNumber)) }
    writeMarkup(">\n")
    openLists.append(list)
  }

  /// Begins an item, with its number unless it follows from the previous one.
  private mutating func beginItem(_ marker: Document.Marker) {
    writeMarkup("<li")
    if var list = openLists.popLast() {
      switch marker {
      case .number(let value, let style) where list.isOrdered:
        if value != list.nextNumber { writeAttribute("value", String(value)) }
        if style != list.style, !isXML { writeAttribute(style.htmlAttribute) }
        list.nextNumber = value &+ list.step
      case .number(let value, let style):
        writeAttribute("style", "list-style: \(style.cssName)")
        if value != list.nextNumber, !isXML { writeAttribute("value", String(value)) }
        list.nextNumber = value &+ 1
      case .bullet:
        if list.isOrdered { writeAttribute("style", "list-style: disc") }
        list.nextNumber &+= list.step
      case .text(let index):
        let text = document.markerTexts[Int(index)]
        writeAttribute("style", "list-style: '\(text.cssStringContent) '")
        list.nextNumber &+= list.step
      case .none where list.hasMarkers:
        writeAttribute("style", "list-style: none")
        list.nextNumber &+= list.step
      default: break
      }
      openLists.append(list)
    }
    writeMarkup(">")
  }

  /// Returns the name of the element of a caption. In the schema a figure has one caption, at its
  /// start or end.
  private func captionElementName(for captionIndex: Int, in parent: Int?) -> String {
    if let parent, document.blocks[parent].kind == .table { return "caption" }
    guard isXML else { return "figcaption" }
    guard let parent, document.blocks[parent].kind == .figure else { return "div" }
    let isFirst = captionIndex == parent + 1
    let isLast =
      document.blocks[captionIndex].end == document.blocks[parent].end
      && document.blocks[parent + 1].kind != .caption
    return isFirst || isLast ? "figcaption" : "div"
  }

  private mutating func writeLeaf(_ name: String, _ block: Document.Block) {
    // The language and direction need an element.
    let name = name.isEmpty && differingLocale(block) != nil ? "div" : name
    if !name.isEmpty {
      writeMarkup("<\(name)")
      writeLocaleAttributes(block)
      writeMarkup(">")
    }
    writeRuns(block)
    if !name.isEmpty { writeMarkup("</\(name)>\n") }
  }

  /// Writes the images below a leaf, which have empty alternative text because the leaf contains
  /// their text.
  private mutating func writeImages(below leafIndex: Int) {
    guard !isSummary(leafIndex) else { return }
    for below in document.images(below: Int32(leafIndex)) {
      let index = Int(below.image)
      guard let source = targets.imageURL(index) else { continue }
      writeMarkup("<div><img")
      writeAttribute("src", source)
      writeAttribute("alt", "")
      writeSizeAttributes(of: document.images[index])
      writeMarkup(isXML ? "/></div>\n" : "></div>\n")
    }
  }

  private mutating func writeSizeAttributes(of image: Document.Image) {
    if image.width > 0 { writeAttribute("width", String(image.width)) }
    if image.height > 0 { writeAttribute("height", String(image.height)) }
  }

  /// Returns the language and direction of a block if they differ from those of the page; nil
  /// otherwise.
  private func differingLocale(_ block: Document.Block) -> Document.Locale? {
    guard !document.locales.isEmpty, let run = document.runs(of: block).first else { return nil }
    let locale = document.locale(at: run.start)
    let isSame = locale.language == document.language && locale.direction == document.direction
    return isSame ? nil : locale
  }

  private mutating func writeLocaleAttributes(_ block: Document.Block) {
    guard let locale = differingLocale(block) else { return }
    if locale.language != document.language { writeAttribute("lang", locale.language) }
    if locale.direction != document.direction {
      writeAttribute("dir", locale.direction?.rawValue ?? "auto")
    }
  }

  // MARK: Text

  private mutating func writeRuns(_ block: Document.Block) {
    var link: OptionalIndex = nil
    var image: OptionalIndex = nil
    var openStyles: [(style: InlineStyle, name: StaticString)] = []
    var previous: Document.Run?
    for run in document.runs(of: block) {
      // Preformatted text is in a `code` element already.
      let style = isPreformatted(block) ? run.style.subtracting(.code) : run.style
      // Equal runs are in different superscripts or subscripts.
      let isSeparateRun =
        previous?.style == run.style && previous?.link == run.link && previous?.image.value == nil
        && run.image == nil && !run.style.isDisjoint(with: [.subscript, .superscript])
      let continues = run.link == link && !isSeparateRun
      let keptCount = continues ? openStyles.prefix { style.contains($0.style) }.count : 0
      previous = run
      while openStyles.count > keptCount, let last = openStyles.popLast() {
        writeMarkup("</\(last.name)>")
      }
      if run.link != link {
        if link != nil { writeMarkup("</a>") }
        link = run.link
        if let index = link.value, !writeLinkStart(index) { link = nil }
      }
      for (added, name) in Self.styleElements
      where style.contains(added) && !openStyles.contains(where: { $0.style == added }) {
        writeMarkup("<\(name)>")
        openStyles.append((added, name))
      }
      if run.image == nil {
        writeText(of: run, writesLineBreaks: !isPreformatted(block))
      } else if let index = run.image.value, run.image != image {
        writeIDs(before: run.end)
        self.writeImage(index, of: run)
      }
      image = run.image
    }
    while let last = openStyles.popLast() { writeMarkup("</\(last.name)>") }
    if link != nil { writeMarkup("</a>") }
  }

  /// Writes the text of a run with its bidirectional isolates. Isolates that span several runs are
  /// left out, because splitting them would change the order of the text.
  private mutating func writeText(of run: Document.Run, writesLineBreaks: Bool) {
    var position = run.start
    var ends: [(end: UInt32, name: StaticString)] = []
    for isolate in document.isolates(within: run) {
      while let last = ends.last, last.end <= isolate.start {
        writeText(from: position, to: last.end, writesLineBreaks: writesLineBreaks)
        writeMarkup("</\(last.name)>")
        position = last.end
        ends.removeLast()
      }
      writeText(from: position, to: isolate.start, writesLineBreaks: writesLineBreaks)
      position = isolate.start
      let name: StaticString = isolate.isOverride && isolate.direction != nil ? "bdo" : "bdi"
      writeMarkup("<\(name)")
      if let direction = isolate.direction { writeAttribute("dir", direction.rawValue) }
      writeMarkup(">")
      ends.append((isolate.end, name))
    }
    while let last = ends.popLast() {
      writeText(from: position, to: last.end, writesLineBreaks: writesLineBreaks)
      writeMarkup("</\(last.name)>")
      position = last.end
    }
    writeText(from: position, to: run.end, writesLineBreaks: writesLineBreaks)
  }

  /// Writes a range of the text with the targets of fragments before and in it.
  private mutating func writeText(from start: UInt32, to end: UInt32, writesLineBreaks: Bool) {
    var position = start
    while writtenIDCount < targets.idTargets.count, targets.idTargets[writtenIDCount].offset < end {
      let offset = max(position, targets.idTargets[writtenIDCount].offset)
      writeEscaped(document.text[Int(position)..<Int(offset)], writesLineBreaks: writesLineBreaks)
      position = offset
      writeNextID("span")
    }
    writeEscaped(document.text[Int(position)..<Int(end)], writesLineBreaks: writesLineBreaks)
  }

  /// Writes the targets of fragments before an offset.
  private mutating func writeIDs(before end: UInt32) {
    while writtenIDCount < targets.idTargets.count, targets.idTargets[writtenIDCount].offset < end {
      writeNextID("span")
    }
  }

  /// Writes the targets of fragments after the last text.
  private mutating func writeRemainingIDs() {
    while writtenIDCount < targets.idTargets.count {
      writeNextID("div")
      writeMarkup("\n")
    }
  }

  /// Writes an empty element with the next ID.
  private mutating func writeNextID(_ name: StaticString) {
    writeMarkup("<\(name)")
    writeAttribute("id", targets.idTargets[writtenIDCount].id)
    writeMarkup("></\(name)>")
    writtenIDCount += 1
  }

  private func isPreformatted(_ block: Document.Block) -> Bool {
    if case .preformatted = block.kind { true } else { false }
  }

  private mutating func writeLinkStart(_ index: Int) -> Bool {
    guard let url = targets.linkURL(index) else { return false }
    writeMarkup("<a")
    writeAttribute("href", url)
    if !document.links[index].title.isEmpty { writeAttribute("title", document.links[index].title) }
    writeMarkup(">")
    return true
  }

  private mutating func writeImage(_ index: Int, of run: Document.Run) {
    let image = document.images[index]
    let source = targets.imageURL(index)
    let alternative = image.alternativeText ?? imageLabel(of: run, image)
    if isXML || isSelfContained, source == nil {
      // The schema requires a source, and browsers show a broken image without one.
      return writeEscaped(Array((alternative ?? "").utf8)[...])
    }
    writeMarkup("<img")
    if let source { writeAttribute("src", source) }
    if let alternative = isXML ? alternative ?? "" : alternative {
      writeAttribute("alt", alternative)
    }
    writeSizeAttributes(of: image)
    writeMarkup(isXML ? "/>" : ">")
  }

  /// Returns the label of an image without alternative text; nil if the label is derived from the
  /// file name of the image.
  private func imageLabel(of run: Document.Run, _ image: Document.Image) -> String? {
    let label = document.text(of: run)
    return label == image.displayName ? nil : label
  }

  private mutating func writeAttribute(_ name: StaticString, _ value: String) {
    writeMarkup(" \(name)=\"")
    writeEscaped(Array(value.utf8)[...])
    writeMarkup("\"")
  }

  private mutating func writeAttribute(_ attribute: (name: StaticString, value: String)) {
    writeAttribute(attribute.name, attribute.value)
  }

  private mutating func writeEscaped(_ bytes: ArraySlice<UInt8>, writesLineBreaks: Bool = false) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "&"): writeMarkup("&amp;")
      case UInt8(ascii: "<"): writeMarkup("&lt;")
      case UInt8(ascii: ">"): writeMarkup("&gt;")
      case UInt8(ascii: "\""): writeMarkup("&quot;")
      case 0x0A where writesLineBreaks: writeMarkup(isXML ? "<br/>\n" : "<br>\n")
      default: output.append(byte)
      }
    }
  }

  private mutating func writeMarkup(_ text: String) {
    output.append(contentsOf: text.utf8)
  }
}

extension Document {
  /// Returns the content of `body` as semantic XHTML in UTF-8.
  package func semanticXHTML(_ targets: ExportTargets) -> [UInt8] {
    var writer = DocumentHTMLWriter(self, targets, isXML: true)
    let body = writer.writeFragment(0..<blocks.count)
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
    _ targets: ExportTargets, isSelfContained: Bool = false, origin: PageSource? = nil
  ) -> [UInt8] {
    var writer = DocumentHTMLWriter(self, targets, isSelfContained: isSelfContained)
    return writer.writePage(origin)
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
private struct OpenListState {
  var isTight = true
  /// Whether the items of the list are numbered.
  var isOrdered = false
  /// Whether any item of the list has a marker.
  var hasMarkers = false
  /// The expected number of the next item.
  var nextNumber: Int32 = 1
  /// The difference between the numbers of consecutive items.
  var step: Int32 = 1
  var style = NumberStyle.decimal

  init(_ document: Document, _ listIndex: Int) {
    var count = 0
    var item = listIndex + 1
    while item < Int(document.blocks[listIndex].end), count < 2 {
      switch document.blocks[item].kind {
      case .item(.bullet), .item(.text):
        hasMarkers = true
        return
      case .item(.number(let value, let style)):
        if count == 0 {
          (isOrdered, hasMarkers, nextNumber, self.style) = (true, true, value, style)
        } else if value == nextNumber &- 1 {
          step = -1
        }
        count += 1
      default: break
      }
      item = Int(document.blocks[item].end)
    }
  }
}
