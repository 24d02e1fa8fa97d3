// Evaluates 64 blocks at once: a question compares a column of features, one byte per block, with
// its limit and selects bytes from one of two columns of results. There are no branches on
// features, so every question is evaluated, except those that all blocks answer alike (about half
// for most pages, together with the subtrees they exclude).

/// One SIMD vector of a column. Comparisons of longer vectors are compiled to one comparison per
/// block.
private typealias Lanes = SIMD16<UInt8>

extension Lanes {
  /// Returns a vector with the bytes of `other` where the mask is set.
  @inline(__always)
  fileprivate func replacing(by other: Lanes, where mask: SIMDMask<SIMD16<Int8>>) -> Lanes {
    self ^ (self ^ other) & unsafeBitCast(mask, to: Lanes.self)
  }
}

/// The questions of the trees that the given blocks may answer differently.
struct TreeEvaluator {
  fileprivate static let vectorsPerColumn = FeatureColumn.count / Lanes.scalarCount

  /// The maximum number of blocks evaluated together, so that their features stay in the CPU cache.
  static let maxBlocks = 16 * FeatureColumn.count

  /// A decision node of a tree: the next node is `lowColumn` if the feature is at most the limit,
  /// otherwise `highColumn`. A `lowColumn` or `highColumn` below `resultColumnCount` is not a node
  /// but the result of a leaf, from which the least result of the trees has been subtracted.
  private struct DecisionNode {
    var lowColumn: UInt16
    var highColumn: UInt16
    var feature: UInt8
    var threshold: UInt8
  }

  /// The questions, each after the questions to which it leads.
  private var decisionNodes: [DecisionNode] = []
  /// For each tree that is not constant, its first question.
  private var rootColumns: [UInt16] = []
  /// The sum of the trees that are constant for these blocks.
  private var constantSum: UInt16 = 0

  /// The number of result columns, which precede the columns of questions.
  private static let resultColumnCount = 256

  /// Evaluates trees for a range of blocks.
  /// - Parameters:
  ///   - trees: The trees.
  ///   - blocks: The blocks, at most `maxBlocks`.
  ///   - features: Returns one column per feature for at most `FeatureColumn.count` blocks.
  ///   - body: Called for each block with the sum over all trees of their results minus the least
  ///     result.
  static func forEachSum(
    of trees: ContentTrees, _ blocks: Range<Int>,
    _ features: (Range<Int>) -> [FeatureColumn], _ body: (UInt16) -> Void
  ) {
    let size = FeatureColumn.count
    let groups = stride(from: blocks.lowerBound, to: blocks.upperBound, by: size).map {
      let group = $0..<min($0 + size, blocks.upperBound)
      return BlockGroup(count: group.count, columns: features(group))
    }
    let questions = TreeEvaluator(trees, FeatureBounds(groups))
    var values = questions.initialValues
    for group in groups {
      questions.evaluate(group.columns, &values)
      questions.sumResults(values, group.count, body)
    }
  }

  private init(_ trees: ContentTrees, _ bounds: FeatureBounds) {
    decisionNodes.reserveCapacity(trees.nodes.count / 2)
    trees.nodes.withUnsafeBufferPointer { nodes in
      for root in trees.roots {
        let position = add(Int(root), nodes, trees.minimum, bounds)
        if position < Self.resultColumnCount {
          constantSum &+= position
        } else {
          rootColumns.append(position)
        }
      }
    }
  }

  /// Adds a node of a tree and its successors.
  /// - Returns: The column of its result.
  private mutating func add(
    _ node: Int, _ nodes: UnsafeBufferPointer<ContentTrees.Node>, _ minResult: Int32,
    _ bounds: FeatureBounds
  ) -> UInt16 {
    var node = node
    while case let high = Int(nodes[node].falseSuccessor), high > 0 {
      let (feature, limit) = (nodes[node].feature, nodes[node].threshold)
      if bounds.maximum[Int(feature)] <= limit {
        node += 1
      } else if bounds.minimum[Int(feature)] > limit {
        node = high
      } else {
        let low = add(node + 1, nodes, minResult, bounds)
        decisionNodes.append(
          DecisionNode(
            lowColumn: low, highColumn: add(high, nodes, minResult, bounds), feature: feature,
            threshold: limit))
        return UInt16(Self.resultColumnCount + decisionNodes.count - 1)
      }
    }
    return UInt16(UInt8(clamping: nodes[node].logOdds - minResult))
  }

