// libxml2 reads markup as HTML 4 did. The mender goes over the bytes of a page once, before
// libxml2, and rewrites what HTML5 reads differently: character references become characters,
// the contents of title, textarea and their like become text, scripts and comments go, tags of
// html, head and body go (so that text after </html> stays), void elements that libxml2 does not
// know are closed, and attributes that nobody reads are left out, which also keeps libxml2 away
// from its quadratic treatment of many attributes. All else is copied as it is.

/// Rewrites the bytes of a page, in any number of windows, so that libxml2 reads them as HTML5.
struct MarkupMender {
  /// The page follows the rules of XML: CDATA sections and `<br/>` for any element.
  let isXML: Bool
  /// The mended bytes so far; whoever hands them on empties it.
  var output: [UInt8] = []
  /// The value of `lang` on the html element.
  var language: [UInt8] = []
  /// The contents of style elements.
  var styleSheet: [UInt8] = []
  /// How deep libxml2's stack is and what it refused to close.
  var nesting = Nesting()

  /// What the next bytes are.
  private var state = State.markup
  /// svg and math elements that are open.
  private var foreignDepth = 0

  /// What the next bytes are.
  private enum State {
    case markup
    case comment
    /// Contents of an element up to its end tag.
    case raw(ElementName, Treatment)
  }

  /// What happens to contents that are not markup.
  enum Treatment {
    case drop, styleSheet, text, textWithReferences
  }

  init(isXML: Bool) {
    self.isXML = isXML
    output.reserveCapacity(3 * DOMParser.window)
  }

  /// Mends the bytes of a window; with `isLast` the page ends here.
  /// - Returns: How many bytes were taken; the rest belongs to a token that is not complete, or
  ///   waits until `nesting` is brought up to date.
  mutating func mend(_ input: UnsafeBufferPointer<UInt8>, isLast: Bool) -> Int {
    var index = 0
    while index < input.count {
      let next: Int?
      switch state {
      case .markup: next = mendMarkup(input, at: index, isLast: isLast)
      case .comment: next = skipComment(input, at: index, isLast: isLast)
      case .raw(let name, let treatment):
        next = mendRaw(input, at: index, end: name, treatment, isLast: isLast)
      }
      guard let next, next > index else { break }
      index = next
    }
    return isLast && !nesting.mustWait ? input.count : index
  }

  /// Copies text up to the next token and mends that. Nil when more bytes are needed.
  private mutating func mendMarkup(
    _ input: UnsafeBufferPointer<UInt8>, at start: Int, isLast: Bool
  ) -> Int? {
    let index = input.firstIndexOfMarkup(from: start)
    if index > start {
      output.append(contentsOf: input[start..<index])
      return index
    }
    if input[index] == UInt8(ascii: "&") {
      return mendReference(input, at: index, inAttribute: false, isLast: isLast)
    }
    guard index + 1 < input.count else {
      if isLast { output.append("&lt;") }
      return isLast ? index + 1 : nil
    }
    switch input[index + 1] {
    case UInt8(ascii: "/"):
      guard index + 2 < input.count else {
        if isLast { output.append("&lt;/") }
        return isLast ? index + 2 : nil
      }
      guard input[index + 2].isLetter else {
        return skipTo(UInt8(ascii: ">"), input, from: index + 2, isLast: isLast)
      }
      return mendEndTag(input, at: index, isLast: isLast)
    case UInt8(ascii: "!"):
      return mendDeclaration(input, at: index, isLast: isLast)
    case UInt8(ascii: "?"):
      return skipTo(UInt8(ascii: ">"), input, from: index + 1, isLast: isLast)
    case let byte where byte.isLetter:
      return mendStartTag(input, at: index, isLast: isLast)
    default:
      output.append("&lt;")
      return index + 1
    }
  }

