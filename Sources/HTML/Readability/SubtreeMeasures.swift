/// What stands below a node of a tree, in numbers.
struct SubtreeMeasure: Sendable {
  /// Characters of text, runs of white space counted once.
  var length: Int32 = 0
  /// Characters of them in links; those of links within the page count less.
  var linkLength: Float = 0
  /// Commas of any script.
  var commas: Int32 = 0
  /// Characters in headings, in lists and in elements that usually hold text; nested ones count
  /// once for each.
  var headingLength: Int32 = 0
  var listLength: Int32 = 0
  var textLength: Int32 = 0
  /// How many elements of a kind there are.
  var paragraphs: Int32 = 0
  var images: Int32 = 0
  var items: Int32 = 0
  var inputs: Int32 = 0
  var embeds: Int32 = 0
  /// Elements that make their parent more than a paragraph.
  var blocks: Int32 = 0
  /// Tables of data.
  var tables: Int32 = 0

  /// The share of the text that stands in links, 0 to 1.
  var linkDensity: Float { length == 0 ? 0 : linkLength / Float(length) }
  /// How much of the text is in headings; above 1 when they are nested.
  var headingDensity: Float { length == 0 ? 0 : Float(headingLength) / Float(length) }

  static func += (sum: inout SubtreeMeasure, part: SubtreeMeasure) { sum.add(part, 1) }
  static func -= (sum: inout SubtreeMeasure, part: SubtreeMeasure) { sum.add(part, -1) }

  private mutating func add(_ part: SubtreeMeasure, _ sign: Int32) {
    length += sign * part.length
    linkLength += Float(sign) * part.linkLength
    commas += sign * part.commas
    headingLength += sign * part.headingLength
    listLength += sign * part.listLength
    textLength += sign * part.textLength
    paragraphs += sign * part.paragraphs
    images += sign * part.images
    items += sign * part.items
    inputs += sign * part.inputs
    embeds += sign * part.embeds
    blocks += sign * part.blocks
    tables += sign * part.tables
  }
}

/// The measures of all nodes below a root, kept true while nodes are taken out.
struct SubtreeMeasures {
  private var measures: [SubtreeMeasure]
  private let root: Int32

  /// Measures all that is below `root`, in time linear to it.
  /// - Parameters:
  ///   - tree: The page.
  ///   - root: Whose descendants are measured.
  ///   - dataTables: Tables that hold data and do not only arrange.
  init(_ tree: DOMTree, below root: Int32 = 0, dataTables: Set<Int32> = []) {
    self.root = root
    measures = Array(repeating: SubtreeMeasure(), count: tree.nodes.count)
    var order: [Int32] = []
    var node = tree.next(root, in: root)
    while node >= 0 {
      order.append(node)
      node = tree.next(node, in: root)
    }
    tree.bytes.withUnsafeBufferPointer { bytes in
      for node in order.reversed() {
        let element = tree.nodes[Int(node)]
        if element.name == .characters {
          measures[Int(node)] = bytes.measure(Int(element.start)..<Int(element.end))
        } else if dataTables.contains(node) {
          measures[Int(node)].tables += 1
        }
        let share = Self.share(of: node, tree, measures[Int(node)])
        measures[Int(element.parent)] += share
      }
    }
  }

  /// The measure of what stands below a node.
  subscript(node: Int32) -> SubtreeMeasure { measures[Int(node)] }

  /// Takes a node out of the sums of all above it; done before it leaves the tree.
  mutating func remove(_ node: Int32, _ tree: DOMTree) {
    var share = Self.share(of: node, tree, measures[Int(node)])
    var above = tree.nodes[Int(node)].parent
    while above >= 0 {
      measures[Int(above)] -= share
      guard above != root else { return }
      share = Self.grown(share, by: tree.nodes[Int(above)].name, above, tree)
      above = tree.nodes[Int(above)].parent
    }
  }

  /// What a node adds to its parent.
  private static func share(of node: Int32, _ tree: DOMTree, _ own: SubtreeMeasure)
    -> SubtreeMeasure
  {
    let name = tree.nodes[Int(node)].name
    var share = grown(own, by: name, node, tree)
    switch name {
    case .p: share.paragraphs += 1
    case .img: share.images += 1
    case .li: share.items += 1
    case .input: share.inputs += 1
    case .object, .embed, .iframe: share.embeds += 1
    default: break
    }
    if name.makesBlock { share.blocks += 1 }
    return share
  }

  /// A measure seen from above an element: its text is that of a heading, a list, a link.
  private static func grown(
    _ measure: SubtreeMeasure, by name: ElementName, _ node: Int32, _ tree: DOMTree
  ) -> SubtreeMeasure {
    var measure = measure
    switch name {
    case .h1, .h2, .h3, .h4, .h5, .h6: measure.headingLength += measure.length
    case .ul, .ol: measure.listLength += measure.length
    case .a: measure.linkLength += Float(measure.length) * (tree.linksWithin(node) ? 0.3 : 1)
    default: break
    }
    if name.holdsText { measure.textLength += measure.length }
    return measure
  }
}

extension DOMTree {
  /// Whether a link leads to a place of its own page.
  fileprivate func linksWithin(_ node: Int32) -> Bool {
    guard let target = attribute(.href, of: node) else { return false }
    return target.count > 1 && bytes[target.lowerBound] == UInt8(ascii: "#")
  }
}

extension ElementName {
  /// Elements that make a `div` more than a paragraph.
  var makesBlock: Bool {
    switch self {
    case .blockquote, .dl, .div, .img, .ol, .p, .pre, .table, .ul: true
    default: false
    }
  }

  /// Elements that usually hold text.
  fileprivate var holdsText: Bool { makesBlock || self == .span || self == .li || self == .td }
}

extension UnsafeBufferPointer<UInt8> {
  /// Characters and commas of a text. White space at its ends counts once, white space alone not at
  /// all.
  func measure(_ range: Range<Int>) -> SubtreeMeasure {
    var measure = SubtreeMeasure()
    var isSpace = true
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = self[index]
      if byte.isWhiteSpace || isNoBreakSpace(at: index) {
        if !isSpace { measure.length += 1 }
        isSpace = true
        index += byte == 0xC2 ? 2 : 1
        continue
      }
      isSpace = false
      if byte & 0xC0 != 0x80 { measure.length += 1 }
      if byte == UInt8(ascii: ",") || byte >= 0xD8 && isComma(at: index) { measure.commas += 1 }
      index += 1
    }
    return measure
  }

  private func isNoBreakSpace(at index: Int) -> Bool {
    self[index] == 0xC2 && index + 1 < count && self[index + 1] == 0xA0
  }

  /// Arabic, ideographic, full-width, small and vertical commas.
  private func isComma(at index: Int) -> Bool {
    hasPrefix("\u{060C}", at: index) || hasPrefix("\u{FF0C}", at: index)
      || hasPrefix("\u{FE50}", at: index) || hasPrefix("\u{FE10}", at: index)
      || hasPrefix("\u{FE11}", at: index) || hasPrefix("\u{2E41}", at: index)
      || hasPrefix("\u{2E34}", at: index) || hasPrefix("\u{2E32}", at: index)
  }
}
