package import Document
import DOM

/// Writes a document as JSON: its text and its structure.
///
/// Positions are given by `offset` and `length` in `text`, in Unicode code points. Each leaf of the
/// tree is a line of `text`, or several if it contains line breaks.
struct DocumentJSON {
  private let document: Document
  private let url: String
  private let targets: DocumentTargets
  private var output: [UInt8] = []
  /// Whether the innermost array or object has a member already.
  private var hasMember = false
  /// The number of code points before the text of each block, and the concatenated text.
  private var offsets: [Int] = []
  private var text: [UInt8] = []

  init(_ document: Document, url: String, _ targets: DocumentTargets) {
    (self.document, self.url) = (document, url)
    self.targets = targets
    layOutText()
  }

  mutating func page() -> [UInt8] {
    object { writer in
      writer.member("url", writer.url)
      writer.member("title", writer.document.title)
      if let reader = writer.document.reader {
        writer.member("byline", reader.metadata.byline)
        writer.member("date", reader.metadata.date)
        writer.member("site", reader.metadata.site)
        writer.member("words", reader.wordCount)
        if let note = reader.notice { writer.member("note", note) }
      }
      writer.member("language", writer.document.language)
      writer.member("direction", writer.document.direction?.rawValue ?? "")
      writer.member("encoding", writer.document.encoding)
      writer.member("mainContent", writer.document.mainContent)
      writer.key("text")
      writer.string(writer.text[...])
      writer.list("headings") { $0.headings() }
      writer.list("links") { $0.links() }
      writer.list("images") { $0.images() }
      writer.list("anchors") { $0.anchors() }
      writer.list("blocks") { $0.blocks() }
    }
    output.append(0x0A)
    return output
  }

  /// Writes each leaf to a line of `text`, and records the offsets.
  private mutating func layOutText() {
    var count = 0
    for block in document.blocks {
      offsets.append(count)
      guard let first = block.runs.first, let last = block.runs.last else { continue }
      let bytes = document.text[
        Int(document.runs[Int(first)].start)..<Int(document.runs[Int(last)].end)]
      text.append(contentsOf: bytes)
      text.append(0x0A)
      count += bytes.codePoints + 1
    }
  }

  // MARK: Headings, links, images and anchors

  private mutating func headings() {
    for (index, block) in document.blocks.enumerated() {
      guard case .heading(let level) = block.kind else { continue }
      object { writer in
        writer.member("level", Int(level))
        writer.member("text", writer.document.text(of: block))
        writer.member("offset", writer.offsets[index])
      }
    }
  }

  private mutating func links() {
    var positions: [Int32: (offset: Int, length: Int)] = [:]
    forEachRun { run, offset, length in
      guard run.link >= 0 else { return }
      if let first = positions[run.link] {
        positions[run.link] = (first.offset, offset + length - first.offset)
      } else {
        positions[run.link] = (offset, length)
      }
    }
    for (index, link) in document.links.enumerated() {
      object { writer in
        writer.member("url", writer.targets.link(index) ?? link.target)
        if !link.title.isEmpty { writer.member("title", link.title) }
        if link.kind != .anchor { writer.member("kind", "\(link.kind)") }
        if let position = positions[Int32(index)] {
          writer.member("offset", position.offset)
          writer.member("length", position.length)
        }
      }
    }
  }

  private mutating func images() {
    for (index, image) in document.images.enumerated() {
      object { writer in
        writer.member("url", writer.targets.image(index) ?? image.source)
        if let alternative = image.alternative { writer.member("alternative", alternative) }
        if image.width > 0 { writer.member("width", Int(image.width)) }
        if image.height > 0 { writer.member("height", Int(image.height)) }
      }
    }
  }

  private mutating func anchors() {
    let anchors = document.anchors.sorted { $0.offset < $1.offset }
    var index = 0
    func add(upTo byte: UInt32, _ start: UInt32, _ offset: Int, _ writer: inout DocumentJSON) {
      while index < anchors.count, anchors[index].offset < byte {
        let anchor = anchors[index]
        let before = anchor.offset > start ? writer.document.codePoints(start..<anchor.offset) : 0
        writer.object {
          $0.member("name", anchor.name)
          $0.member("offset", offset + before)
        }
        index += 1
      }
    }
    for (position, block) in document.blocks.enumerated() {
      guard let first = block.runs.first, let last = block.runs.last else { continue }
      let range = document.runs[Int(first)].start..<document.runs[Int(last)].end
      add(upTo: range.upperBound, range.lowerBound, offsets[position], &self)
    }
    add(upTo: .max, .max, text[...].codePoints, &self)
  }

  // MARK: The tree

  private mutating func blocks() {
    var open: [Int32] = []
    for (index, block) in document.blocks.enumerated() {
      while let end = open.last, end <= index {
        open.removeLast()
        close("]}")
      }
      separate()
      output.append(UInt8(ascii: "{"))
      hasMember = false
      describe(block.kind)
      if !block.runs.isEmpty {
        member("offset", offsets[index])
        member("length", document.text(of: block).unicodeScalars.count)
        locale(of: block)
        list("runs") { $0.runs(of: index) }
      }
      if block.end > index + 1 {
        key("children")
        output.append(UInt8(ascii: "["))
        hasMember = false
        open.append(block.end)
      } else {
        close("}")
      }
    }
    for _ in open { close("]}") }
  }

