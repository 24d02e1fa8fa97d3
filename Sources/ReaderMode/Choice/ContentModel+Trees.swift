import DOM

/// An ensemble of decision trees over the features of a block.
package struct ContentTrees: Sendable {
  /// What an ensemble judges.
  package enum Pages: Sendable {
    /// Pages that may be a text, of which `Readability` has found the best.
    case withArticle
    /// All others.
    case withoutArticle
  }

  /// Gives the ensemble for some pages.
  package typealias Choice = @Sendable (Pages) -> ContentTrees

  /// The ensembles of the tables of `ContentModel`, each read when it is asked for.
  package static let shared: Choice = { pages in
    switch pages {
    case .withArticle: article
    case .withoutArticle: page
    }
  }

  private static let article = ContentTrees(ContentModel.articleTable)
  private static let page = ContentTrees(ContentModel.pageTable)

  /// A question, or an answer. The node that follows a question on yes stands behind it.
  struct Node {
    /// The node that follows on no; 0 for an answer.
    var high: Int32 = 0
    /// Log-odds in thousandths.
    var answer: Int32 = 0
    /// A question: is a feature at most `limit`?
    var feature: UInt8 = 0
    var limit: UInt8 = 0
  }

  /// All trees, in preorder.
  private(set) var nodes: [Node] = []
  /// The first node of each tree.
  private(set) var roots: [Int32] = []
  /// The least answer.
  let least: Int32

  /// Reads a table: a tree a line, its nodes in preorder, separated by spaces. A question is
  /// `feature<limit`, an answer a whole number; answers differ by at most 255.
  init(_ table: StaticString) {
    self.init(UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount))
  }

  /// Reads the bytes of a table.
  package init(_ table: UnsafeBufferPointer<UInt8>) {
    var roots: [Int32] = [0]
    // Questions whose answer no has not come yet.
    var open: [Int32] = []
    var least = Int32.max
    nodes = Array(unsafeUninitializedCapacity: table.count + 1) { nodes, count in
      var reader = NumberReader()
      var end = 0
      func add() {
        guard reader.hasNumber else { return }
        let value = reader.value
        defer { reader = NumberReader() }
        if let feature = reader.feature {
          open.append(Int32(end))
          nodes.initializeElement(
            at: end,
            to: Node(
              feature: UInt8(truncatingIfNeeded: feature), limit: UInt8(truncatingIfNeeded: value)))
          end += 1
          return
        }
        nodes.initializeElement(at: end, to: Node(answer: value))
        end += 1
        least = min(least, value)
        if let question = open.popLast() {
          nodes[Int(question)].high = Int32(end)
        } else {
          roots.append(Int32(end))
        }
      }
      for byte in table where !reader.read(byte) { add() }
      add()
      count = end
    }
    // What is cut off is no tree.
    nodes.removeSubrange(Int(roots.removeLast())...)
    self.roots = roots
    self.least = nodes.isEmpty ? 0 : least
  }

  /// The number of features that are asked for; blocks have at least as many.
  var width: Int { 1 + Int(nodes.map(\.feature).max() ?? 0) }

  /// How far the answers lie apart; more than 255 do not fit.
  var span: Int { Int((answers(in: nodes.indices).max() ?? least) - least) }

  /// The sum over all trees of what each may give above the least answer; more than 65,535 do not fit.
  var height: Int {
    let ends = roots.dropFirst() + [Int32(nodes.count)]
    return zip(roots, ends).reduce(0) { sum, tree in
      sum + Int((answers(in: Int(tree.0)..<Int(tree.1)).max() ?? least) - least)
    }
  }

  private func answers(in range: Range<Int>) -> [Int32] {
    nodes[range].filter { $0.high == 0 }.map(\.answer)
  }

  /// Judges blocks.
  /// - Parameters:
  ///   - count: How many blocks there are.
  ///   - features: A column for each feature of some blocks, at most `FeatureColumn.count`.
  /// - Returns: The probability of each block that it is content.
  func probabilities(_ count: Int, features: (Range<Int>) -> [FeatureColumn]) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(count)
    let base = Float(least) * Float(roots.count)
    for first in stride(from: 0, to: count, by: ContentQuestions.mostBlocks) {
      let blocks = first..<min(first + ContentQuestions.mostBlocks, count)
      ContentQuestions.sums(of: self, blocks, features) {
        result.append(Self.logistic((base + Float($0)) / 1000))
      }
    }
    return result
  }

  /// What each feature adds to the log-odds of a block: on the way down a tree, the difference of
  /// the means before and behind each question.
  /// - Parameter row: The features of the block.
  /// - Returns: Features with their shares, the weightiest first.
  func shares(_ row: [UInt8]) -> [(feature: Int, share: Float)] {
    // At the place of a question the mean of what is below.
    var means = nodes.map(\.answer)
    for (index, node) in nodes.enumerated().reversed() where node.high > 0 {
      means[index] = (means[index + 1] + means[Int(node.high)]) / 2
    }
    var shares: [Int: Int32] = [:]
    for root in roots {
      var place = Int(root)
      while case let node = nodes[place], node.high > 0 {
        let next = row[Int(node.feature)] <= node.limit ? place + 1 : Int(node.high)
        shares[Int(node.feature), default: 0] += means[next] - means[place]
        place = next
      }
    }
    return shares.map { ($0.key, Float($0.value) / 1000) }
      .sorted { (abs($0.1), $1.0) > (abs($1.1), $0.0) }
  }

  /// 1 / (1 + e^-x), with e^x as (1 + x/1024)^1024.
  private static func logistic(_ x: Float) -> Float {
    var power = 1 + Double(max(-20, min(20, -x))) / 1024
    for _ in 0..<10 { power *= power }
    return Float(1 / (1 + power))
  }
}

/// Reads `12<5` and `-7`.
private struct NumberReader {
  /// The last number.
  var value: Int32 { isNegative ? 0 &- digits : digits }
  /// The number before `<`.
  private(set) var feature: Int32?
  private(set) var hasNumber = false
  private var digits: Int32 = 0
  private var isNegative = false

  /// Takes a byte.
  /// - Returns: False when it is no part of a number.
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
