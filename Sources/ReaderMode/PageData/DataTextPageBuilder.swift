import DOM

/// Builds a page from texts in data: HTML as it is, other text as paragraphs, headings and lists.
struct DataTextPageBuilder {
  private let data: DataTexts
  private var html: [UInt8] = []
  /// The line that has not been written yet: the block whose inline parts it consists of (nil if
  /// the line is one complete text), its text and its role; nil if there is no such line.
  private var pendingLine: (block: Int32?, text: [UInt8], role: DataRole)?
  private var isInList = false

  init(_ data: DataTexts) {
    self.data = data
  }

  /// Adds a text. Texts must be added in the order of the data.
  mutating func add(_ text: DataTexts.Text) {
    let (block, isInline) = enclosingBlock(of: text)
    var role = data.containers[Int(block)].role
    if text.key == .name { role = .heading }
    if text.key == .item { role = .item }
    if isInline, let last = pendingLine?.text.last, pendingLine?.block == block {
      pendingLine?.text.append(contentsOf: Self.part(text.bytes, after: last))
      return
    }
    endLine()
    pendingLine = (isInline ? block : nil, text.bytes, role)
  }

  /// Returns the page, with the title and the language of another page.
  mutating func finishTree(titledLike page: DOMTree) -> DOMTree {
    endLine()
    endList()
    var source: [UInt8] = []
    if let title = page.nodes.first(where: { $0.name == .title })?.firstChild {
      let text = page.nodes[Int(title)]
      source += Array("<title>".utf8)
      source += page.bytes[Int(text.start)..<Int(text.end)].escaped(["&", "<"])
      source += Array("</title>".utf8)
    }
    var tree = DOMParser.parse(source + html)
    tree.language = page.language
    tree.direction = page.direction
    return tree
  }

  /// Returns the block that a text belongs to, and whether the text is an inline part of the block.
  private func enclosingBlock(of text: DataTexts.Text) -> (block: Int32, isInline: Bool) {
    var block = text.containerIndex
    var isInline = false
    for _ in 0..<Self.maxDepth {
      let own = data.containers[Int(block)]
      guard own.parentIndex > 0 else { break }
      let outer = data.containers[Int(own.parentIndex)]
      let isPart: Bool =
        if own.isElement || own.hasType {
          own.role == .inline
        } else if own.isArray {
          // Children of an element.
          own.key == .text && outer.isElement || own.key == .text || own.key == .content && isInline
        } else {
          // Properties of an element, and objects that contain only its text.
          outer.isElement || outer.isArray && outer.key == .text
        }
      guard isPart else { break }
      isInline = true
      block = own.parentIndex
    }
    return (block, isInline)
  }

  private static let maxDepth = 16

  /// Returns the next part of a line, with a space before it if the previous part ends a sentence.
  private static func part(_ next: [UInt8], after last: UInt8) -> [UInt8] {
    guard let first = next.first, first > 0x40,
      last == UInt8(ascii: ".") || last == UInt8(ascii: "!") || last == UInt8(ascii: "?")
    else { return next }
    return [0x20] + next
  }

  // MARK: HTML

  private mutating func endLine() {
    guard let open = pendingLine else { return }
    pendingLine = nil
    let text = open.text.unescaped
    guard open.role == .heading || open.role == .item else {
      endList()
      return write(text)
    }
    if open.role == .item {
      if !isInList { html += Array("<ul>".utf8) }
      isInList = true
      html += Array("<li>".utf8)
      write(text, isInBlock: true)
    } else {
      endList()
      html += Array("<h2>".utf8)
      write(text, isInBlock: true)
      html += Array("</h2>".utf8)
    }
  }

  private mutating func endList() {
    if isInList { html += Array("</ul>".utf8) }
    isInList = false
  }

  /// Writes HTML as it is, and each line of other text as a paragraph, or as text without an
  /// element of its own if `isInBlock` is true.
  private mutating func write(_ text: [UInt8], isInBlock: Bool = false) {
    if text.looksLikeMarkup {
      html += Array("<div>".utf8) + text + Array("</div>".utf8)
      return
    }
    for line in text.split(separator: 0x0A) {
      if !isInBlock { html += Array("<p>".utf8) }
      html += line.escaped(["<"])
      html += isInBlock ? [0x20] : Array("</p>".utf8)
    }
  }
}

extension [UInt8] {
  fileprivate var looksLikeMarkup: Bool {
    contains("</", in: indices) || contains("<br", in: indices) || contains("<p>", in: indices)
  }

  /// The text with escaped HTML tags decoded.
  fileprivate var unescaped: [UInt8] {
    guard !looksLikeMarkup, contains("&lt;/", in: indices) || contains("&lt;br", in: indices) else {
      return self
    }
    let tree = DOMParser.parse(self)
    return tree.nodes.filter { $0.name == .characters }
      .flatMap { tree.bytes[Int($0.start)..<Int($0.end)] }
  }
}

extension ArraySlice<UInt8> {
  /// Returns the text with the given characters as character references.
  fileprivate func escaped(_ characters: Set<Unicode.Scalar>) -> [UInt8] {
    flatMap { byte -> [UInt8] in
      switch Unicode.Scalar(byte) {
      case "<" where characters.contains("<"): Array("&lt;".utf8)
      case "&" where characters.contains("&"): Array("&amp;".utf8)
      default: [byte]
      }
    }
  }
}