  /// Writes the language and direction of a block if they differ from those of the page.
  private mutating func locale(of block: Document.Block) {
    guard !document.locales.isEmpty, let run = document.runs(of: block).first else { return }
    let locale = document.locale(at: run.start)
    if locale.language != document.language { member("lang", locale.language) }
    if locale.direction != document.direction {
      member("direction", locale.direction?.rawValue ?? "auto")
    }
  }

  private mutating func close(_ brackets: StaticString) {
    output.append(brackets)
    hasMember = true
  }

  private mutating func runs(of block: Int) {
    var offset = offsets[block]
    for run in document.runs(of: document.blocks[block]) {
      let length = document.codePoints(run.start..<run.end)
      object { writer in
        writer.member("offset", offset)
        writer.member("length", length)
        writer.list("styles") { writer in
          for name in run.style.names {
            writer.separate()
            writer.string(Array(name.utf8)[...])
          }
        }
        if run.link >= 0 { writer.member("link", Int(run.link)) }
        if run.image >= 0 { writer.member("image", Int(run.image)) }
      }
      offset += length
    }
  }

  private mutating func describe(_ kind: Document.Block.Kind) {
    func name(_ name: String) { member("kind", name) }
    switch kind {
    case .paragraph: name("paragraph")
    case .heading(let level):
      name("heading")
      member("level", Int(level))
    case .preformatted(let language):
      name("preformatted")
      let language = document.codeLanguage(language)
      if !language.isEmpty { member("language", language) }
    case .rule: name("rule")
    case .image(let image):
      name("image")
      member("image", Int(image))
    case .list(let isTight):
      name("list")
      member("tight", isTight)
    case .item(let marker):
      name("item")
      if case .number(let value, let style) = marker {
        member("number", Int(value))
        if style != .decimal { member("style", "\(style)") }
      }
      if marker == .none { member("marker", false) }
    case .definitionList: name("definitionList")
    case .term: name("term")
    case .definition: name("definition")
    case .quote: name("quote")
    case .figure: name("figure")
    case .caption: name("caption")
    case .table: name("table")
    case .row(let isHeader):
      name("row")
      if isHeader { member("header", true) }
    case .cell(let isHeader, let columns, let rows, let alignment):
      name("cell")
      if isHeader { member("header", true) }
      if columns > 1 { member("columns", Int(columns)) }
      if rows > 1 { member("rows", Int(rows)) }
      if alignment != .unset { member("align", "\(alignment)") }
    case .details(let isOpen):
      name("details")
      member("open", isOpen)
    }
  }

  private func forEachRun(_ body: (Document.Run, _ offset: Int, _ length: Int) -> Void) {
    for (index, block) in document.blocks.enumerated() {
      var offset = offsets[index]
      for run in document.runs(of: block) {
        let length = document.codePoints(run.start..<run.end)
        body(run, offset, length)
        offset += length
      }
    }
  }

  // MARK: JSON (RFC 8259)

  private mutating func object(_ members: (inout DocumentJSON) -> Void) {
    separate()
    output.append(UInt8(ascii: "{"))
    hasMember = false
    members(&self)
    output.append(UInt8(ascii: "}"))
    hasMember = true
  }

  private mutating func list(_ name: String, _ values: (inout DocumentJSON) -> Void) {
    key(name)
    output.append(UInt8(ascii: "["))
    hasMember = false
    values(&self)
    output.append(UInt8(ascii: "]"))
    hasMember = true
  }

  private mutating func member(_ name: String, _ value: String) {
    key(name)
    string(Array(value.utf8)[...])
  }

  private mutating func member(_ name: String, _ value: Int) {
    key(name)
    output.append(contentsOf: String(value).utf8)
  }

  private mutating func member(_ name: String, _ value: Bool) {
    key(name)
    output.append(value ? "true" : "false")
  }

  private mutating func key(_ name: String) {
    separate()
    string(Array(name.utf8)[...])
    output.append(UInt8(ascii: ":"))
  }

  private mutating func separate() {
    if hasMember { output.append(UInt8(ascii: ",")) }
    hasMember = true
  }

  private mutating func string(_ bytes: ArraySlice<UInt8>) {
    output.append(UInt8(ascii: "\""))
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""): output.append("\\\"")
      case UInt8(ascii: "\\"): output.append("\\\\")
      case 0x0A: output.append("\\n")
      case 0x09: output.append("\\t")
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        output.append("\\u00")
        output.append(digits[Int(byte >> 4)])
        output.append(digits[Int(byte & 15)])
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}

extension Document {
  /// Returns the document as JSON in UTF-8; see offread-dump(1) for its members.
  /// - Parameters:
  ///   - url: The URL of the page, even if the page declares another one.
  ///   - targets: The URLs of links and images.
  /// - Returns: The JSON, with a line feed at its end.
  package func json(url: String, _ targets: DocumentTargets) -> [UInt8] {
    var writer = DocumentJSON(self, url: url, targets)
    return writer.page()
  }

  fileprivate func codePoints(_ range: Range<UInt32>) -> Int {
    text[Int(range.lowerBound)..<Int(range.upperBound)].codePoints
  }
}

extension ArraySlice<UInt8> {
  /// The number of code points in UTF-8 text.
  fileprivate var codePoints: Int { reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) } }
}
