/// Receives the events of libxml2 and builds the tree.
///
/// The stack of open elements is libxml2's. Where HTML5 would have closed some of them (an item
/// that begins inside another one, a cell inside formatting), their entries are turned to the node
/// in which the new element belongs.
final class TreeSink {
  private(set) var tree = DOMTree()
  private var open: [OpenElement] = []

  /// An element whose end has not come yet.
  private struct OpenElement {
    /// Where its children go.
    var node: Int32
    /// The sibling before it, of a table.
    var previous: Int32 = -1
  }

  init() {
    tree.nodes.append(
      DOMTree.Node(
        name: .other, contents: [], parent: -1, firstChild: -1, nextSibling: -1, start: 0, end: 0))
    open.append(OpenElement(node: 0))
  }

  @inline(__always)
  static func from(_ context: UnsafeMutableRawPointer?) -> TreeSink? {
    context.map { Unmanaged<TreeSink>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Hands the tree over; the sink is empty afterwards.
  func take() -> DOMTree {
    var result = DOMTree()
    swap(&result, &tree)
    return result
  }

  /// An element begins; `pairs` are names and values up to a null pointer.
  func start(
    _ name: UnsafePointer<UInt8>,
    _ pairs: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  ) {
    let element = ElementName.named(UnsafeBufferPointer(start: name, count: Self.length(name)))
    let first = UInt32(tree.attributes.count)
    if let pairs { addAttributes(pairs) }
    closeImplied(by: element)
    let parent = current
    let previous = tree.nodes[Int(parent)].lastChild
    let isMisplaced = holdsTableParts(parent) && !element.isTablePart && !element.isInvisible
    let node = append(element, start: first, end: UInt32(tree.attributes.count), isMisplaced)
    switch element {
    case .table: mark([.table, .block], from: tree.nodes[Int(node)].parent)
    case .img, .svg: mark(.image, from: tree.nodes[Int(node)].parent)
    default: if element.isBlock { mark(.block, from: tree.nodes[Int(node)].parent) }
    }
    open.append(OpenElement(node: node, previous: isMisplaced ? -1 : previous))
  }

  /// The element that began last ends.
  func end() {
    if open.count > 1 { open.removeLast() }
  }

  /// Text, perhaps a part of it.
  func characters(_ text: UnsafeBufferPointer<UInt8>) {
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

  private func addAttributes(_ pairs: UnsafeMutablePointer<UnsafePointer<UInt8>?>) {
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

  private func append(
    _ name: ElementName, start: UInt32, end: UInt32, _ isMisplaced: Bool
  ) -> Int32 {
    let node = Int32(tree.nodes.count)
    if isMisplaced, let index = open.lastIndex(where: { tree.nodes[Int($0.node)].name == .table }) {
      insert(name, start: start, end: end, beforeTable: index)
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
  private func insert(
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
  private func closeImplied(by element: ElementName) {
    switch element {
    case .li:
      close([.li], within: [.ul, .ol, .menu, .dir, .table, .td, .th, .caption])
    case .dt, .dd:
      close([.dt, .dd], within: [.dl, .table, .td, .th, .caption, .ul, .ol])
    case .option, .optgroup:
      close(element == .option ? [.option] : [.optgroup, .option], within: [.select, .datalist])
    case .td, .th: close([.td, .th, .caption], within: [.table, .tr])
    case .tr: close([.td, .th, .caption, .tr], within: [.table, .thead, .tbody, .tfoot])
    case .thead, .tbody, .tfoot, .caption:
      close([.td, .th, .caption, .tr, .thead, .tbody, .tfoot], within: [.table])
    default: break
    }
  }

  /// Turns the entries from the outermost of some elements on to its parent, looking no farther
  /// than the nearest of their containers.
  private func close(_ elements: Set<ElementName>, within containers: Set<ElementName>) {
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
  private func mark(_ contents: DOMTree.Contents, from node: Int32) {
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
