/// An ensemble of decision trees over the features of a block.
struct ContentTrees: Sendable {
  /// A question: is a feature at most `limit`? `low` follows on yes, `high` on no. Both are indices
  /// of questions, or complements of indices of answers.
  private struct Question {
    var feature: UInt8
    var limit: UInt8
    var low: Int16 = 0
    var high: Int16 = 0
  }

  private var questions: [Question] = []
  /// For each question the mean of the answers below, for explanations.
  private var means: [Int32] = []
  /// Log-odds in thousandths.
  private var answers: [Int32] = []
  /// Where each tree begins.
  private var roots: [Int16] = []

  /// The ensemble of `ContentModel.table`.
  static let shared = ContentTrees(ContentModel.table)

  /// Reads a table: a tree a line, its nodes in preorder, separated by spaces. A question is
  /// `feature<limit`, an answer a whole number.
  init(_ table: String) {
    for line in table.utf8.split(separator: UInt8(ascii: "\n")) {
      var words = line.split(separator: UInt8(ascii: " "))[...]
      roots.append(Int16(read(&words)))
    }
  }

  private mutating func read(_ words: inout ArraySlice<Substring.UTF8View.SubSequence>) -> Int {
    guard let word = words.popFirst() else { return ~answer(0) }
    let parts = word.split(separator: UInt8(ascii: "<"))
    guard parts.count == 2, let feature = UInt8(Substring(parts[0])),
      let limit = UInt8(Substring(parts[1]))
    else { return ~answer(Int32(Substring(word)) ?? 0) }
    let index = questions.count
    questions.append(Question(feature: feature, limit: limit))
    means.append(0)
    let low = read(&words)
    let high = read(&words)
    questions[index].low = Int16(low)
    questions[index].high = Int16(high)
    means[index] = (mean(low) + mean(high)) / 2
    return index
  }

  private mutating func answer(_ value: Int32) -> Int {
    answers.append(value)
    return answers.count - 1
  }

  private func mean(_ node: Int) -> Int32 {
    node < 0 ? answers[~node] : means[node]
  }

  /// The number of features that are asked for; rows have at least as many.
  var width: Int { 1 + Int(questions.map(\.feature).max() ?? 0) }

  /// The probability that a block with these features is content.
  func probability(_ row: [UInt8]) -> Float {
    var sum: Int32 = 0
    for root in roots {
      var node = Int(root)
      while node >= 0 {
        let question = questions[node]
        let isLow = row[Int(question.feature)] <= question.limit
        node = Int(isLow ? question.low : question.high)
      }
      sum += answers[~node]
    }
    return Self.logistic(Float(sum) / 1000)
  }

  /// What each feature adds to the log-odds of a block: on the way down a tree, the difference of
  /// the means before and behind each question.
  /// - Returns: Features with their shares, the weightiest first.
  func shares(_ row: [UInt8]) -> [(feature: Int, share: Float)] {
    var shares: [Int: Int32] = [:]
    for root in roots {
      var node = Int(root)
      while node >= 0 {
        let question = questions[node]
        let next = Int(row[Int(question.feature)] <= question.limit ? question.low : question.high)
        shares[Int(question.feature), default: 0] += mean(next) - means[node]
        node = next
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
