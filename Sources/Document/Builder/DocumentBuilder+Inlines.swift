import DOM

extension DocumentBuilder {
  /// Enters an inline element. Returns false if its children are to be skipped.
  mutating func enterInline(_ node: Int32, _ name: ElementName) -> Bool {
    if beginMarginNumber(node, name) { return false }
    switch name {
    case .a:
      guard beginLink(node) else { return false }
      if let address = obfuscatedEmail(ofLink: node) {
        addObfuscatedEmail(address)
        return false
      }
      if isLineNumber(node) { return false }
    case .span:
      if addObfuscatedEmail(of: node) || isLineNumber(node) { return false }
      if tree.isNoteLabel(node) || addIconMeaning(node) { return false }
      if !margin.isInNote, isMarginNote(node) { beginMarginNote(node) }
      adaptToElementBefore(node)
      if addImageName(node) { return false }
    case .i where addIconMeaning(node): return false
    case .strong, .b: beginStyle(.strong, of: node)
    case .em, .i, .cite, .var, .dfn: inherited.style.insert(.emphasis)
    case .code where addFormula(ofCode: node, isDisplay: false): return false
    case .code, .samp, .tt: inherited.style.insert(.code)
    case .kbd: inherited.style.insert(.keyboard)
    case .del, .s, .strike: inherited.style.insert(.deleted)
    case .ins: inherited.style.insert(.inserted)
    case .subscript: beginSubOrSuperscript(.subscript, marker: "_")
    case .sup where tree.isNoteLabel(node): return false
    case .sup: beginSuperscript(node)
    case .mark: inherited.style.insert(.marked)
    case .u: inherited.style.insert(.underlined)
    case .small: beginStyle(.small, of: node)
    case .br:
      addLineBreak()
      return false
    case .wbr:
      if leaf.isOpen, !leaf.hasPendingSpace { addSafeText("\u{200B}") }
      return false
    case .q:
      addQuotationMark(isOpening: true, node)
      quotations.begin()
    case .rt: return beginRubyAnnotation(node)
    case .rtc where tree.isRubyText(node): addSafeText("(")
    case .time: beginTime(node)
    case .math: return beginMath(node)
    case .noscript: leaf.addSpace()
    case .img, .svg, .iframe, .frame, .audio, .video, .object, .embed, .area, .canvas, .youTube,
      .vimeo, .ampFrame:
      return enterEmbedded(node, name)
    case .input, .button, .select, .textarea, .meter, .progress:
      return enterControl(node, name)
    case .option, .optgroup: closeLeaf()
    case .label where isNoteSymbol(node) || isLabelOfTrap(node): return false
    case .label: separateFromLabelBefore(node)
    default:
      if tree.isInMath(node) { return enterMath(node) }
      if addImageName(node) { return false }
      if name == .other { beginUnknownElement(node) }
    }
    return !addReversedText(node, name)
  }

  private mutating func beginStyle(_ style: InlineStyle, of node: Int32) {
    adaptToElementBefore(node)
    inherited.style.insert(style)
  }

  /// Separates a label from a label directly before it. The two belong to different controls, such
  /// as tabs.
  private mutating func separateFromLabelBefore(_ node: Int32) {
    let before = tree.nodes[Int(node)].previousSibling
    if let before, tree.nodes[Int(before)].name == .label { addSpaceBetweenRowChildren() }
  }

  /// Adds the name of an image or a rating without an `img` element that has no content, or only
  /// the symbols of a rating, which do not show its value without the styles of the site.
  /// - Returns: Whether the name replaces the content.
  mutating func addImageName(_ node: Int32) -> Bool {
    guard inherited.linkIndex == nil, let name = imageName(of: node) else { return false }
    let isEmpty = tree.nodes[Int(node)].contents.isDisjoint(with: [.text, .image])
    guard
      isEmpty || tree.isDrawing(node, named: name)
        || tree.cleanedText(below: node, maxLength: 64).isRating,
      !isRepeated(name, beside: node)
    else { return false }
    addSeparatedText(name, style: .image)
    return !isEmpty
  }

