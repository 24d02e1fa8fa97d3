/// How long the texts of a page are. It stays true however nodes are moved.
struct TextLengths {
  /// Characters and commas of each text.
  private let lengths: [SIMD2<Int32>]

  /// Measures all texts of a page.
  init(of tree: DOMTree) {
    var lengths = [SIMD2<Int32>](repeating: .zero, count: tree.nodes.count)
    tree.bytes.withUnsafeBufferPointer { bytes in
      for (index, node) in tree.nodes.enumerated()
      where node.name == .characters && node.parent >= 0 {
        lengths[index] = bytes.measure(Int(node.start)..<Int(node.end))
      }
    }
    self.lengths = lengths
  }

  /// Characters and commas of a text; one that was made since is taken for white space.
  subscript(node: Int32) -> SIMD2<Int32> {
    Int(node) < lengths.count ? lengths[Int(node)] : .zero
  }
}

/// The text below an element, in numbers.
struct TextMeasure {
  /// Characters, tenths of those in links, commas and blocks.
  fileprivate(set) var counts = SIMD4<Int32>()

  /// Characters, runs of white space counted once.
  var length: Int32 { counts[0] }
  /// Characters of them in links; those of links within the page count less.
  var linkLength: Float { Float(counts[1]) / 10 }
  /// Commas of any script.
  var commas: Int32 { counts[2] }
  /// Elements that make their parent more than a paragraph.
  var blocks: Int32 { counts[3] }
  /// The share of the text that stands in links, 0 to 1.
  var linkDensity: Float { length == 0 ? 0 : linkLength / Float(length) }
}

/// The measures of the texts below all elements of a page.
struct TextMeasures {
  private var measures: [TextMeasure]

  /// Adds up the texts of a page, in time linear to it.
  init(_ tree: DOMTree, _ lengths: TextLengths) {
    measures = Array(repeating: TextMeasure(), count: tree.nodes.count)
    for node in tree.preorder(below: 0).reversed() {
      let current = tree.nodes[Int(node)]
      let parent = Int(current.parent)
      if current.name == .characters {
        let own = lengths[node]
        measures[parent].counts &+= SIMD4(own[0], 0, own[1], 0)
        continue
      }
      var share = measures[Int(node)].counts
      if current.name == .a { share[1] &+= share[0] &* tree.linkWeight(of: node) }
      if current.name.makesBlock { share[3] &+= 1 }
      measures[parent].counts &+= share
    }
  }

  /// The measure of what stands below an element.
  subscript(node: Int32) -> TextMeasure { measures[Int(node)] }
}

extension DOMTree {
  /// The nodes below a root in document order.
  func preorder(below root: Int32) -> [Int32] {
    var order: [Int32] = []
    order.reserveCapacity(root == 0 ? nodes.count : 0)
    var node = next(root, in: root)
    while node >= 0 {
      order.append(node)
      node = next(node, in: root)
    }
    return order
  }

  /// How much a character of a link counts as one, in tenths: less when it leads to a place of its
  /// own page.
  func linkWeight(of link: Int32) -> Int32 {
    guard let target = attribute(.href, of: link), target.count > 1 else { return 10 }
    return bytes[target.lowerBound] == UInt8(ascii: "#") ? 3 : 10
  }

  /// Whether a text is white space alone.
  func isWhiteSpace(_ text: Node) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var index = Int(text.start)
      while index < Int(text.end) {
        if bytes.isNoBreakSpace(at: index) {
          index += 2
        } else if bytes[index].isWhiteSpace {
          index += 1
        } else {
          return false
        }
      }
      return true
    }
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
}

extension UnsafeBufferPointer<UInt8> {
  /// Characters and commas of a text. White space at its ends counts once, white space alone not at
  /// all.
  fileprivate func measure(_ range: Range<Int>) -> SIMD2<Int32> {
    var (length, commas) = (0, 0)
    var isSpace = true
    var index = range.lowerBound
    while index < range.upperBound {
      if let group = asciiGroup(at: index, before: range.upperBound) {
        let spaces = group.spaces
        let repeated = spaces & (spaces << 8 | (isSpace ? 0x80 : 0))
        length += repeated == 0 ? 8 : 8 - ASCIIGroup.count(repeated)
        let marks = group.bytes(equalTo: UInt8(ascii: ","))
        if marks != 0 { commas += ASCIIGroup.count(marks) }
        isSpace = spaces >> 63 != 0
        index += 8
        continue
      }
      let byte = self[index]
      if byte <= 0x20 || isNoBreakSpace(at: index) {
        if !isSpace { length += 1 }
        isSpace = true
        index += byte == 0xC2 ? 2 : 1
        continue
      }
      isSpace = false
      if byte & 0xC0 != 0x80 { length += 1 }
      if byte == UInt8(ascii: ",") || byte >= 0xD8 && isComma(at: index) { commas += 1 }
      index += 1
    }
    return SIMD2(Int32(truncatingIfNeeded: length), Int32(truncatingIfNeeded: commas))
  }

  fileprivate func isNoBreakSpace(at index: Int) -> Bool {
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
