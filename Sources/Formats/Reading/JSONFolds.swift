import Document

/// Determines which objects and arrays of a JSON text fold, while the text is written.
///
/// A container folds if it is not the outermost one and has at least `minLines` lines. If the text
/// has more than `maxUnfoldedTextLines` lines, containers of more than `maxUnfoldedLines` lines are
/// initially folded.
struct JSONFolds {
  /// Minimum number of lines between the brackets of a container that folds.
  private static let minLines = 5
  /// Maximum number of lines of a text whose containers are all initially open.
  private static let maxUnfoldedTextLines = 60
  /// Maximum number of lines of a container that is initially open in a longer text.
  private static let maxUnfoldedLines = 24

  /// The open containers that may fold.
  private var openContainers: [Container] = []
  private var completedFolds: [(fold: Document.TextFold, lines: Int)] = []
  /// The offset of the text of the current line, after its indentation.
  private var lineStart: UInt32 = 0
  private var lineCount = 0

  /// An object or array that is being written.
  private struct Container {
    /// See `Document.TextFold.markerOffset`.
    var markerOffset: UInt32
    /// The offset after the opening bracket.
    var startOffset: UInt32
    /// The number of the first line after that of the opening bracket, from 1.
    var firstLineIndex: Int
    var memberCount = 1
    var isObject: Bool
    /// The number of open containers around the container.
    var depth: Int
  }

  /// Records the start of a line.
  /// - Parameter offset: The offset of its text; nil for a line within a string.
  mutating func recordLineStart(at offset: UInt32?) {
    lineCount += 1
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
    openContainers.append(
      Container(
        markerOffset: lineStart - 2, startOffset: offset, firstLineIndex: lineCount + 1,
        isObject: isObject, depth: depth
      ))
  }

  /// Records another member of the container at a depth.
  mutating func addMember(depth: Int) {
    guard openContainers.last?.depth == depth else { return }
    openContainers[openContainers.count - 1].memberCount += 1
  }

  /// Records the end of a container.
  /// - Parameters:
  ///   - offset: The offset at which its closing bracket will be.
  ///   - depth: The number of open containers around it.
  mutating func end(at offset: UInt32, depth: Int) {
    guard let container = openContainers.last, container.depth == depth else { return }
    openContainers.removeLast()
    let lines = lineCount - container.firstLineIndex
    guard lines >= Self.minLines, container.startOffset < offset else { return }
    let (one, many) = container.isObject ? ("member", "members") : ("element", "elements")
    completedFolds.append(
      (
        Document.TextFold(
          markerOffset: container.markerOffset, content: container.startOffset..<offset,
          isInitiallyOpen: true,
          summary: "\(container.memberCount) \(container.memberCount == 1 ? one : many)"), lines
      ))
  }

  /// Returns the folds in the order of the text.
  func folds() -> [Document.TextFold] {
    let isLong = lineCount > Self.maxUnfoldedTextLines
    return completedFolds.map { fold, lines in
      var fold = fold
      fold.isInitiallyOpen = !isLong || lines <= Self.maxUnfoldedLines
      return fold
    }
    .sorted { $0.content.lowerBound < $1.content.lowerBound }
  }
}
