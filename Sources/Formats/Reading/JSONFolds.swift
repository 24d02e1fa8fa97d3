import Document

/// Finds out which objects and arrays of a JSON text fold, while it is written.
///
/// One folds that is not the text itself and has a few lines. Of a text that is longer than two screens, those
/// longer than a screen are folded at first.
struct JSONFolds {
  /// What has fewer lines between its brackets does not fold.
  private static let fewestLines = 5
  /// Of a longer text some parts are folded at first: those with more lines than a screen has.
  private static let shortText = 60
  private static let screen = 24

  /// The containers that are open and may fold, and how many others are open within the last of them.
  private var open: [Container] = []
  private var found: [(fold: Document.Fold, lines: Int)] = []
  /// Where the text of the line begins, behind its indentation.
  private var lineStart: UInt32 = 0
  private var lines = 0

  private struct Container {
    var mark: UInt32
    var start: UInt32
    var firstLine: Int
    var members = 1
    var isObject: Bool
    /// How many containers are open around it.
    var depth: Int
  }

  /// A line was begun.
  /// - Parameter offset: Where its text begins; nil for a line within a string.
  mutating func newLine(at offset: UInt32?) {
    lines += 1
    if let offset { lineStart = offset }
  }

  /// The first member of a container will stand on a line of its own.
  /// - Parameters:
  ///   - offset: Where the text goes on behind the opening bracket.
  ///   - depth: How many containers are open around it.
  ///   - isObject: Whether it is an object.
  mutating func begin(at offset: UInt32, depth: Int, isObject: Bool) {
    // The text itself has no indentation in which a mark could stand.
    guard depth > 0, lineStart >= 2 else { return }
    open.append(
      Container(
        mark: lineStart - 2, start: offset, firstLine: lines + 1, isObject: isObject, depth: depth))
  }

  /// Another member comes.
  mutating func addMember(depth: Int) {
    guard open.last?.depth == depth else { return }
    open[open.count - 1].members += 1
  }

  /// A container ends.
  /// - Parameters:
  ///   - offset: Where its closing bracket will stand.
  ///   - depth: How many containers are open around it.
  mutating func end(at offset: UInt32, depth: Int) {
    guard let container = open.last, container.depth == depth else { return }
    open.removeLast()
    let lines = lines - container.firstLine
    guard lines >= Self.fewestLines, container.start < offset else { return }
    let (one, many) = container.isObject ? ("member", "members") : ("element", "elements")
    found.append(
      (
        Document.Fold(
          mark: container.mark, content: container.start..<offset, isOpen: true,
          note: "\(container.members) \(container.members == 1 ? one : many)"), lines
      ))
  }

  /// What folds, in the order of the text.
  func folds() -> [Document.Fold] {
    let isLong = lines > Self.shortText
    return found.map { fold, lines in
      var fold = fold
      fold.isOpen = !isLong || lines <= Self.screen
      return fold
    }
    .sorted { $0.content.lowerBound < $1.content.lowerBound }
  }
}
