import TestSupport
import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

struct ContentTreesTests {
  /// The probability of one block, computed by walking down each tree.
  private func probabilityByWalking(_ trees: ContentTrees, _ features: [UInt8]) -> Float {
    let sum = trees.roots.reduce(0) { sum, root in
      var position = Int(root)
      while case let node = trees.nodes[position], node.falseSuccessor > 0 {
        position =
          features[Int(node.feature)] <= node.threshold ? position + 1 : Int(node.falseSuccessor)
      }
      return sum + Int(trees.nodes[position].logOdds - trees.minimum)
    }
    // A table with a single leaf for each sum gives the same probability.
    return ContentTrees("\(sum + Int(trees.minimum) * trees.roots.count)".bytes)
      .probabilities(1) { _ in [.zero] }[0]
  }

  @Test(arguments: [0, 1, 7, 63, 64, 65, 128, 1024, 1025])
  func `a batch of blocks gets the same results as each block alone`(count: Int) {
    let trees = ContentTrees(
      "0<5 1<9 -100 20 1<0 120 130\n3<255 7 8 2<0 9 10\n1<3 50 2<7 -50 3<4 0 155\n5")
    var random = SplitMix64(seed: UInt64(count))
    // The third feature is constant, and the last one nearly so.
    let rows: [[UInt8]] = (0..<count).map { block in
      [
        UInt8(random.next() % 11), UInt8(random.next() % 256), 7,
        block == count - 1 ? 200 : 4,
      ]
    }
    let probabilities = trees.probabilities(count) { blocks in
      var columns = [FeatureColumn](repeating: .zero, count: 4)
      for block in blocks {
        for feature in 0..<4 {
          columns[feature].lanes[block - blocks.lowerBound] = rows[block][feature]
        }
      }
      return columns
    }
    #expect(probabilities == rows.map { probabilityByWalking(trees, $0) })
  }

  @Test(
    arguments: [
      ("", 0), ("5", 1), ("-5\n7", 2), ("0<5 1", 0), ("0<5 1 2", 1), ("3\n0<5 1", 1),
      ("  4 \n\n", 1), ("<", 0), ("-", 0), ("x4y-5z", 2), ("0<5 0<4 1 2", 0),
      ("0<5 0<4 1 2 3 4", 2),
    ] as [(String, Int)])
  func `a table is read up to its last complete tree, with any non-number as separator`(
    table: String, count: Int
  ) {
    let trees = ContentTrees(table.bytes)
    #expect(trees.roots.count == count)
    #expect(trees.nodes.allSatisfy { $0.falseSuccessor < trees.nodes.count })
    #expect(trees.probabilities(1) { _ in [.zero] }.count == 1)
  }

  @Test func `sums may need two bytes`() {
    let table = Array(repeating: "0<1 -2 253", count: 200).joined(separator: "\n")
    let trees = ContentTrees(table.bytes)
    #expect(trees.maxSum == 200 * 255)
    let probabilities = trees.probabilities(2) { _ in
      var columns = [FeatureColumn.zero]
      columns[0].lanes[1] = 2
      return columns
    }
    #expect(probabilities[0] < 0.41)
    #expect(probabilities[1] > 0.999)
  }

  @Test func `the features of a block are the same in a batch and alone`() {
    let blocks = (0..<150).map { index in
      switch index % 5 {
      case 0: "<h2>Related products \(index)</h2>"
      case 1: "<ul class=menu><li>Home <li><a href=/>Contact us</a></ul>"
      case 2:
        "<div class='comment author'><time>Today</time> <span class=price>$ \(index)</span></div>"
      case 3: "<table><tr><td>\(index)<td>Two words<img></table>"
      default:
        "<p>A sentence of some words that goes on, and <em>on</em>, for the reader number \(index)."
      }
    }
    let source = "<title>Products</title><nav>Menu</nav><main><h1>Products</h1>" + blocks.joined()
    let tree = DOMParser.parse(Array(source.utf8))
    let page = PageBlocks(tree)
    var features = BlockFeatures(
      page, BlockRepetitions(page, of: tree, title: "Products"), PageKind(of: page), nil)
    #expect(page.blocks.count > 2 * FeatureColumn.count)
    let size = FeatureColumn.count
    for first in stride(from: 0, to: page.blocks.count, by: size) {
      let blocks = first..<min(first + size, page.blocks.count)
      let columns = features.columns(of: blocks)
      for block in blocks {
        let row = features.row(block)
        #expect(columns.map { $0.lanes[block - first] } == row)
        let around = BlockTopic.allCases.map { topic in
          page.distance(to: topic, from: page.blocks[block]).map { min(15, $0) } ?? 16
        }
        let start = BlockFeatures.names.firstIndex(of: "in main") ?? 0
        #expect(row[start..<start + BlockTopic.count].map { Int($0) } == around)
      }
    }
  }
}

extension String {
  /// A copy of the UTF-8 bytes at a stable memory location.
  fileprivate var bytes: UnsafeBufferPointer<UInt8> {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: utf8.count)
    _ = copy.initialize(from: utf8)
    return UnsafeBufferPointer(copy)
  }
}

extension ContentTrees {
  /// The number of features that the trees need; blocks must have at least as many.
  var requiredFeatureCount: Int { 1 + Int(nodes.map(\.feature).max() ?? 0) }

  /// The difference between the highest and the lowest result; must be at most 255.
  var span: Int { Int((leafValues(in: nodes.indices).max() ?? minimum) - minimum) }

  /// The highest possible sum over all trees of results minus the lowest result; must be at most
  /// 65,535.
  var maxSum: Int {
    let ends = roots.dropFirst() + [Int32(nodes.count)]
    return zip(roots, ends).reduce(0) { sum, tree in
      sum + Int((leafValues(in: Int(tree.0)..<Int(tree.1)).max() ?? minimum) - minimum)
    }
  }

  private func leafValues(in range: Range<Int>) -> [Int32] {
    nodes[range].filter { $0.falseSuccessor == 0 }.map(\.logOdds)
  }
}
