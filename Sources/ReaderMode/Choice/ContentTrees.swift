import DOM

/// An ensemble of decision trees over the features of a block or of a page.
package struct ContentTrees: Sendable {
  /// The items that an ensemble classifies, and the two classes.
  package enum Subject: CaseIterable, Sendable {
    /// The blocks of pages for which `Readability` extracted an article: content or not.
    case blocksWithArticle
    /// The blocks of all other pages: content or not.
    case blocksWithoutArticle
    /// Pages (`PageFeatures`): article or not.
    case pages
  }

  /// Returns the ensemble for a subject.
  package typealias Provider = @Sendable (Subject) -> ContentTrees

  /// Returns the built-in ensembles, which are parsed from the tables of `ContentModel` on first
  /// use.
  package static let builtIn: Provider = { subject in
    switch subject {
    case .blocksWithArticle: article
    case .blocksWithoutArticle: page
    case .pages: kind
    }
  }

  private static let article = ContentTrees(ContentModel.articleTable)
  private static let page = ContentTrees(ContentModel.pageTable)
  private static let kind = ContentTrees(ContentModel.kindTable)

  /// A node of a tree: a question (compare a feature with a threshold) or a leaf with a result. The
  /// successor for the answer yes directly follows the question.
  struct Node {
    /// The index of the successor for the answer no; 0 for a leaf.
    var falseSuccessor: Int32 = 0
    /// The result of a leaf: log-odds in thousandths.
    var logOdds: Int32 = 0
    /// The feature that a question compares with `threshold`.
    var feature: UInt8 = 0
    /// The largest value of the feature for which the answer to the question is yes.
    var threshold: UInt8 = 0
  }

  /// The nodes of all trees, in preorder.
  private(set) var nodes: [Node] = []
  /// The first node of each tree.
  private(set) var roots: [Int32] = []
  /// The lowest result of all leaves, in thousandths.
  let minimum: Int32

  /// Parses a table: one tree per line, with its nodes in preorder and separated by spaces. A
  /// question is `feature<threshold`, a result an integer; results differ by at most 255.
  init(_ table: StaticString) {
    self.init(UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount))
  }

  /// Parses the bytes of a table.
  package init(_ table: UnsafeBufferPointer<UInt8>) {
    var roots: [Int32] = [0]
    // Questions whose successor for no has not been read yet.
    var open: [Int32] = []
    var minValue = Int32.max
    nodes = Array(unsafeUninitializedCapacity: table.count + 1) { nodes, count in
      var reader = NodeTextParser()
      var end = 0
      func add() {
        guard reader.hasNumber else { return }
        let value = reader.value
        defer { reader = NodeTextParser() }
        if let feature = reader.feature {
          open.append(Int32(end))
          nodes.initializeElement(
            at: end,
            to: Node(
              feature: UInt8(truncatingIfNeeded: feature),
              threshold: UInt8(truncatingIfNeeded: value)))
          end += 1
          return
        }
        nodes.initializeElement(at: end, to: Node(logOdds: value))
        end += 1
        minValue = min(minValue, value)
        if let question = open.popLast() {
          nodes[Int(question)].falseSuccessor = Int32(end)
        } else {
          roots.append(Int32(end))
        }
      }
      for byte in table where !reader.read(byte) { add() }
      add()
      count = end
    }
    // Removes an incomplete tree at the end.
    nodes.removeSubrange(Int(roots.removeLast())...)
    self.roots = roots
    self.minimum = nodes.isEmpty ? 0 : minValue
  }

  /// Classifies blocks or pages.
  /// - Parameters:
  ///   - count: The number of blocks or pages.
  ///   - features: Returns one column per feature for at most `FeatureColumn.count` of them.
  /// - Returns: For each block, the probability that it is content; for each page, that it is an
  ///   article.
  func probabilities(_ count: Int, features: (Range<Int>) -> [FeatureColumn]) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(count)
    let base = Float(minimum) * Float(roots.count)
    for first in stride(from: 0, to: count, by: TreeEvaluator.maxBlocks) {
      let blocks = first..<min(first + TreeEvaluator.maxBlocks, count)
      TreeEvaluator.forEachSum(of: self, blocks, features) {
        result.append(Self.logistic((base + Float($0)) / 1000))
      }
    }
    return result
  }

  /// Returns the contribution of each feature to the log-odds of a block: along the path through
  /// each tree, the changes of the mean at its questions.
  /// - Parameter row: The features of the block.
  /// - Returns: The features and their contributions, the largest first.
  func contributions(_ row: [UInt8]) -> [(feature: Int, share: Float)] {
    // For a question, the mean of its subtree.
    var means = nodes.map(\.logOdds)
    for (index, node) in nodes.enumerated().reversed() where node.falseSuccessor > 0 {
      means[index] = (means[index + 1] + means[Int(node.falseSuccessor)]) / 2
    }
    var shares: [Int: Int32] = [:]
    for root in roots {
      var position = Int(root)
      while case let node = nodes[position], node.falseSuccessor > 0 {
        let next =
          row[Int(node.feature)] <= node.threshold ? position + 1 : Int(node.falseSuccessor)
        shares[Int(node.feature), default: 0] += means[next] - means[position]
        position = next
      }
    }
    return shares.map { ($0.key, Float($0.value) / 1000) }
      .sorted { (abs($0.1), $1.0) > (abs($1.1), $0.0) }
  }

  /// Returns 1 / (1 + e^-x), with e^x approximated by (1 + x/1024)^1024.
  private static func logistic(_ x: Float) -> Float {
    var power = 1 + Double(max(-20, min(20, -x))) / 1024
    for _ in 0..<10 { power *= power }
    return Float(1 / (1 + power))
  }
}

/// A parser for `12<5` and `-7`.
private struct NodeTextParser {
  /// The last number.
  var value: Int32 { isNegative ? 0 &- digits : digits }
  /// The number before `<`; nil until a `<` was read.
  private(set) var feature: Int32?
  private(set) var hasNumber = false
  private var digits: Int32 = 0
  private var isNegative = false

  /// Parses a byte.
  /// - Returns: False if the byte is not part of a number.
  @inline(__always)
  mutating func read(_ byte: UInt8) -> Bool {
    let digit = byte &- UInt8(ascii: "0")
    if digit < 10 {
      digits = digits &* 10 &+ Int32(digit)
      hasNumber = true
      return true
    }
    switch byte {
    case UInt8(ascii: "-"): isNegative = true
    case UInt8(ascii: "<"): (feature, digits, isNegative) = (value, 0, false)
    default: return false
    }
    return true
  }
}