  /// Columns of all constant results, followed by empty columns for the questions.
  private var initialValues: [FeatureColumn] {
    var values = [FeatureColumn](
      repeating: .zero, count: Self.resultColumnCount + decisionNodes.count)
    values.withUnsafeMutableBytes { values in
      let values = values.bindMemory(to: Lanes.self)
      for position in 0..<Self.resultColumnCount * Self.vectorsPerColumn {
        values[position] = Lanes(
          repeating: UInt8(truncatingIfNeeded: position / Self.vectorsPerColumn))
      }
    }
    return values
  }

  /// Evaluates all questions into their columns.
  private func evaluate(_ features: [FeatureColumn], _ values: inout [FeatureColumn]) {
    values.withUnsafeMutableBytes { values in
      let values = values.bindMemory(to: Lanes.self)
      features.withUnsafeBytes { features in
        let features = features.bindMemory(to: Lanes.self)
        var position = Self.resultColumnCount * Self.vectorsPerColumn
        for question in decisionNodes {
          let limit = Lanes(repeating: question.threshold)
          let feature = Int(question.feature) * Self.vectorsPerColumn
          let (low, high) = (
            Int(question.lowColumn) * Self.vectorsPerColumn,
            Int(question.highColumn) * Self.vectorsPerColumn
          )
          for part in 0..<Self.vectorsPerColumn {
            values[position + part] = values[high + part].replacing(
              by: values[low + part], where: features[feature + part] .<= limit)
          }
          position += Self.vectorsPerColumn
        }
      }
    }
  }

  /// Adds up the results of all trees.
  private func sumResults(
    _ values: [FeatureColumn], _ count: Int, _ body: (UInt16) -> Void
  ) {
    // The sums of eight blocks as 16-bit numbers: those of the blocks with even and odd indices.
    typealias Sums = (even: UInt64, odd: UInt64)
    let (everySecond, size) = (0x00FF_00FF_00FF_00FF as UInt64, FeatureColumn.count / 8)
    values.withUnsafeBytes { values in
      let values = values.bindMemory(to: UInt64.self)
      for first in 0..<(count + 7) / 8 {
        let start = UInt64(constantSum) &* 0x0001_0001_0001_0001
        var sums: Sums = (start, start)
        for root in rootColumns {
          let results = UInt64(littleEndian: values[Int(root) * size + first])
          sums.even &+= results & everySecond
          sums.odd &+= results &>> 8 & everySecond
        }
        for block in 0..<min(8, count - 8 * first) {
          let own = block & 1 == 0 ? sums.even : sums.odd
          body(UInt16(truncatingIfNeeded: own &>> UInt64(16 * (block >> 1))))
        }
      }
    }
  }
}

/// A group of blocks evaluated together.
private struct BlockGroup {
  let count: Int
  /// One column per feature.
  let columns: [FeatureColumn]
}

/// The lowest and the highest value of each feature among a set of blocks.
private struct FeatureBounds {
  var minimum: [UInt8] = []
  var maximum: [UInt8] = []

  init(_ groups: [BlockGroup]) {
    let featureCount = groups.first?.columns.count ?? 0
    minimum.reserveCapacity(featureCount)
    maximum.reserveCapacity(featureCount)
    for feature in 0..<featureCount {
      var (low, high) = (Lanes(repeating: 255), Lanes.zero)
      for group in groups {
        group.columns.withUnsafeBytes { columns in
          let columns = columns.bindMemory(to: Lanes.self)
          let firstVector = feature * TreeEvaluator.vectorsPerColumn
          for vectorIndex in 0..<TreeEvaluator.vectorsPerColumn {
            let remainingBlockCount = group.count - vectorIndex * Lanes.scalarCount
            guard remainingBlockCount > 0 else { break }
            var vector = columns[firstVector + vectorIndex]
            if remainingBlockCount < Lanes.scalarCount {
              vector = Lanes(repeating: vector[0]).replacing(
                by: vector, where: Self.laneIndices .< Lanes(repeating: UInt8(remainingBlockCount)))
            }
            low = low.replacing(by: vector, where: vector .< low)
            high = high.replacing(by: vector, where: vector .> high)
          }
        }
      }
      minimum.append((0..<Lanes.scalarCount).reduce(255) { min($0, low[$1]) })
      maximum.append((0..<Lanes.scalarCount).reduce(0) { max($0, high[$1]) })
    }
  }

  private static let laneIndices = Lanes(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
}