  /// Comments, document types and CDATA sections.
  private mutating func mendDeclaration(
    _ input: UnsafeBufferPointer<UInt8>, at start: Int, isLast: Bool
  ) -> Int? {
    if input.hasPrefix("<!--", at: start) {
      // `<!-->` and `<!--->` are complete.
      if input.hasPrefix(">", at: start + 4) { return start + 5 }
      if input.hasPrefix("->", at: start + 4) { return start + 6 }
      guard start + 6 <= input.count || isLast else { return nil }
      state = .comment
      return start + 4
    }
    if isXML || foreignDepth > 0, input.hasPrefix("<![CDATA[", at: start) {
      return mendCharacterData(input, at: start + 9, isLast: isLast)
    }
    guard start + 9 <= input.count || isLast else { return nil }
    return skipTo(UInt8(ascii: ">"), input, from: start + 2, isLast: isLast)
  }

  private mutating func mendCharacterData(
    _ input: UnsafeBufferPointer<UInt8>, at start: Int, isLast: Bool
  ) -> Int? {
    var end = start
    while end < input.count, !input.hasPrefix("]]>", at: end) { end += 1 }
    guard end < input.count || isLast else { return nil }
    for byte in input[start..<end] { appendText(byte) }
    return min(input.count, end + 3)
  }

  private mutating func skipComment(
    _ input: UnsafeBufferPointer<UInt8>, at start: Int, isLast: Bool
  ) -> Int? {
    var index = start
    while true {
      index = input.firstIndex(of: UInt8(ascii: "-"), from: index)
      if input.hasPrefix("-->", at: index) {
        state = .markup
        return index + 3
      }
      if input.hasPrefix("--!>", at: index) {
        state = .markup
        return index + 4
      }
      if index + 4 > input.count { return isLast ? input.count : index > start ? index : nil }
      index += 1
    }
  }

  private func skipTo(
    _ byte: UInt8, _ input: UnsafeBufferPointer<UInt8>, from start: Int, isLast: Bool
  ) -> Int? {
    let index = input.firstIndex(of: byte, from: start)
    return index < input.count ? index + 1 : isLast ? index : nil
  }

  /// A start tag with its attributes, and what follows from it.
  private mutating func mendStartTag(
    _ input: UnsafeBufferPointer<UInt8>, at start: Int, isLast: Bool
  ) -> Int? {
    guard !nesting.mustWait else { return nil }
    let nameEnd = input.endOfName(from: start + 1)
    guard nameEnd < input.count else { return isLast ? input.count : nil }
    let name = ElementName.named(UnsafeBufferPointer(rebasing: input[start + 1..<nameEnd]))
    let mark = output.count
    let isSwallowed = nesting.swallows(name)
    let isWritten = !isSwallowed && !(name.isDropped || name == .html)
    if isWritten {
      output.append(UInt8(ascii: "<"))
      output.append(contentsOf: name.travelName(isForeign: foreignDepth > 0).utf8)
    }
    guard
      let tag = mendAttributes(
        input, from: nameEnd, isKept: isWritten || name == .html, isLast: isLast)
    else {
      output.removeSubrange(mark...)
      return isLast ? input.count : nil
    }
    if name == .html { takeLanguage(from: mark) }
    if isWritten { output.append(UInt8(ascii: ">")) }
    if isSwallowed {
      nesting.swallow()
      // Words on both sides of a block stay apart.
      if name.isBlock { output.append("<br>") }
    }
    if name == .svg || name == .math { foreignDepth += 1 }
    if tag.isSelfClosing, isXML || foreignDepth > 0, !name.isVoid {
      if isSwallowed { nesting.release() } else if isWritten { close(name) }
      if name == .svg || name == .math { foreignDepth -= 1 }
      return tag.end
    }
    if isWritten, name.needsEndTag { close(name) }
    if let treatment = name.treatment, foreignDepth == 0 || name == .script || name == .style {
      state = .raw(name, isSwallowed && treatment != .styleSheet ? .drop : treatment)
      if isSwallowed { nesting.release() }
    }
    return tag.end
  }

