package import Document
import DOM

/// Writes the text of leaves as CommonMark.
struct MarkdownInlineWriter {
  private let document: Document
  private let targets: ExportTargets

  /// The styles that are written as HTML elements, outermost first.
  private static let htmlStyles: [(InlineStyle, String)] = [
    (.deleted, "del"), (.inserted, "ins"), (.marked, "mark"), (.underlined, "u"),
    (.subscript, "sub"), (.superscript, "sup"), (.keyboard, "kbd"),
  ]
  /// The styles with delimiters, and the elements that are used where delimiters would not be
  /// recognized.
  private static let styleDelimiters: [(style: InlineStyle, sign: String, tag: String)] = [
    (.strong, "**", "strong"), (.emphasis, "*", "em"),
  ]

  init(_ document: Document, _ targets: ExportTargets) {
    self.document = document
    self.targets = targets
  }

  /// Returns the lines of a paragraph. A nonempty `delimiter` is put before and after the text,
  /// whose line breaks are then spaces.
  func paragraph(_ block: Document.Block, around delimiter: String) -> [UInt8] {
    let text = text(of: block, isBold: !delimiter.isEmpty)
    guard !delimiter.isEmpty, !text.isEmpty else { return Self.escapingLineStarts(text, "\\\n") }
    return Self.escapingLineStarts(
      Array(delimiter.utf8) + text.map { $0 == 0x0A ? 0x20 : $0 } + Array(delimiter.utf8), "\\\n")
  }

  /// Returns a heading on one line.
  func heading(_ block: Document.Block) -> [UInt8] {
    var text = text(of: block).map { $0 == 0x0A ? 0x20 : $0 }
    // A trailing `#` would be removed.
    if text.last == UInt8(ascii: "#") { text.insert(UInt8(ascii: "\\"), at: text.count - 1) }
    // So would an attribute list.
    if MarkdownHeading(text, 0..<text.count).content.count < text.count,
      let brace = text.lastIndex(of: UInt8(ascii: "{"))
    {
      text.insert(UInt8(ascii: "\\"), at: brace)
    }
    return text
  }

  /// Returns a cell of a pipe table on one line.
  func cell(_ block: Document.Block) -> [UInt8] {
    var result: [UInt8] = []
    for byte in text(of: block) {
      switch byte {
      case 0x0A: result += Array("<br>".utf8)
      case UInt8(ascii: "|"): result += Array("\\|".utf8)
      default: result.append(byte)
      }
    }
    return result
  }

  /// Returns the Markdown for an image, or the alternative text if the image has no URL.
  func image(_ index: Int) -> [UInt8] {
    let image = document.images[index]
    var result: [UInt8] = []
    let alternative = Array((image.alternativeText ?? "").utf8)
    guard let source = targets.imageURL(index) else { return Self.escaped(alternative[...]) }
    result += Array("![".utf8) + Self.escaped(alternative[...]).map { $0 == 0x0A ? 0x20 : $0 }
    return result + Array("](".utf8) + Self.destination(source) + [UInt8(ascii: ")")]
  }

  // MARK: Runs