  /// Returns the name of an element with the role `img`, or of one whose class or content is that
  /// of a rating.
  private func imageName(of node: Int32) -> String? {
    if tree.hasAttribute(.role, node) {
      return tree.value(.role, of: node, contains: "img")
        ? tree.firstText([.ariaLabel], of: node) : nil
    }
    guard hasName(node), !inherited.style.contains(.control),
      tree.hasRatingClass(node) || tree.cleanedText(below: node, maxLength: 64).isRating,
      // Several elements with names in a row are the choices of a reader who rates.
      ![tree.nodes[Int(node)].previousSibling, tree.nodes[Int(node)].nextSibling].contains(
        where: { $0.map(hasName) ?? false }),
      let name = tree.firstText([.ariaLabel, .title], of: node),
      name.split(separator: " ").count <= Self.maxRatingWords
    else { return nil }
    return name
  }

  /// Returns whether an attribute of an element may name it.
  func hasName(_ node: Int32) -> Bool {
    tree.hasAttribute(.ariaLabel, node) || tree.hasAttribute(.title, node)
  }

  /// Maximum number of words of the name of a rating.
  private static let maxRatingWords = 10

  /// Begins a subscript or superscript; a nested one is marked by `_` or `^`.
  mutating func beginSubOrSuperscript(_ scriptStyle: InlineStyle, marker: String) {
    if inherited.style.contains(scriptStyle), leaf.isOpen, let last = leaf.text.last,
      last > 0x20
    {
      addSafeText(marker)
    }
    inherited.style.insert(scriptStyle)
  }

  /// Leaves an inline element.
  mutating func leaveInline(_ frame: ElementState, _ name: ElementName) {
    recordIsolate(frame, name)
    if margin.isOpenNumber(frame.node) { endMarginNumber(frame) }
    switch name {
    case .a:
      endLink(frame)
      leaf.recordLinkEnd()
    case .q:
      quotations.end()
      addQuotationMark(isOpening: false, frame.node)
    case .rt: endRubyAnnotation(frame.node)
    case .rtc where tree.isRubyText(frame.node): addSafeText(")")
    case .span where margin.isOpenNote(frame.node): endMarginNote()
    case .span
    where inherited.leafKind == .preformatted && inherited.keepsWhiteSpace
      && tree.isLineWithoutLineFeed(frame.node):
      breakPreformattedLine()
    case .span where inherited.leafKind != .preformatted && tree.isLineOfText(frame.node):
      breakStyledLine()
    case .cite where introducesQuotation(frame): breakStyledLine()
    case .time: leaf.separateWords()
    case .button: endButton(frame)
    case .noscript: endNoScript(frame)
    case .option, .optgroup, .textarea: closeLeaf()
    case .object, .audio, .video, .canvas: leaf.addSpace()
    case .iframe: closeBlocks(of: frame)
    case .svg: leaveSVG(frame)
    case .mtd, .mtr: leaf.addSpace()
    case .math: endMath(frame.node)
    default:
      if tree.isInMath(frame.node) { leaveMath(frame.node) }
      if name == .other { leaf.recordUnknownElementEnd() }
      // A custom element may contain blocks.
      if containers.count > frame.openContainerCount { closeBlocks(of: frame) }
    }
  }

  private mutating func endNoScript(_ frame: ElementState) {
    leaf.addSpace()
    // The end of a listing removes white space, also that before the element.
    let end = leaf.textEnd
    document.noScriptRanges.append(UInt32(min(frame.textStart, end))..<UInt32(end))
  }

  private mutating func closeBlocks(of frame: ElementState) {
    closeLeaf()
    containers.close(downTo: frame.openContainerCount)
  }

  /// Returns whether a `cite` that ends names the writer of the quotation that it begins, as in
  /// forums, where a style sheet of the site gives it a line of its own.
  private func introducesQuotation(_ frame: ElementState) -> Bool {
    guard containers.isInEmptyQuotation, !leaf.openText.isEmpty,
      leaf.textEnd - leaf.openText.count >= frame.textStart, let next = text(after: frame.node)
    else { return false }
    // Punctuation continues a sentence that begins with the title of a work.
    return leaf.text.last == UInt8(ascii: ":")
      || String(decoding: next.prefix(4), as: UTF8.self).first?.isPartOfWord == true
  }

  // MARK: Links