  private mutating func mendEndTag(
    _ input: UnsafeBufferPointer<UInt8>, at start: Int, isLast: Bool
  ) -> Int? {
    guard !nesting.mustWait else { return nil }
    let nameEnd = input.endOfName(from: start + 2)
    guard nameEnd < input.count else { return isLast ? input.count : nil }
    guard let tag = mendAttributes(input, from: nameEnd, isKept: false, isLast: isLast) else {
      return isLast ? input.count : nil
    }
    let name = ElementName.named(UnsafeBufferPointer(rebasing: input[start + 2..<nameEnd]))
    if name == .svg || name == .math { foreignDepth = max(0, foreignDepth - 1) }
    if name == .br {
      output.append("<br>")
    } else if !name.isDropped, name != .html, !name.isVoid, nesting.closes(name) {
      close(name)
    }
    return tag.end
  }

  private mutating func close(_ name: ElementName) {
    output.append("</")
    output.append(contentsOf: name.travelName(isForeign: foreignDepth > 0).utf8)
    output.append(UInt8(ascii: ">"))
  }

  /// Reads `lang` from the attributes of the html element, which were written behind `mark`.
  private mutating func takeLanguage(from mark: Int) {
    let written = output[mark...]
    if language.isEmpty {
      let quote = UInt8(ascii: "\"")
      let prefix = Array(" lang=\"".utf8)
      for index in written.indices where written[index...].starts(with: prefix) {
        language = Array(written[(index + prefix.count)...].prefix { $0 != quote })
        break
      }
    }
    output.removeSubrange(mark...)
  }

  /// Contents of an element that holds no markup, up to its end tag.
  private mutating func mendRaw(
    _ input: UnsafeBufferPointer<UInt8>, at start: Int, end name: ElementName,
    _ treatment: Treatment, isLast: Bool
  ) -> Int? {
    var index = start
    var isEscaped = false
    var isDoublyEscaped = false
    while index < input.count {
      let next = input.firstIndex(
        of: UInt8(ascii: "<"), or: isEscaped ? UInt8(ascii: "-") : UInt8(ascii: "<"), from: index)
      guard next < input.count else {
        index = next
        break
      }
      index = next
      if name == .script {
        // A script inside a comment inside a script does not end the outer one.
        guard index + 9 <= input.count || isLast else { break }
        if input.hasPrefix("<!--", at: index) {
          isEscaped = true
        } else if input.hasPrefix("-->", at: index) {
          isEscaped = false
          isDoublyEscaped = false
        } else if isEscaped, input.hasTag("<script", at: index) {
          isDoublyEscaped = true
        } else if isDoublyEscaped, input.hasTag("</script", at: index) {
          isDoublyEscaped = false
          index += 1
          continue
        }
      }
      switch input.endTag(name, at: index, isLast: isLast) {
      case .found(let afterName) where !isDoublyEscaped:
        guard let tag = mendAttributes(input, from: afterName, isKept: false, isLast: isLast) else {
          return isLast ? input.count : nil
        }
        take(input[start..<index], treatment)
        state = .markup
        if !name.isDropped { close(name) }
        return tag.end
      case .incomplete: break
      default:
        index += 1
        continue
      }
      break
    }
    // The contents go on after this window. A script is kept whole: its state is not carried over.
    if isLast {
      take(input[start...], treatment)
      return input.count
    }
    if name == .script || treatment == .textWithReferences { return nil }
    take(input[start..<index], treatment)
    return index > start ? index : nil
  }

  private mutating func take(_ contents: Slice<UnsafeBufferPointer<UInt8>>, _ treatment: Treatment)
  {
    switch treatment {
    case .drop: break
    case .styleSheet:
      if styleSheet.count < 1_000_000 {
        styleSheet.append(contentsOf: contents)
        styleSheet.append(0x0A)
      }
    case .text: for byte in contents { appendText(byte) }
    case .textWithReferences:
      let bytes = UnsafeBufferPointer(rebasing: contents)
      var index = 0
      while index < bytes.count {
        if bytes[index] == UInt8(ascii: "&"),
          let next = mendReference(bytes, at: index, inAttribute: false, isLast: true)
        {
          index = next
        } else {
          appendText(bytes[index])
          index += 1
        }
      }
    }
  }

  private mutating func appendText(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "<"): output.append("&lt;")
    case UInt8(ascii: "&"): output.append("&amp;")
    default: output.append(byte)
    }
  }
}