  private func text(of block: Document.Block, isBold: Bool = false) -> [UInt8] {
    let runs = Array(document.runs(of: block))
    var result: [UInt8] = []
    var link: OptionalIndex = nil
    var openStyles: [(style: InlineStyle, end: [UInt8])] = []
    for index in runs.indices {
      let run = runs[index]
      var style = run.style
      if isBold { style.remove(.strong) }
      if run.link != link { while let last = openStyles.popLast() { result += last.end } }
      while openStyles.contains(where: { !style.contains($0.style) }) {
        result += openStyles.removeLast().end
      }
      if run.link != link {
        if let link = link.value { result += linkEnd(link) }
        link = run.link.value.flatMap { targets.linkURL($0) } != nil ? run.link : nil
        if link != nil { Self.beginLink(&result) }
      }
      for (styleToOpen, tag) in Self.htmlStyles
      where style.contains(styleToOpen) && !openStyles.contains(styleToOpen) {
        result += Array("<\(tag)>".utf8)
        openStyles.append((styleToOpen, Array("</\(tag)>".utf8)))
      }
      for (styleToOpen, sign, tag) in Self.styleDelimiters
      where style.contains(styleToOpen) && !openStyles.contains(styleToOpen) {
        let usesDelimiters = canUseDelimiters(styleToOpen, runs, from: index, after: result.last)
        result += Array((usesDelimiters ? sign : "<\(tag)>").utf8)
        openStyles.append((styleToOpen, Array((usesDelimiters ? sign : "</\(tag)>").utf8)))
      }
      result += text(of: run, previous: index > 0 ? runs[index - 1].image : nil)
    }
    while let last = openStyles.popLast() { result += last.end }
    if let link = link.value { result += linkEnd(link) }
    return result
  }

  private func text(of run: Document.Run, previous previousImage: OptionalIndex) -> [UInt8] {
    let bytes = document.text[Int(run.start)..<Int(run.end)]
    if let image = run.image.value { return run.image == previousImage ? [] : self.image(image) }
    guard run.style.contains(.code) else {
      // An attribute list would belong to the element before it.
      let attributesEnd = MarkdownAttributes.end(
        in: document.text, at: bytes.startIndex, limit: bytes.endIndex)
      return (attributesEnd == nil ? [] : [UInt8(ascii: "\\")]) + Self.escaped(bytes)
    }
    // A code span that continues on another line of the document would lose the line break.
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    return Array(lines.map(Self.codeSpan).joined(separator: [0x0A]))
  }

  private static func codeSpan(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    if bytes.isEmpty { return [] }
    let fence = [UInt8](
      repeating: UInt8(ascii: "`"), count: Array(bytes).longestRun(of: UInt8(ascii: "`")) + 1)
    let needsSpace =
      bytes.first == UInt8(ascii: "`") || bytes.last == UInt8(ascii: "`")
      || bytes.first == 0x20 && bytes.last == 0x20 && bytes.contains { $0 != 0x20 }
    let space: [UInt8] = needsSpace ? [0x20] : []
    return fence + space + bytes + space + fence
  }

  private static func beginLink(_ result: inout [UInt8]) {
    // `![` would begin an image.
    if result.last == UInt8(ascii: "!") { result.insert(UInt8(ascii: "\\"), at: result.count - 1) }
    result.append(UInt8(ascii: "["))
  }

  private func linkEnd(_ index: Int) -> [UInt8] {
    var result = Array("](".utf8) + Self.destination(targets.linkURL(index) ?? "")
    let title = document.links[index].title
    if !title.isEmpty {
      let escaped = title.utf8.flatMap { byte -> [UInt8] in
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? [0x5C, byte] : [byte]
      }
      result += Array(" \"".utf8) + escaped + Array("\"".utf8)
    }
    return result + [UInt8(ascii: ")")]
  }

