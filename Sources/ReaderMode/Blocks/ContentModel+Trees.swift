import DOM

// Sixteen blocks are judged at once: a question compares a column of features, a byte for each
// block, with its limit and takes one of two columns of answers. No branch depends on a feature, so
// all questions of all trees are asked, which is still a fraction of the cost of going down each.

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

  /// A byte for each of sixteen blocks. A type of its own, since the run time takes long to make
  /// that of an array of a generic one.
  struct Column: Equatable {
    var lanes: SIMD16<UInt8>

    static let zero = Column(lanes: .zero)
    static let count = SIMD16<UInt8>.scalarCount
  }

  /// A question: is a feature at most `limit`? `low` follows on yes, `high` on no. Questions and
  /// answers have places in `means`, each behind those it leads to.
  private struct Question {
    var place: UInt16
    var low: UInt16 = 0
    var high: UInt16 = 0
    var feature: UInt8
    var limit: UInt8
  }

  private var questions: [Question] = []
  /// At the place of an answer its log-odds in thousandths; at that of a question the mean of what is
  /// below.
  private var means: [Int32] = []
  /// The place of each tree's first question.
  private var roots: [Int] = []
  /// Answers less the least of them, at their places; a byte is enough for them.
  private var columns: [Column] = []
  /// The sum of all trees when each gives the least answer.
  private var base: Float = 0

  /// Reads a table: a tree a line, its nodes in preorder, separated by spaces. A question is
  /// `feature<limit`, an answer a whole number; answers differ by at most 255.
  init(_ table: StaticString) {
    self.init(UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount))
  }

  /// Reads the bytes of a table.
  package init(_ table: UnsafeBufferPointer<UInt8>) {
    var reader = NumberReader(table)
    questions.reserveCapacity(reader.count / 6)
    means.reserveCapacity(reader.count / 3)
    var open: [OpenQuestion] = []
    while reader.hasMore { roots.append(readTree(&reader, &open)) }
    let least = means.min() ?? 0
    columns = means.map { Column(lanes: SIMD16(repeating: UInt8(clamping: $0 - least))) }
    base = Float(least) * Float(roots.count)
  }

  /// A question of which not all that follows has been read.
  private struct OpenQuestion {
    var feature: UInt8
    var limit: UInt8
    /// The place of what follows on yes, or -1.
    var low = -1
  }

  /// - Returns: The place of the first question of the tree that was read.
  private mutating func readTree(
    _ reader: inout NumberReader, _ open: inout [OpenQuestion]
  ) -> Int {
    while true {
      let (value, limit) = reader.next()
      if let limit {
        open.append(
          OpenQuestion(
            feature: UInt8(truncatingIfNeeded: value), limit: UInt8(truncatingIfNeeded: limit)))
        continue
      }
      means.append(value)
      while let question = open.last, question.low >= 0 {
        open.removeLast()
        let (low, high) = (question.low, means.count - 1)
        questions.append(
          Question(
            place: UInt16(means.count), low: UInt16(low), high: UInt16(high),
            feature: question.feature, limit: question.limit))
        means.append((means[low] + means[high]) / 2)
      }
      if open.isEmpty { return means.count - 1 }
      open[open.count - 1].low = means.count - 1
    }
  }

  /// The number of features that are asked for; blocks have at least as many.
  var width: Int { 1 + Int(questions.map(\.feature).max() ?? 0) }

  /// How far the answers lie apart; more than 255 do not fit.
  var span: Int { Int((means.max() ?? 0) - (means.min() ?? 0)) }

  /// The sum over all trees of what each may give above the least answer; more than 65,535 do not fit.
  var height: Int {
    let least = means.min() ?? 0
    var next = 0
    return roots.reduce(0) { sum, root in
      defer { next = root + 1 }
      return sum + Int((means[next...root].max() ?? least) - least)
    }
  }

  /// Judges blocks, sixteen at a time.
  /// - Parameters:
  ///   - count: How many blocks there are.
  ///   - features: A column for each feature of some blocks, at most sixteen.
  /// - Returns: The probability of each block that it is content.
  func probabilities(
    _ count: Int, features: (Range<Int>) -> [Column]
  ) -> [Float] {
    var result = [Float](repeating: 0, count: count)
    var values = columns
    for first in stride(from: 0, to: count, by: Column.count) {
      let blocks = first..<min(first + Column.count, count)
      ask(features(blocks), &values)
      var sums = SIMD16<UInt16>(repeating: 0)
      for root in roots { sums &+= SIMD16(truncatingIfNeeded: values[root].lanes) }
      for lane in 0..<blocks.count {
        result[first + lane] = Self.logistic((base + Float(sums[lane])) / 1000)
      }
    }
    return result
  }

  /// Writes the answers to all questions at their places.
  private func ask(_ features: [Column], _ values: inout [Column]) {
    typealias Lanes = SIMD16<UInt8>
    values.withUnsafeMutableBytes { values in
      let values = values.bindMemory(to: Lanes.self)
      features.withUnsafeBytes { features in
        let features = features.bindMemory(to: Lanes.self)
        for question in questions {
          let isLow = unsafeBitCast(
            features[Int(question.feature)] .<= Lanes(repeating: question.limit), to: Lanes.self)
          let high = values[Int(question.high)]
          values[Int(question.place)] = high ^ (high ^ values[Int(question.low)]) & isLow
        }
      }
    }
  }

  /// What each feature adds to the log-odds of a block: on the way down a tree, the difference of
  /// the means before and behind each question.
  /// - Parameter row: The features of the block.
  /// - Returns: Features with their shares, the weightiest first.
  func shares(_ row: [UInt8]) -> [(feature: Int, share: Float)] {
    let byPlace = Dictionary(uniqueKeysWithValues: questions.map { (Int($0.place), $0) })
    var shares: [Int: Int32] = [:]
    for root in roots {
      var place = root
      while let question = byPlace[place] {
        let next = Int(row[Int(question.feature)] <= question.limit ? question.low : question.high)
        shares[Int(question.feature), default: 0] += means[next] - means[place]
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

/// Reads `12<5` and `-7`, separated by white space.
private struct NumberReader {
  private let text: UnsafeBufferPointer<UInt8>
  private var index = 0

  /// How many bytes the text has.
  var count: Int { text.count }

  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
    skipSpaces()
  }

  var hasMore: Bool { index < text.count }

  /// A number, and the one behind `<` if there is one; 0 where there is none.
  mutating func next() -> (value: Int32, limit: Int32?) {
    let value = number()
    var limit: Int32?
    if index < text.count, text[index] == UInt8(ascii: "<") {
      index += 1
      limit = number()
    }
    skipSpaces()
    return (value, limit)
  }

  private mutating func skipSpaces() {
    while index < text.count, text[index].isWhiteSpace { index += 1 }
  }

  private mutating func number() -> Int32 {
    let isNegative = index < text.count && text[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    var value: Int32 = 0
    while index < text.count, text[index].isDigit {
      value = value &* 10 &+ Int32(text[index] - 0x30)
      index += 1
    }
    return isNegative ? -value : value
  }
}