  private mutating func beginLink(_ node: Int32) -> Bool {
    separatePageNumber(node)
    guard let range = tree.attribute(.href, of: node) else { return true }
    let target =
      tree.obfuscatedMailtoURL(of: node, range) ?? Self.cleanedTarget(tree.bytes[range])
    if tree.bytes[range].contains(UInt8(ascii: "#")), isPermalink(node) {
      // Not shown, but recorded as a link of the page.
      _ = addLink(target, title: "", kind: .anchor)
      return false
    }
    guard !target.hasScriptScheme else { return true }
    // The styles of pages usually separate dates and links in a row; two adjacent links to the same
    // target are one word.
    if leaf.followsLink, document.links.last?.target != target {
      leaf.separateWords()
    }
    if inherited.linkIndex != nil { endOuterLink() }
    head.recordNextDocument(node, in: tree)
    let link = addLink(
      target, title: tree.cleanedText(.title, of: node) ?? "", kind: .anchor)
    inherited.linkIndex = OptionalIndex(link)
    if let name = tree.firstText([.downloadName], of: node) {
      document.downloadNames[link] = name
    }
    raiseNoteReference(node)
    return true
  }

  /// Records a link that is not shown as a link of the page.
  mutating func recordUnshownLink(_ node: Int32) {
    guard let range = tree.attribute(.href, of: node) else { return }
    let target = Self.cleanedTarget(tree.bytes[range])
    guard !target.hasScriptScheme else { return }
    head.recordNextDocument(node, in: tree)
    _ = addLink(target, title: "", kind: .anchor)
  }

  mutating func addLink(_ target: String, title: String, kind: Document.Link.Kind) -> Int32 {
    document.links.append(Document.Link(target: target, title: title, kind: kind))
    return Int32(document.links.count - 1)
  }

  /// Ends the outer link, since links do not nest.
  private mutating func endOuterLink() {
    let outerLinkIndex = inherited.linkIndex
    inherited.linkIndex = nil
    for index in openElementStates.indices.reversed() {
      guard openElementStates[index].outer.linkIndex == outerLinkIndex else { break }
      openElementStates[index].outer.linkIndex = nil
    }
  }

  /// Adds a name to a link without text, so that it can be followed, unless a link with text beside
  /// it has the same target.
  private mutating func endLink(_ frame: ElementState) {
    guard inherited.linkIndex != frame.outer.linkIndex, leaf.textEnd == frame.textStart
    else { return }
    let first = min(frame.pendingImageCount, images.pending.count)
    let image = images.pending.count > first ? images.pending[first].image : nil
    let isNamed = hasSameTargetLink(beside: frame.node)
    if !isNamed, isLabelRepeatedByCaption(frame) { return }
    images.removePending(from: first)
    guard !isNamed else { return }
    var label = tree.firstText([.ariaLabel, .title], of: frame.node) ?? iconName(of: frame.node)
    if label == nil, tree.nodes[Int(frame.node)].firstChild != nil {
      label = address(ofIconLink: frame)
    }
    if let label {
      addSeparatedText(label, image: image)
    } else if let image {
      addSeparatedText(images.all[Int(image)].displayName, image: image)
    }
    // A copy of the image in a `noscript` element may follow.
    if let image, images.isLast(image) { images.moveLast(to: leaf.textEnd) }
  }

  /// Returns the name of the icon in a link without text and images; nil if it has no name.
  private func iconName(of link: Int32) -> String? {
    tree.nodes[Int(link)].contents.contains(.image) ? nil : iconName(below: link)
  }

  /// Returns the email address or phone number that a link without text opens; nil for other links,
  /// and if the page repeats it beside the link.
  private mutating func address(ofIconLink frame: ElementState) -> String? {
    guard let range = tree.attribute(.href, of: frame.node),
      let address = Self.cleanedTarget(tree.bytes[range]).emailOrPhone
    else { return nil }
    let currentLinkIndex = inherited.linkIndex
    inherited.linkIndex = frame.outer.linkIndex
    defer { inherited.linkIndex = currentLinkIndex }
    return isRepeated(address, beside: frame.node) ? nil : address
  }

