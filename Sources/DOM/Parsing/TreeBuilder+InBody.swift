extension TreeBuilder {
  // MARK: Start tags

  /// Handles a start tag in the "in body" insertion mode and those of tables and selects.
  mutating func startInBody(_ tag: TagName, _ attributes: Range<Int>, _ isSelfClosing: Bool) {
    let name = tag.name
    if name.isAllowedInTable, name != .form { return startTablePart(tag, attributes) }
    if currentNode.name == .colgroup, name != .template { pop() }
    if openSelectCount > 0 { closeSelect(before: name) }
    if name.closesParagraph {
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
      guard !hasOpenForm else { return }
      if currentNode.name.allowsOnlyTableParts {
        insertElement(tag, attributes, isOpened: false)
        return
      }
      closeParagraph()
      hasOpenForm = true
    case .li:
      closePreviousItem { $0 == .li }
      closeParagraph()
    case .dd, .dt:
      closePreviousItem { $0 == .dd || $0 == .dt }
      closeParagraph()
    case .h1, .h2, .h3, .h4, .h5, .h6:
      closeParagraph()
      if currentNode.name.headingLevel > 0 { pop() }
    default: closeParagraph()
    }
    let node = insertElement(tag, attributes, isOpened: !tag.name.isVoid && !isSelfClosing)
    if tag.name == .form { currentForm = node }
  }

  private mutating func startInline(
    _ tag: TagName, _ attributes: Range<Int>, _ isSelfClosing: Bool
  ) {
    switch tag.name {
    case .meta, .link, .base, .template, .title, .source, .track, .param:
      insertElement(tag, attributes, isOpened: !tag.name.isVoid && !isSelfClosing)
      return
    default: endElements(before: tag)
    }
    reconstructFormatting()
    if tag.name.isFormattingElement, !isSelfClosing {
      insertFormatting(tag, attributes)
    } else {
      let isForeign = tag.name == .svg || tag.name == .math
      let node = insertElement(
        tag, attributes, isForeign: isForeign, isOpened: !tag.name.isVoid && !isSelfClosing)
      switch tag.name {
      case .iframe: frames.append(node)
      case .input, .button, .select, .textarea:
        if let currentForm, !hasOpenForm { tree.formOwners[node] = currentForm }
      default: break
      }
    }
  }

  /// Ends the open elements that may not contain an inline element.
  private mutating func endElements(before tag: TagName) {
    switch tag.name {
    case .a:
      if let entry = formattingIndex(of: .a) {
        let node = activeFormattingElements[entry].node
        endFormatting(tag)
        if let remainingIndex = activeFormattingElements.firstIndex(where: { $0.node == node }) {
          activeFormattingElements.remove(at: remainingIndex)
        }
        if let remainingIndex = openElements.lastIndex(where: { $0.node == node }) {
          removeOpen(at: remainingIndex)
        }
      }
    case .button:
      if let index = indexOfOpenElementInScope(where: { $0.name == .button }) {
        generateImpliedEndTags()
        pop(to: index)
      }
    case .option, .optgroup:
      if currentNode.name == .option { pop() }
      if tag.name == .optgroup, currentNode.name == .optgroup { pop() }
    case .rb, .rtc, .rt, .rp:
      if indexOfOpenElementInScope(where: { $0.name == .ruby }) != nil {
        generateImpliedEndTags(except: tag.name == .rt || tag.name == .rp ? .rtc : nil)
      }
    default: break
    }
  }

  /// Handles the start tag of a table part by closing elements up to its container. Outside a table
  /// it is ignored.
  private mutating func startTablePart(_ tag: TagName, _ attributes: Range<Int>) {
    let index = indexInTableScope { container in
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
    let node = insertElement(tag, attributes, isOpened: !tag.name.isVoid)
    switch tag.name {
    case .tfoot: tableFeet.append(node)
    case .thead where tree.nodes[Int(node)].previousSibling != nil: tableHeads.append(node)
    case .caption where tree.nodes[Int(node)].previousSibling != nil:
      misplacedCaptions.append(node)
    default: break
    }
  }

  /// Moves captions between and after the rows of a table before them, where browsers show them by
  /// default.
  mutating func moveCaptions() {
    // The captions that precede all other parts, and for each table the first of these parts; nil
    // if it has no other part.
    var inFront: Set<Int32> = []
    var parts: [Int32: Int32?] = [:]
    for caption in misplacedCaptions {
      guard let table = tree.nodes[Int(caption)].parent else { continue }
      if parts[table] == nil {
        var next = tree.nodes[Int(table)].firstChild
        while let part = next, [.caption, .characters].contains(tree.nodes[Int(part)].name) {
          inFront.insert(part)
          next = tree.nodes[Int(part)].nextSibling
        }
        parts.updateValue(next, forKey: table)
      }
      guard let first = parts[table], let first, !inFront.contains(caption) else { continue }
      tree.detach(caption)
      tree.insert(caption, before: first)
    }
  }

  /// Moves the foot of each table after its rows, where browsers show it.
  mutating func moveTableFeet() {
    var tables: Set<Int32> = []
    for foot in tableFeet {
      guard let table = tree.nodes[Int(foot)].parent, tables.insert(table).inserted else {
        continue
      }
      tree.detach(foot)
      tree.append(foot, to: table)
    }
  }

  /// Moves the first head of each table before its rows, where browsers show it.
  mutating func moveTableHeads() {
    var tables: Set<Int32> = []
    for head in tableHeads {
      guard let table = tree.nodes[Int(head)].parent, tables.insert(table).inserted else {
        continue
      }
      var next = tree.nodes[Int(table)].firstChild
      while let part = next, ![.thead, .tbody, .tfoot, .tr].contains(tree.nodes[Int(part)].name) {
        next = tree.nodes[Int(part)].nextSibling
      }
      guard let part = next, part != head, tree.nodes[Int(part)].name != .thead else { continue }
      tree.detach(head)
      tree.insert(head, before: part)
    }
  }

  /// Closes an open `select` before an element that it cannot contain.
  private mutating func closeSelect(before name: ElementName) {
    switch name {
    case .select, .input, .textarea, .table:
      if let index = openElements.lastIndex(where: { $0.name == .select }) { pop(to: index) }
    default: break
    }
  }

  // MARK: End tags

  /// Handles an end tag in the "in body" insertion mode and those of tables and selects.
  mutating func endInBody(_ tag: TagName) {
    switch tag.name {
    case .p:
      if openParagraphCount > 0,
        let index = indexOfOpenElementInScope(
          boundedBy: { $0.isScopeBoundary || $0 == .button }, where: { $0.name == .p })
      {
        pop(to: index)
      } else {
        insertElement(tag, tree.attributes.count..<tree.attributes.count, isOpened: false)
      }
    case .br:
      reconstructFormatting()
      insertElement(tag, tree.attributes.count..<tree.attributes.count, isOpened: false)
    case .h1, .h2, .h3, .h4, .h5, .h6:
      guard let index = indexOfOpenElementInScope(where: { $0.name.headingLevel > 0 }) else {
        return
      }
      pop(to: index)
    case .li:
      let index = indexOfOpenElementInScope(
        boundedBy: { $0.isScopeBoundary || $0 == .ul || $0 == .ol }, where: { $0.name == .li })
      guard let index else { return }
      pop(to: index)
    case .table, .thead, .tbody, .tfoot, .tr, .td, .th, .caption, .colgroup:
      guard let index = indexInTableScope({ $0 == tag.name }) else { return }
      pop(to: index)
    case .select:
      if let index = openElements.lastIndex(where: { $0.name == .select }) { pop(to: index) }
    case .form: endForm()
    case let name where name.isFormattingElement: endFormatting(tag)
    case let name where name.closesParagraph || name == .button || name.insertsFormattingMarker:
      guard let index = indexOfOpenElementInScope(where: { $0.name == name }) else { return }
      pop(to: index)
    default: if !tag.name.isVoid { endOtherElement(tag) }
    }
  }

  /// Handles the end tag of a form.
  private mutating func endForm() {
    currentForm = nil
    guard !currentNode.name.allowsOnlyTableParts,
      let index = indexOfOpenElementInScope(where: { $0.name == .form })
    else { return }
    pop(to: index)
  }

  /// Handles "any other end tag": closes the innermost element with the name, unless a special
  /// element is open in it.
  mutating func endOtherElement(_ tag: TagName) {
    var index = openElements.count - 1
    while index > 0 {
      if openElements[index].isNamed(tag) { return pop(to: index) }
      if openElements[index].name.isSpecial, !openElements[index].isForeign { return }
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
    insertElement(name, attributes, isForeign: true, isOpened: !isSelfClosing)
  }

  /// Handles an end tag in SVG or MathML content.
  /// - Returns: Whether it closed an element.
  mutating func endForeign(_ tag: TagName) -> Bool {
    let name = tag.name == .title ? TagName(.desc) : tag
    var index = openElements.count - 1
    while index > 0, openElements[index].isForeign {
      if openElements[index].isNamed(name) {
        pop(to: index)
        return true
      }
      index -= 1
    }
    return false
  }

  // MARK: Scopes

  /// Closes the open `p` element in button scope, if any, before another block. A `select` may
  /// contain blocks, so a paragraph around it stays open.
  mutating func closeParagraph() {
    guard openParagraphCount > 0,
      let index = indexOfOpenElementInScope(
        boundedBy: { $0.isScopeBoundary || $0 == .button || $0 == .select },
        where: { $0.name == .p })
    else { return }
    pop(to: index)
  }

  /// Generates implied end tags.
  mutating func generateImpliedEndTags(except excluded: ElementName? = nil) {
    while currentNode.name.mayOmitEndTag, currentNode.name != excluded { pop() }
  }

  /// Closes the previous list item or definition before the next one.
  @inline(__always)
  private mutating func closePreviousItem(_ isItem: (ElementName) -> Bool) {
    var index = openElements.count - 1
    while index > 0 {
      let name = openElements[index].name
      if isItem(name) { return pop(to: index) }
      if name.isSpecial, name != .address, name != .div, name != .p { return }
      index -= 1
    }
  }

  /// Returns the index of the innermost open element in scope that satisfies a condition; nil if
  /// there is none.
  @inline(__always)
  func indexOfOpenElementInScope(
    boundedBy isBarrier: (ElementName) -> Bool = \.isScopeBoundary,
    where condition: (OpenElement) -> Bool
  ) -> Int? {
    var index = openElements.count - 1
    while index > 0 {
      let element = openElements[index]
      if condition(element) { return index }
      if element.isForeign ? element.isIntegrationPoint : isBarrier(element.name) {
        return nil
      }
      index -= 1
    }
    return nil
  }

  func isInScope(_ position: Int) -> Bool {
    let node = openElements[position].node
    return indexOfOpenElementInScope(where: { $0.node == node }) != nil
  }

  /// Returns the index of the innermost matching element within the innermost table or template;
  /// nil if there is none.
  @inline(__always)
  private func indexInTableScope(_ isPart: (ElementName) -> Bool) -> Int? {
    var index = openElements.count - 1
    while index > 0 {
      if isPart(openElements[index].name), !openElements[index].isForeign { return index }
      if openElements[index].name == .table || openElements[index].name == .template { return nil }
      index -= 1
    }
    return nil
  }
}