  /// Returns whether delimiters of emphasis would be recognized (CommonMark, "left-flanking" and
  /// "right-flanking delimiter runs") around the consecutive runs with the style from `index` on.
  private func canUseDelimiters(
    _ style: InlineStyle, _ runs: [Document.Run], from index: Int, after previous: UInt8?
  ) -> Bool {
    var lastIndex = index
    while lastIndex + 1 < runs.count, runs[lastIndex + 1].style.contains(style),
      runs[lastIndex + 1].link == runs[index].link
    {
      lastIndex += 1
    }
    guard runs[index].end > runs[index].start, runs[lastIndex].end > runs[lastIndex].start,
      runs[index].image == nil, runs[lastIndex].image == nil
    else { return false }
    let firstClass = Self.characterClass(document.text, at: Int(runs[index].start))
    let lastClass = Self.characterClass(document.text, before: Int(runs[lastIndex].end))
    let classBefore =
      previous == nil || index == 0
      ? CharacterClass.space : Self.characterClass(document.text, before: Int(runs[index].start))
    let isEnd = lastIndex + 1 == runs.count
    let isMixed = runs[index...lastIndex].contains {
      $0.style.isSuperset(of: [.strong, .emphasis])
    }
    let classAfter =
      isEnd
      ? CharacterClass.space : Self.characterClass(document.text, at: Int(runs[lastIndex].end))
    let canOpen = firstClass != .space && (firstClass != .punctuation || classBefore != .other)
    let canClose = lastClass != .space && (lastClass != .punctuation || classAfter != .other)
    // Implementations differ in how they match adjacent delimiters, depending on the text around
    // them.
    if isMixed, classBefore == .other || classAfter == .other { return false }
    // Code and keys begin and end with delimiters of their own, which count as punctuation.
    let beginsWithCode = !runs[index].style.isDisjoint(with: [.code, .keyboard])
    let endsWithCode = !runs[lastIndex].style.isDisjoint(with: [.code, .keyboard])
    return canOpen && canClose && !(beginsWithCode && classBefore == .other)
      && !(endsWithCode && classAfter == .other)
  }

  private enum CharacterClass { case space, punctuation, other }

  private static func characterClass(_ text: [UInt8], at index: Int) -> CharacterClass {
    guard index < text.count else { return .space }
    let byte = text[index]
    switch byte {
    case 0x20, 0x0A, 0x09: return .space
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: return .punctuation
    // General punctuation, arrows and symbols, and those of CJK. The spaces among them count as
    // punctuation, too.
    case 0xE2: return .punctuation
    case 0xC2: return .punctuation
    case 0xE3 where index + 1 < text.count && text[index + 1] == 0x80: return .punctuation
    case 0xEF: return .punctuation
    default: return .other
    }
  }

  private static func characterClass(_ text: [UInt8], before index: Int) -> CharacterClass {
    var start = index - 1
    while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
    return start >= 0 ? characterClass(text, at: start) : .space
  }

  // MARK: Escapes