  /// Returns whether the label (`aria-label`, `title`) of a link in a figure is repeated beside the
  /// link, usually by the caption.
  private mutating func isLabelRepeatedByCaption(_ frame: ElementState) -> Bool {
    guard isInFigure,
      let label = tree.firstText([.ariaLabel, .title], of: frame.node)
    else { return false }
    let currentLinkIndex = inherited.linkIndex
    inherited.linkIndex = frame.outer.linkIndex
    defer { inherited.linkIndex = currentLinkIndex }
    return isRepeated(label, beside: frame.node)
  }

  /// Returns a reference without surrounding white space, line breaks and control characters.
  static func cleanedTarget(_ reference: ArraySlice<UInt8>) -> String {
    var bytes = reference
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    if bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
      return String(decoding: bytes, as: UTF8.self)
    }
    let keptBytes = bytes.filter { $0 >= 0x20 && $0 != 0x7F }
    var result: [UInt8] = []
    var index = 0
    while index < keptBytes.count {
      switch SpecialText.action(keptBytes, at: index, end: keptBytes.count) {
      case .keep(let length):
        result.append(contentsOf: keptBytes[index..<index + length])
        index += length
      case .space(1):
        result.append(keptBytes[index])
        index += 1
      case .space(let length), .drop(let length), .replace(_, let length): index += length
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  // MARK: Quotations

  /// Adds the quotation mark that styles set, or else that of the language of the element, unless
  /// the text has quotation marks of its own, or stands between some, which pages write if their
  /// styles hide those of browsers.
  private mutating func addQuotationMark(isOpening: Bool, _ node: Int32) {
    guard !tree.isBetweenQuotationMarks(node), !tree.hasOwnQuotationMarks(node) else { return }
    if let quotes = inherited.quotes {
      addSafeText(quotations.mark(isOpening: isOpening, in: quotes))
    } else {
      let language = language(around: node)
      addSafeText(quotations.mark(isOpening: isOpening, inLanguage: language))
    }
  }

  /// Returns the declared language of the text around an element.
  private func language(around node: Int32) -> String {
    var next = tree.nodes[Int(node)].parent
    while let parent = next {
      if let language = tree.string(.lang, of: parent) { return language }
      next = tree.nodes[Int(parent)].parent
    }
    return document.language
  }

  // MARK: Ruby

  /// Begins a ruby annotation, `漢字(かんじ)`. Returns false if it is empty.
  private mutating func beginRubyAnnotation(_ node: Int32) -> Bool {
    guard tree.nodes[Int(node)].contents.contains(.text) else { return false }
    if !tree.isRubyAnnotation(tree.nodes[Int(node)].previousSibling, \.previousSibling) {
      addSafeText("(")
    } else if !tree.isForOneOfSeveralBases(node) {
      leaf.addSpace()
    }
    return true
  }

  /// Ends a ruby annotation. Consecutive annotations share their parentheses.
  private mutating func endRubyAnnotation(_ node: Int32) {
    if !tree.isRubyAnnotation(tree.nodes[Int(node)].nextSibling, \.nextSibling) { addSafeText(")") }
  }
}

extension String {
  /// Whether the text consists of several symbols for the steps of a rating.
  fileprivate var isRating: Bool {
    let symbols = filter { !$0.isWhitespace }
    return symbols.count > 1 && symbols.allSatisfy { "★☆⭐✩✭✮✯✰⯪⯨●○♥♡".contains($0) }
  }
}

extension DOMTree {
  /// Whether a word of an element's class is that of a rating, such as `star-rating` and
  /// `allstar40`.
  fileprivate func hasRatingClass(_ node: Int32) -> Bool {
    guard let range = attribute(.class, of: node) else { return false }
    return bytes[range].split(whereSeparator: { !$0.isLetter }).contains { word in
      ["star", "stars", "rating", "ratings"].contains {
        String(decoding: word.suffix($0.utf8.count), as: UTF8.self).lowercased() == $0
      }
    }
  }
}

extension DOMTree {
  /// Returns whether an element contains only SVG images without text, such as the stars of a
  /// rating. A name of a single word is that of an icon.
  fileprivate func isDrawing(_ node: Int32, named name: String) -> Bool {
    !nodes[Int(node)].contents.contains(.text) && name.contains(" ")
      && !containsImageFile(node)
  }

  /// Returns whether an element contains an image other than an icon drawn in the page. At most 16
  /// nodes are examined.
  func containsImageFile(_ node: Int32) -> Bool {
    var next = nodeAfter(node, in: node)
    for _ in 0..<16 {
      guard let current = next else { break }
      if nodes[Int(current)].name == .img { return true }
      next = nodeAfter(current, in: node)
    }
    return false
  }

  /// Returns whether the text of a short quotation begins and ends with quotation marks.
  fileprivate func hasOwnQuotationMarks(_ node: Int32) -> Bool {
    // Quotations may be nested in each other, so the number of examined nodes is limited.
    var next = nodeAfter(node, in: node)
    for _ in 0..<Self.maxQuotationNodes {
      guard let descendant = next else { break }
      next = nodeAfter(descendant, in: node)
    }
    guard next == nil else { return false }
    let text = cleanedText(below: node)
    guard text.count > 2, let first = text.first, let last = text.last else { return false }
    return Self.quotationMarkPairs[first]?.contains(last) == true
  }

  /// Returns whether the text around a short quotation has a quotation mark directly before and
  /// directly after it.
  fileprivate func isBetweenQuotationMarks(_ node: Int32) -> Bool {
    let element = nodes[Int(node)]
    guard let previous = element.previousSibling, let next = element.nextSibling else {
      return false
    }
    let (before, after) = (nodes[Int(previous)], nodes[Int(next)])
    guard before.name == .characters, after.name == .characters,
      let opening = String(
        decoding: bytes[Int(before.start)..<Int(before.end)].suffix(4), as: UTF8.self
      ).last,
      let closing = String(
        decoding: bytes[Int(after.start)..<Int(after.end)].prefix(4), as: UTF8.self
      ).first
    else { return false }
    return Self.quotationMarkPairs[opening]?.contains(closing) == true
  }

  fileprivate static let maxQuotationNodes = 64

  /// The marks that may end a quotation, by the mark that begins it.
  fileprivate static let quotationMarkPairs: [Character: String] = [
    "\"": "\"", "“": "”", "”": "”", "„": "“”", "‘": "’", "‚": "‘’", "«": "»", "»": "«»", "‹": "›",
    "›": "‹›", "「": "」", "『": "』",
  ]

  /// Returns whether a ruby text container (`rtc`) is itself the annotation: it has text, but no
  /// annotations in it.
  fileprivate func isRubyText(_ node: Int32) -> Bool {
    guard nodes[Int(node)].contents.contains(.text) else { return false }
    var next = nodes[Int(node)].firstChild
    while let child = next {
      if nodes[Int(child)].name == .rt { return false }
      next = nodes[Int(child)].nextSibling
    }
    return true
  }

  /// Returns whether several bases (`rb`) precede an annotation and its adjacent annotations; the
  /// annotations are then the parts of one word.
  fileprivate func isForOneOfSeveralBases(_ node: Int32) -> Bool {
    var own = node
    if let parent = nodes[Int(node)].parent, nodes[Int(parent)].name == .rtc { own = parent }
    var bases = 0
    for _ in 0..<Self.maxRubyParts {
      guard let previous = nodes[Int(own)].previousSibling else { return bases > 1 }
      own = previous
      switch nodes[Int(own)].name {
      case .rt, .rp, .rtc: if bases > 0 { return bases > 1 }
      case .characters where cleanedText(of: own).isEmpty: break
      default: bases += 1
      }
    }
    return true
  }

  /// Maximum number of parts of a ruby that are searched for the bases of an annotation.
  fileprivate static let maxRubyParts = 32

  /// Returns whether a node is a ruby annotation, ignoring white space and parentheses of the page
  /// (`rp`).
  fileprivate func isRubyAnnotation(_ node: Int32?, _ direction: KeyPath<DOMTree.Node, Int32?>)
    -> Bool
  {
    var next = node
    while let node = next {
      let current = nodes[Int(node)]
      if current.name == .rt { return current.contents.contains(.text) }
      guard current.name == .rp || current.name == .characters && cleanedText(of: node).isEmpty
      else {
        return false
      }
      next = current[keyPath: direction]
    }
    return false
  }
}
