/// Receives the events of libxml2 and builds the tree.
///
/// The stack of open elements is libxml2's. Where HTML5 would have closed some of them (an item
/// that begins inside another one, a cell inside formatting), their entries are turned to the node
/// in which the new element belongs.
struct TreeSink {
  private(set) var tree = DOMTree()
  private var open: [OpenElement] = []

  /// An element whose end has not come yet.
  private struct OpenElement {
    /// The element itself.
    let element: Int32
    /// Where its children go.
    var node: Int32
    /// The sibling before it, of a table.
    var previous: Int32 = -1

    init(_ element: Int32, previous: Int32 = -1) {
      self.element = element
      self.node = element
      self.previous = previous
    }
  }

  init() {
    tree.nodes.append(
      DOMTree.Node(
        name: .other, contents: [], parent: -1, firstChild: -1, nextSibling: -1, start: 0, end: 0))
    open.append(OpenElement(0))
  }

  /// Makes room for a page of a number of bytes.
  mutating func reserve(_ count: Int) {
    tree.bytes.reserveCapacity(count)
    tree.nodes.reserveCapacity(count / 24)
    tree.attributes.reserveCapacity(count / 48)
  }

  /// Hands the tree over; the sink is empty afterwards.
  mutating func take() -> DOMTree {
    var result = DOMTree()
    swap(&result, &tree)
    return result
  }

  /// An element begins; `pairs` are names and values up to a null pointer.
  mutating func start(
    _ name: UnsafePointer<UInt8>,
    _ pairs: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  ) {
    let element = ElementName.named(UnsafeBufferPointer(start: name, count: Self.length(name)))
    let first = UInt32(tree.attributes.count)
    if let pairs { addAttributes(pairs) }
    closeImplied(by: element)
    let parent = current
    let isMisplaced = holdsTableParts(parent) && !element.isTablePart && !element.isInvisible
    let previous =
      if isMisplaced, let table = innermostTable {
        open[table].previous
      } else {
        tree.nodes[Int(parent)].lastChild
      }
    let node = append(element, start: first, end: UInt32(tree.attributes.count), isMisplaced)
    switch element {
    case .table: mark([.table, .block], from: tree.nodes[Int(node)].parent)
    case .img, .svg: mark(.image, from: tree.nodes[Int(node)].parent)
    default: if element.isBlock { mark(.block, from: tree.nodes[Int(node)].parent) }
    }
    open.append(OpenElement(node, previous: previous))
  }

  /// The element that began last ends.
  mutating func end() {
    if open.count > 1 { open.removeLast() }
  }

  /// Text, perhaps a part of it.
  mutating func characters(_ text: UnsafeBufferPointer<UInt8>) {
    let start = UInt32(tree.bytes.count)
    tree.bytes.append(contentsOf: text)
    let end = UInt32(tree.bytes.count)
    let parent = current
    if text.contains(where: { !$0.isWhiteSpace }) {
      let isMisplaced = holdsTableParts(parent)
      mark(.text, from: parent)
      if isMisplaced {
        _ = append(.characters, start: start, end: end, isMisplaced)
        return
      }
    }
    let last = Int(tree.nodes[Int(parent)].lastChild)
    if last >= 0, tree.nodes[last].name == .characters, tree.nodes[last].end == start {
      tree.nodes[last].end = end
    } else {
      _ = append(.characters, start: start, end: end, false)
    }
  }

  private var current: Int32 { open[open.count - 1].node }

  /// The index in `open` of the innermost table.
  private var innermostTable: Int? {
    open.lastIndex { $0.element == $0.node && tree.nodes[Int($0.node)].name == .table }
  }

  private mutating func addAttributes(_ pairs: UnsafeMutablePointer<UnsafePointer<UInt8>?>) {
    var pair = pairs
    while let name = pair[0] {
      let bytes = UnsafeBufferPointer(start: name, count: Self.length(name))
      if let attribute = AttributeName.named(bytes) {
        let start = UInt32(tree.bytes.count)
        if let value = pair[1] {
          tree.bytes.append(
            contentsOf: UnsafeBufferPointer(start: value, count: Self.length(value)))
        }
        tree.attributes.append(
          DOMTree.Attribute(name: attribute, start: start, end: UInt32(tree.bytes.count)))
      }
      pair += 2
    }
  }

  private mutating func append(
    _ name: ElementName, start: UInt32, end: UInt32, _ isMisplaced: Bool
  ) -> Int32 {
    let node = Int32(tree.nodes.count)
    if isMisplaced, let table = innermostTable {
      insert(name, start: start, end: end, beforeTable: table)
      return node
    }
    let parent = current
    let previous = tree.nodes[Int(parent)].lastChild
    tree.nodes.append(
      DOMTree.Node(
        name: name, contents: [], parent: parent, firstChild: -1, nextSibling: -1, start: start,
        end: end))
    if previous >= 0 {
      tree.nodes[Int(previous)].nextSibling = node
    } else {
      tree.nodes[Int(parent)].firstChild = node
    }
    tree.nodes[Int(parent)].lastChild = node
    return node
  }