  /// Returns text with all characters escaped that have a meaning in CommonMark, or in the
  /// extensions that offread reads.
  static func escaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 8)
    let hasFormula =
      bytes.contains(UInt8(ascii: "$")) && MarkdownFormulas.hasFormula(Array(bytes))
    // A copy that is needed only to read superscripts.
    let text = bytes.contains(UInt8(ascii: "^")) ? Array(bytes) : []
    for index in bytes.indices {
      let byte = bytes[index]
      let isSyntax =
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "["),
          UInt8(ascii: "]"), UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "~"):
          true
        case UInt8(ascii: "_"): !isWithinWord(bytes, at: index)
        case UInt8(ascii: "$"): hasFormula
        case UInt8(ascii: "^"): beginsSuperscript(text, at: index - bytes.startIndex)
        case UInt8(ascii: "="): beginsMark(bytes, at: index)
        case UInt8(ascii: ":"): MarkdownEmoji.emoji(in: bytes, at: index) != nil
        default: false
        }
      if isSyntax { result.append(UInt8(ascii: "\\")) }
      result.append(byte)
    }
    return result
  }

  /// Returns whether letters or digits surround an index, so that an underscore there is literal.
  private static func isWithinWord(_ bytes: ArraySlice<UInt8>, at index: Int) -> Bool {
    guard index > bytes.startIndex, index + 1 < bytes.endIndex else { return false }
    return [bytes[index - 1], bytes[index + 1]].allSatisfy { $0.isLetter || $0.isDigit }
  }

  /// Returns the text of a list item that begins with an escaped checkbox, without the escapes.
  static func unescapingCheckbox(_ text: [UInt8]) -> [UInt8] {
    let escaped = ["\\[x\\]", "\\[ \\]"].first { text.starts(with: $0.utf8) }
    guard let escaped else { return text }
    return escaped.utf8.filter { $0 != UInt8(ascii: "\\") } + text.dropFirst(escaped.utf8.count)
  }

  /// Returns whether a superscript begins at an index of a text. At the start, a word of another
  /// run may precede it.
  private static func beginsSuperscript(_ text: [UInt8], at index: Int) -> Bool {
    if index > 0 { return MarkdownScript(text, at: index, in: text.indices) != nil }
    return text.dropFirst().prefix(MarkdownScript.maxLength + 1).contains(text[index])
  }

  /// Returns whether two equals signs begin at an index, which are delimiters of marked text unless
  /// spaces surround them.
  private static func beginsMark(_ bytes: ArraySlice<UInt8>, at index: Int) -> Bool {
    func byte(at index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0x0A }
    let (sign, before, after) = (bytes[index], byte(at: index - 1), byte(at: index + 2))
    return byte(at: index + 1) == sign && before != sign && after != sign
      && !(before.isWhiteSpace && after.isWhiteSpace)
  }

  /// Returns the lines of a paragraph, escaped so that none begins another kind of block;
  /// `lineBreak` is inserted at each line break.
  static func escapingLineStarts(_ text: [UInt8], _ lineBreak: String) -> [UInt8] {
    var result: [UInt8] = []
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      if number > 0 { result += Array(lineBreak.utf8) }
      let line = line.drop { $0 == 0x20 || $0 == 0x09 }
      let digits = line.prefix { $0.isDigit }
      let isBlockStart =
        digits.isEmpty
        ? beginsBlock(line)
        : digits.endIndex < line.endIndex && ".)".utf8.contains(line[digits.endIndex])
      if isBlockStart {
        result += digits + [UInt8(ascii: "\\")] + line[digits.endIndex...]
      } else {
        result += line
      }
    }
    return result
  }

  /// Returns whether a line begins with a delimiter of blocks: a heading, a list, a quote, a
  /// thematic break, a definition, a container of directives, attributes, or a displayed formula;
  /// or whether it would make a table of the line before it.
  private static func beginsBlock(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first else { return false }
    if "#+-=>".utf8.contains(first) { return true }
    if line.allSatisfy({ "|:- \t".utf8.contains($0) }), line.contains(UInt8(ascii: "-")) {
      return true
    }
    return [": ", ":\t", "::", "{:", "$$"].contains { line.starts(with: $0.utf8) }
  }

  /// Returns a URL as a link destination.
  private static func destination(_ url: String) -> [UInt8] {
    let isPlain = url.utf8.allSatisfy {
      $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: ")")
        && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "\\")
    }
    if isPlain, !url.isEmpty { return Array(url.escapingAmpersands.utf8) }
    var result: [UInt8] = [UInt8(ascii: "<")]
    for byte in url.escapingAmpersands.utf8 {
      switch byte {
      case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"): result += [0x5C, byte]
      case 0x0A, 0x0D: result += Array("%0A".utf8)
      default: result.append(byte)
      }
    }
    return result + [UInt8(ascii: ">")]
  }
}

extension [(style: InlineStyle, end: [UInt8])] {
  fileprivate func contains(_ style: InlineStyle) -> Bool { contains { $0.style == style } }
}

extension String {
  /// The string with each `&` replaced by `&amp;`, so that it does not begin a character reference.
  fileprivate var escapingAmpersands: String {
    var result = ""
    for scalar in unicodeScalars {
      if scalar == "&" { result += "&amp;" } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }
}

extension Document {
  /// Returns text escaped for Markdown, so that all characters are literal.
  package static func escapedMarkdown(_ text: String) -> String {
    String(decoding: MarkdownInlineWriter.escaped(Array(text.utf8)[...]), as: UTF8.self)
  }

  /// Returns a line of Markdown, escaped so that it begins a paragraph.
  package static func escapedMarkdownParagraph(_ text: String) -> String {
    String(decoding: MarkdownInlineWriter.escapingLineStarts(Array(text.utf8), "\n"), as: UTF8.self)
  }
}
