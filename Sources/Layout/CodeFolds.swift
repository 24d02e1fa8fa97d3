import Algorithms
import Document

/// An iterator over the folds of preformatted text, from first to last.
struct CodeFolds: Sendable {
  private let folds: [Document.TextFold]
  private let toggledFolds: Set<Int32>
  /// The number to add to an index in `textFolds` to obtain the number of the fold in
  /// `LayoutOptions.toggledFolds`.
  private let firstFoldNumber: Int32
  /// The index of the next fold, or of the fold whose name is being read.
  private var index = 0
  /// The target that toggles the fold whose name is being read; nil if no name is being read.
  private(set) var openFoldTarget: PageLayout.Target?

  init(_ document: Document, _ options: LayoutOptions) {
    folds = options.foldsDetails ? document.textFolds : []
    toggledFolds = options.toggledFolds
    firstFoldNumber = Int32(document.blocks.count)
  }

  /// The next offset at which a fold's name or content begins; `.max` if no fold is left.
  var nextOffset: Int {
    guard index < folds.count else { return .max }
    return Int(openFoldTarget == nil ? folds[index].markerOffset : folds[index].content.lowerBound)
  }

  /// Begins the name of a fold.
  /// - Returns: Whether the fold's content is shown.
  mutating func beginName() -> Bool {
    openFoldTarget = .fold(firstFoldNumber + Int32(index))
    return isNextContentShown
  }

  private var isNextContentShown: Bool {
    folds[index].isInitiallyOpen != toggledFolds.contains(firstFoldNumber + Int32(index))
  }

  /// Ends the name of a fold.
  /// - Returns: The end of the fold's content and its summary; nil if the content is shown.
  mutating func endName() -> (end: Int, summary: String)? {
    let fold = folds[index]
    let isShown = isNextContentShown
    openFoldTarget = nil
    guard !isShown else {
      index += 1
      return nil
    }
    index = folds[(index + 1)...].partitioningIndex { $0.markerOffset >= fold.content.upperBound }
    return (Int(fold.content.upperBound), fold.summary)
  }
}
