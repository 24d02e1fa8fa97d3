package import Document
import DOM

/// Writes a document as JSON: its text and its structure.
///
/// Positions are given by `offset` and `length` in `text`, in Unicode code points. Each leaf of the
/// tree is a line of `text`, or several if it contains line breaks.
struct DocumentJSONWriter {
  private let document: Document
  private let url: String
  private let targets: ExportTargets
  private var output: [UInt8] = []
  /// Whether the innermost array or object has a member already.
  private var hasPrecedingMember = false
  /// The number of code points before the text of each block.
  private var blockOffsets: [Int] = []
  /// The concatenated text of the leaves.
  private var concatenatedText: [UInt8] = []

  init(_ document: Document, url: String, _ targets: ExportTargets) {
    (self.document, self.url) = (document, url)
    self.targets = targets
    collectText()
  }

  mutating func writePage() -> [UInt8] {
    writeObject { writer in
      writer.writeMember("url", writer.url)
      writer.writeMember("title", writer.document.title)
      if let reader = writer.document.readerFacts {
        writer.writeMember("byline", reader.metadata.byline)
        writer.writeMember("date", reader.metadata.date)
        writer.writeMember("site", reader.metadata.siteName)
        writer.writeMember("words", reader.wordCount)
        if let note = reader.notice { writer.writeMember("note", note) }
      }
      writer.writeMember("language", writer.document.language)
      writer.writeMember("direction", writer.document.direction?.rawValue ?? "")
      writer.writeMember("encoding", writer.document.encodingName)
      writer.writeMember("mainContent", writer.document.mainContentBlock)
      writer.writeKey("text")
      writer.writeString(writer.concatenatedText[...])
      writer.writeArray("headings") { $0.writeHeadings() }
      writer.writeArray("links") { $0.writeLinks() }
      writer.writeArray("images") { $0.writeImages() }
      writer.writeArray("anchors") { $0.writeAnchors() }
      writer.writeArray("blocks") { $0.writeBlocks() }
    }
    output.append(0x0A)
    return output
  }

  /// Writes each leaf to a line of `concatenatedText`, and records the offsets.
  private mutating func collectText() {
    var count = 0
    for block in document.blocks {
      blockOffsets.append(count)
      guard let first = block.runs.first, let last = block.runs.last else { continue }
      let bytes = document.text[
        Int(document.runs[Int(first)].start)..<Int(document.runs[Int(last)].end)]
      concatenatedText.append(contentsOf: bytes)
      concatenatedText.append(0x0A)
      count += bytes.codePointCount + 1
    }
  }

  // MARK: Headings, links, images and anchors

  private mutating func writeHeadings() {
    for (index, block) in document.blocks.enumerated() {
      guard case .heading(let level) = block.kind else { continue }
      writeObject { writer in
        writer.writeMember("level", Int(level))
        writer.writeMember("text", writer.document.text(of: block))
        writer.writeMember("offset", writer.blockOffsets[index])
      }
    }
  }

  private mutating func writeLinks() {
    var positions: [Int: (offset: Int, length: Int)] = [:]
    forEachRun { run, offset, length in
      guard let link = run.link.value else { return }
      if let first = positions[link] {
        positions[link] = (first.offset, offset + length - first.offset)
      } else {
        positions[link] = (offset, length)
      }
    }
    for (index, link) in document.links.enumerated() {
      writeObject { writer in
        writer.writeMember("url", writer.targets.linkURL(index) ?? link.target)
        if !link.title.isEmpty { writer.writeMember("title", link.title) }
        if link.kind != .anchor { writer.writeMember("kind", "\(link.kind)") }
        if let position = positions[index] {
          writer.writeMember("offset", position.offset)
          writer.writeMember("length", position.length)
        }
      }
    }
  }

  private mutating func writeImages() {
    for (index, image) in document.images.enumerated() {
      writeObject { writer in
        writer.writeMember("url", writer.targets.imageURL(index) ?? image.source)
        if let alternative = image.alternativeText {
          writer.writeMember("alternative", alternative)
        }
        if image.width > 0 { writer.writeMember("width", Int(image.width)) }
        if image.height > 0 { writer.writeMember("height", Int(image.height)) }
      }
    }
  }

  private mutating func writeAnchors() {
    let anchors = document.anchors.sorted { $0.offset < $1.offset }
    var index = 0
    func add(upTo byte: UInt32, _ start: UInt32, _ offset: Int, _ writer: inout DocumentJSONWriter)
    {
      while index < anchors.count, anchors[index].offset < byte {
        let anchor = anchors[index]
        let before =
          anchor.offset > start ? writer.document.codePointCount(start..<anchor.offset) : 0
        writer.writeObject {
          $0.writeMember("name", anchor.name)
          $0.writeMember("offset", offset + before)
        }
        index += 1
      }
    }
    for (position, block) in document.blocks.enumerated() {
      guard let first = block.runs.first, let last = block.runs.last else { continue }
      let range = document.runs[Int(first)].start..<document.runs[Int(last)].end
      add(upTo: range.upperBound, range.lowerBound, blockOffsets[position], &self)
    }
    add(upTo: .max, .max, concatenatedText[...].codePointCount, &self)
  }

  // MARK: The tree

  private mutating func writeBlocks() {
    var openBlockEnds: [Int32] = []
    for (index, block) in document.blocks.enumerated() {
      while let end = openBlockEnds.last, end <= index {
        openBlockEnds.removeLast()
        writeClosing("]}")
      }
      writeSeparator()
      output.append(UInt8(ascii: "{"))
      hasPrecedingMember = false
      writeMembers(block.kind)
      if !block.runs.isEmpty {
        writeMember("offset", blockOffsets[index])
        writeMember("length", document.text(of: block).unicodeScalars.count)
        writeLocale(of: block)
        writeArray("runs") { $0.writeRuns(of: index) }
      }
      if block.end > index + 1 {
        writeKey("children")
        output.append(UInt8(ascii: "["))
        hasPrecedingMember = false
        openBlockEnds.append(block.end)
      } else {
        writeClosing("}")
      }
    }
    for _ in openBlockEnds { writeClosing("]}") }
  }

