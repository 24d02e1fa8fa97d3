package import Layout

/// A position on a page that survives changes of the width.
package struct ReadingPosition: Sendable, Equatable {
  /// The offset in `Document.text` of the top line's text.
  package var source: UInt32 = 0
  /// The top line, valid as long as the layout is unchanged; nil if unknown.
  package var topLine: Int? = 0
  /// The focused target; nil for none.
  package var focus: PageLayout.Target?
  /// The folds that the user has opened or closed.
  package var toggledFolds: Set<Int32> = []

  package init() {}
}