  /// HTML standard, "foster parent": what may not stand in a table stands before it.
  private mutating func insert(
    _ name: ElementName, start: UInt32, end: UInt32, beforeTable index: Int
  ) {
    let node = Int32(tree.nodes.count)
    let table = open[index].node
    let parent = tree.nodes[Int(table)].parent
    tree.nodes.append(
      DOMTree.Node(
        name: name, contents: [], parent: parent, firstChild: -1, nextSibling: table, start: start,
        end: end))
    if open[index].previous >= 0 {
      tree.nodes[Int(open[index].previous)].nextSibling = node
    } else {
      tree.nodes[Int(parent)].firstChild = node
    }
    open[index].previous = node
  }

  /// Elements whose end tags may be left out end where the next of their kind begins.
  private mutating func closeImplied(by element: ElementName) {
    switch element {
    case .li: close(Self.items, within: Self.lists)
    case .dt, .dd: close(Self.definitions, within: Self.definitionLists)
    case .option: close(Self.options, within: Self.choices)
    case .optgroup: close(Self.optionGroups, within: Self.choices)
    case .td, .th: close(Self.cells, within: Self.rows)
    case .tr: close(Self.rowsAndCells, within: Self.sections)
    case .thead, .tbody, .tfoot, .caption: close(Self.tableParts, within: Self.tables)
    default: break
    }
  }

  private static let items: ElementSet = [.li]
  private static let lists: ElementSet = [.ul, .ol, .menu, .dir, .table, .td, .th, .caption]
  private static let definitions: ElementSet = [.dt, .dd]
  private static let definitionLists: ElementSet = [
    .dl, .table, .td, .th, .caption, .ul, .ol,
  ]
  private static let options: ElementSet = [.option]
  private static let optionGroups: ElementSet = [.optgroup, .option]
  private static let choices: ElementSet = [.select, .datalist]
  private static let cells: ElementSet = [.td, .th, .caption]
  private static let rows: ElementSet = [.table, .tr]
  private static let rowsAndCells: ElementSet = [.td, .th, .caption, .tr]
  private static let sections: ElementSet = [.table, .thead, .tbody, .tfoot]
  private static let tableParts: ElementSet = [.td, .th, .caption, .tr, .thead, .tbody, .tfoot]
  private static let tables: ElementSet = [.table]

  /// Turns the entries from the outermost of some elements on to its parent, looking no farther
  /// than the nearest of their containers.
  private mutating func close(_ elements: ElementSet, within containers: ElementSet) {
    var index = open.count - 1
    var outermost = -1
    while index > 0 {
      let name = tree.nodes[Int(open[index].node)].name
      if containers.contains(name) { break }
      if elements.contains(name) { outermost = index }
      index -= 1
    }
    guard outermost > 0 else { return }
    let parent = tree.nodes[Int(open[outermost].node)].parent
    for index in outermost..<open.count { open[index].node = parent }
  }

  /// Whether a node can only hold parts of a table; a form among them is passed over.
  private func holdsTableParts(_ node: Int32) -> Bool {
    var node = node
    while tree.nodes[Int(node)].name == .form, tree.nodes[Int(node)].parent >= 0 {
      node = tree.nodes[Int(node)].parent
    }
    return tree.nodes[Int(node)].name.holdsTableParts
  }

  /// Notes in a node and those above it what they hold, up to the first that knows.
  private mutating func mark(_ contents: DOMTree.Contents, from node: Int32) {
    var node = node
    while node >= 0, !tree.nodes[Int(node)].contents.isSuperset(of: contents) {
      tree.nodes[Int(node)].contents.formUnion(contents)
      node = tree.nodes[Int(node)].parent
    }
  }

  private static func length(_ string: UnsafePointer<UInt8>) -> Int {
    var end = string
    while end.pointee != 0 { end += 1 }
    return end - string
  }
}

extension ElementName {
  /// Elements whose children can only be parts of a table.
  fileprivate var holdsTableParts: Bool {
    switch self {
    case .table, .thead, .tbody, .tfoot, .tr, .colgroup: true
    default: false
    }
  }

  /// Elements that may stand directly in a table, its sections or rows.
  fileprivate var isTablePart: Bool {
    switch self {
    case .caption, .colgroup, .col, .thead, .tbody, .tfoot, .tr, .td, .th, .form: true
    default: false
    }
  }

  /// Elements that show nothing and so can stay where they are.
  fileprivate var isInvisible: Bool {
    switch self {
    case .script, .style, .template, .meta, .link: true
    default: false
    }
  }
}