  /// Writes the language and direction of a block if they differ from those of the page.
  private mutating func writeLocale(of block: Document.Block) {
    guard !document.locales.isEmpty, let run = document.runs(of: block).first else { return }
    let locale = document.locale(at: run.start)
    if locale.language != document.language { writeMember("lang", locale.language) }
    if locale.direction != document.direction {
      writeMember("direction", locale.direction?.rawValue ?? "auto")
    }
  }

  private mutating func writeClosing(_ brackets: StaticString) {
    output.append(brackets)
    hasPrecedingMember = true
  }

  private mutating func writeRuns(of blockIndex: Int) {
    var offset = blockOffsets[blockIndex]
    for run in document.runs(of: document.blocks[blockIndex]) {
      let length = document.codePointCount(run.start..<run.end)
      writeObject { writer in
        writer.writeMember("offset", offset)
        writer.writeMember("length", length)
        writer.writeArray("styles") { writer in
          for name in run.style.names {
            writer.writeSeparator()
            writer.writeString(Array(name.utf8)[...])
          }
        }
        if let link = run.link.value { writer.writeMember("link", link) }
        if let image = run.image.value { writer.writeMember("image", image) }
      }
      offset += length
    }
  }

  private mutating func writeMembers(_ kind: Document.Block.Kind) {
    func name(_ name: String) { writeMember("kind", name) }
    switch kind {
    case .paragraph: name("paragraph")
    case .heading(let level):
      name("heading")
      writeMember("level", Int(level))
    case .preformatted(let language):
      name("preformatted")
      let language = document.codeLanguage(language)
      if !language.isEmpty { writeMember("language", language) }
    case .rule: name("rule")
    case .image(let image):
      name("image")
      writeMember("image", Int(image))
    case .list(let isTight):
      name("list")
      writeMember("tight", isTight)
    case .item(let marker):
      name("item")
      if case .number(let value, let style) = marker {
        writeMember("number", Int(value))
        if style != .decimal { writeMember("style", "\(style)") }
      }
      if case .text(let index) = marker {
        writeMember("marker", document.markerTexts[Int(index)])
      }
      if marker == .none { writeMember("marker", false) }
    case .definitionList: name("definitionList")
    case .term: name("term")
    case .definition: name("definition")
    case .quote: name("quote")
    case .figure: name("figure")
    case .caption: name("caption")
    case .table: name("table")
    case .row(let isHeader):
      name("row")
      if isHeader { writeMember("header", true) }
    case .cell(let isHeader, let columns, let rows, let alignment):
      name("cell")
      if isHeader { writeMember("header", true) }
      if columns > 1 { writeMember("columns", Int(columns)) }
      if rows > 1 { writeMember("rows", Int(rows)) }
      if alignment != .unset { writeMember("align", "\(alignment)") }
    case .details(let isOpen):
      name("details")
      writeMember("open", isOpen)
    }
  }

  private func forEachRun(_ body: (Document.Run, _ offset: Int, _ length: Int) -> Void) {
    for (index, block) in document.blocks.enumerated() {
      var offset = blockOffsets[index]
      for run in document.runs(of: block) {
        let length = document.codePointCount(run.start..<run.end)
        body(run, offset, length)
        offset += length
      }
    }
  }

  // MARK: JSON (RFC 8259)

  private mutating func writeObject(_ writeMembers: (inout DocumentJSONWriter) -> Void) {
    writeSeparator()
    output.append(UInt8(ascii: "{"))
    hasPrecedingMember = false
    writeMembers(&self)
    output.append(UInt8(ascii: "}"))
    hasPrecedingMember = true
  }

  private mutating func writeArray(
    _ name: String, _ writeElements: (inout DocumentJSONWriter) -> Void
  ) {
    writeKey(name)
    output.append(UInt8(ascii: "["))
    hasPrecedingMember = false
    writeElements(&self)
    output.append(UInt8(ascii: "]"))
    hasPrecedingMember = true
  }

  private mutating func writeMember(_ name: String, _ value: String) {
    writeKey(name)
    writeString(Array(value.utf8)[...])
  }

  private mutating func writeMember(_ name: String, _ value: Int) {
    writeKey(name)
    output.append(contentsOf: String(value).utf8)
  }

  private mutating func writeMember(_ name: String, _ value: Bool) {
    writeKey(name)
    output.append(value ? "true" : "false")
  }

  private mutating func writeKey(_ name: String) {
    writeSeparator()
    writeString(Array(name.utf8)[...])
    output.append(UInt8(ascii: ":"))
  }

  private mutating func writeSeparator() {
    if hasPrecedingMember { output.append(UInt8(ascii: ",")) }
    hasPrecedingMember = true
  }

  private mutating func writeString(_ bytes: ArraySlice<UInt8>) {
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
  package func json(url: String, _ targets: ExportTargets) -> [UInt8] {
    var writer = DocumentJSONWriter(self, url: url, targets)
    return writer.writePage()
  }

  fileprivate func codePointCount(_ range: Range<UInt32>) -> Int {
    text[Int(range.lowerBound)..<Int(range.upperBound)].codePointCount
  }
}

extension ArraySlice<UInt8> {
  /// The number of code points in UTF-8 text.
  fileprivate var codePointCount: Int { reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) } }
}
