import Document

/// Determines which objects and arrays of a JSON text fold, while the text is written.
///
/// A container folds if it is not the outermost one and has at least `minLines` lines. If the text
/// has more than `shortText` lines, containers of more than `screen` lines are initially folded.
struct JSONFolds {
  /// Minimum number of lines between the brackets of a container that folds.
  private static let minLines = 5
  /// In a text with more lines than the first number, containers with more lines than the second
  /// are initially folded.
  private static let shortText = 60
  private static let screen = 24

  /// The open containers that may fold.
  private var open: [Container] = []
  private var found: [(fold: Document.Fold, lines: Int)] = []
  /// The offset of the text of the current line, after its indentation.
  private var lineStart: UInt32 = 0
  private var lines = 0

  private struct Container {
    var marker: UInt32
    var start: UInt32
    var firstLine: Int
    var members = 1
    var isObject: Bool
    /// The number of open containers around the container.
    var depth: Int
  }

  /// Records the start of a line.
  /// - Parameter offset: The offset of its text; nil for a line within a string.
  mutating func newLine(at offset: UInt32?) {
    lines += 1
    if let offset { lineStart = offset }
  }

  /// Records the start of a container whose first member will be on a line of its own.
  /// - Parameters:
  ///   - offset: The offset after the opening bracket.
  ///   - depth: The number of open containers around it.
  ///   - isObject: Whether it is an object.
  mutating func begin(at offset: UInt32, depth: Int, isObject: Bool) {
    // The outermost container has no indentation that could be replaced by a marker.
    guard depth > 0, lineStart >= 2 else { return }
    open.append(
      Container(
        marker: lineStart - 2, start: offset, firstLine: lines + 1, isObject: isObject, depth: depth
      ))
  }

  /// Records another member of the container at a depth.
  mutating func addMember(depth: Int) {
    guard open.last?.depth == depth else { return }
    open[open.count - 1].members += 1
  }

  /// Records the end of a container.
  /// - Parameters:
  ///   - offset: The offset at which its closing bracket will be.
  ///   - depth: The number of open containers around it.
  mutating func end(at offset: UInt32, depth: Int) {
    guard let container = open.last, container.depth == depth else { return }
    open.removeLast()
    let lines = lines - container.firstLine
    guard lines >= Self.minLines, container.start < offset else { return }
    let (one, many) = container.isObject ? ("member", "members") : ("element", "elements")
    found.append(
      (
        Document.Fold(
          marker: container.marker, content: container.start..<offset, isOpen: true,
          note: "\(container.members) \(container.members == 1 ? one : many)"), lines
      ))
  }

  /// Returns the folds in the order of the text.
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
