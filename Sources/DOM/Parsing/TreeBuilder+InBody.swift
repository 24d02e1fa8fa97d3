extension TreeBuilder {
  // MARK: Start tags

  /// Handles a start tag in the "in body" insertion mode and those of tables and selects.
  mutating func startInBody(_ tag: TagName, _ attributes: Range<Int>, _ isSelfClosing: Bool) {
    let name = tag.name
    if name.isTablePart, name != .form { return startTablePart(tag, attributes) }
    if current.name == .colgroup, name != .template { pop() }
    if openSelects > 0 { leaveSelect(before: name) }
    if name.endsParagraph {
      startBlock(tag, attributes, isSelfClosing)
    } else {
      startInline(tag, attributes, isSelfClosing)
    }
  }

  private mutating func startBlock(
    _ tag: TagName, _ attributes: Range<Int>, _ isSelfClosing: Bool
  ) {
    switch tag.name {
    case .form:
      guard !hasForm else { return }
      if current.name.holdsTableParts {
        insert(tag, attributes, isOpened: false)
        return
      }
      closeParagraph()
      hasForm = true
    case .li:
      closeItem { $0 == .li }
      closeParagraph()
    case .dd, .dt:
      closeItem { $0 == .dd || $0 == .dt }
      closeParagraph()
    case .h1, .h2, .h3, .h4, .h5, .h6:
      closeParagraph()
      if current.name.headingLevel > 0 { pop() }
    default: closeParagraph()
    }
    insert(tag, attributes, isOpened: !tag.name.isVoid && !isSelfClosing)
  }

  private mutating func startInline(
    _ tag: TagName, _ attributes: Range<Int>, _ isSelfClosing: Bool
  ) {
    switch tag.name {
    case .meta, .link, .base, .template, .title, .source, .track, .param:
      insert(tag, attributes, isOpened: !tag.name.isVoid && !isSelfClosing)
      return
    case .a:
      if let entry = formattingIndex(of: .a) {
        let node = formatting[entry].node
        endFormatting(tag)
        if let left = formatting.firstIndex(where: { $0.node == node }) {
          formatting.remove(at: left)
        }
        if let left = open.lastIndex(where: { $0.node == node }) { removeOpen(at: left) }
      }
    case .button:
      if let index = openInScope(where: { $0.name == .button }) {
        closeImplied()
        pop(to: index)
      }
    case .option, .optgroup:
      if current.name == .option { pop() }
      if tag.name == .optgroup, current.name == .optgroup { pop() }
    case .rb, .rtc, .rt, .rp:
      if openInScope(where: { $0.name == .ruby }) != nil {
        closeImplied(except: tag.name == .rt || tag.name == .rp ? .rtc : nil)
      }
    default: break
    }
    reconstructFormatting()
    if tag.name.isFormatting, !isSelfClosing {
      insertFormatting(tag, attributes)
    } else {
      let isForeign = tag.name == .svg || tag.name == .math
      let node = insert(
        tag, attributes, isForeign: isForeign, isOpened: !tag.name.isVoid && !isSelfClosing)
      if tag.name == .iframe { frames.append(node) }
    }
  }

  /// Handles the start tag of a table part by closing elements up to its container. Outside a table
  /// it is ignored.
  private mutating func startTablePart(_ tag: TagName, _ attributes: Range<Int>) {
    let index = tableScope { container in
      switch container {
      case .table: true
      case .tr: tag.name == .td || tag.name == .th
      case .thead, .tbody, .tfoot: tag.name == .td || tag.name == .th || tag.name == .tr
      case .colgroup: tag.name == .col
      default: false
      }
    }
    guard let index else { return }
    pop(to: index + 1)
    let node = insert(tag, attributes, isOpened: !tag.name.isVoid)
    switch tag.name {
    case .tfoot: tableFeet.append(node)
    case .caption where tree.nodes[Int(node)].previousSibling >= 0: captions.append(node)
    default: break
    }
  }

  /// Moves captions between and after the rows of a table before them, where browsers show them by
  /// default.
  mutating func moveCaptions() {
    // The captions that precede all other parts, and for each table the first of these parts.
    var inFront: Set<Int32> = []
    var parts: [Int32: Int32] = [:]
    for caption in captions {
      let table = tree.nodes[Int(caption)].parent
      guard table >= 0 else { continue }
      if parts[table] == nil {
        var part = tree.nodes[Int(table)].firstChild
        while part >= 0, [.caption, .characters].contains(tree.nodes[Int(part)].name) {
          inFront.insert(part)
          part = tree.nodes[Int(part)].nextSibling
        }
        parts[table] = part
      }
      guard let first = parts[table], first >= 0, !inFront.contains(caption) else { continue }
      tree.detach(caption)
      tree.insert(caption, before: first)
    }
  }

  /// Moves the foot of each table after its rows, where browsers show it.
  mutating func moveTableFeet() {
    var tables: Set<Int32> = []
    for foot in tableFeet {
      let table = tree.nodes[Int(foot)].parent
      guard table >= 0, tables.insert(table).inserted else { continue }
      tree.detach(foot)
      tree.append(foot, to: table)
    }
  }

  /// Closes an open `select` before an element that it cannot contain.
  private mutating func leaveSelect(before name: ElementName) {
    switch name {
    case .select, .input, .textarea, .table:
      if let index = open.lastIndex(where: { $0.name == .select }) { pop(to: index) }
    default: break
    }
  }

  // MARK: End tags

  /// Handles an end tag in the "in body" insertion mode and those of tables and selects.
  mutating func endInBody(_ tag: TagName) {
    switch tag.name {
    case .p:
      if openParagraphs == 0
        || openInScope(behind: { $0.boundsScope || $0 == .button }, where: { $0.name == .p }) == nil
      {
        insert(tag, tree.attributes.count..<tree.attributes.count, isOpened: false)
      } else {
        closeParagraph()
      }
    case .br:
      reconstructFormatting()
      insert(tag, tree.attributes.count..<tree.attributes.count, isOpened: false)
    case .h1, .h2, .h3, .h4, .h5, .h6:
      guard let index = openInScope(where: { $0.name.headingLevel > 0 }) else { return }
      pop(to: index)
    case .li:
      let index = openInScope(
        behind: { $0.boundsScope || $0 == .ul || $0 == .ol }, where: { $0.name == .li })
      guard let index else { return }
      pop(to: index)
    case .table, .thead, .tbody, .tfoot, .tr, .td, .th, .caption, .colgroup:
      guard let index = tableScope({ $0 == tag.name }) else { return }
      pop(to: index)
    case .select:
      if let index = open.lastIndex(where: { $0.name == .select }) { pop(to: index) }
    case .form where current.name.holdsTableParts: break
    case let name where name.isFormatting: endFormatting(tag)
    case let name where name.endsParagraph || name == .button || name.isMarker:
      guard let index = openInScope(where: { $0.name == name }) else { return }
      pop(to: index)
    default: if !tag.name.isVoid { endOther(tag) }
    }
  }

  /// Handles "any other end tag": closes the innermost element with the name, unless a special
  /// element is open in it.
  mutating func endOther(_ tag: TagName) {
    var index = open.count - 1
    while index > 0 {
      if open[index].isNamed(tag) { return pop(to: index) }
      if open[index].name.isSpecial, !open[index].isForeign { return }
      index -= 1
    }
  }

  // MARK: SVG and MathML

  /// Handles a start tag in SVG or MathML content.
  mutating func startForeign(
    _ tag: TagName, _ attributes: Range<Int>, _ isSelfClosing: Bool
  ) {
    // A title in SVG describes a graphic, not the page.
    let name = tag.name == .title ? TagName(.desc) : tag
    insert(name, attributes, isForeign: true, isOpened: !isSelfClosing)
  }

  /// Handles an end tag in SVG or MathML content.
  /// - Returns: Whether it closed an element.
  mutating func endForeign(_ tag: TagName) -> Bool {
    let name = tag.name == .title ? TagName(.desc) : tag
    var index = open.count - 1
    while index > 0, open[index].isForeign {
      if open[index].isNamed(name) {
        pop(to: index)
        return true
      }
      index -= 1
    }
    return false
  }

  // MARK: Scopes

  /// Closes the open `p` element in button scope, if any.
  mutating func closeParagraph() {
    guard openParagraphs > 0,
      let index = openInScope(behind: { $0.boundsScope || $0 == .button }, where: { $0.name == .p })
    else { return }
    pop(to: index)
  }

  /// Generates implied end tags.
  mutating func closeImplied(except kept: ElementName? = nil) {
    while current.name.hasImpliedEnd, current.name != kept { pop() }
  }

  /// Closes the previous list item or definition before the next one.
  @inline(__always)
  private mutating func closeItem(_ isItem: (ElementName) -> Bool) {
    var index = open.count - 1
    while index > 0 {
      let name = open[index].name
      if isItem(name) { return pop(to: index) }
      if name.isSpecial, name != .address, name != .div, name != .p { return }
      index -= 1
    }
  }

  /// Returns the index of the innermost open element in scope that satisfies a condition; nil if
  /// there is none.
  @inline(__always)
  func openInScope(
    behind isBarrier: (ElementName) -> Bool = \.boundsScope,
    where condition: (OpenElement) -> Bool
  ) -> Int? {
    var index = open.count - 1
    while index > 0 {
      let element = open[index]
      if condition(element) { return index }
      if element.isForeign ? element.isIntegrationPoint : isBarrier(element.name) {
        return nil
      }
      index -= 1
    }
    return nil
  }

  func isInScope(_ position: Int) -> Bool {
    let node = open[position].node
    return openInScope(where: { $0.node == node }) != nil
  }

  /// Returns the index of the innermost matching element within the innermost table or template;
  /// nil if there is none.
  @inline(__always)
  private func tableScope(_ isPart: (ElementName) -> Bool) -> Int? {
    var index = open.count - 1
    while index > 0 {
      if isPart(open[index].name), !open[index].isForeign { return index }
      if open[index].name == .table || open[index].name == .template { return nil }
      index -= 1
    }
    return nil
  }
}
