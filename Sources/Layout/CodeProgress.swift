import Document

/// The progress of laying out preformatted text.
struct CodeProgress {
  /// The index of the next run to lay out.
  var nextRun: Int32
  /// The index after the last run of the block.
  var runEnd: Int32
  /// The offset in the document up to which text has been laid out.
  var position = 0
  /// The name of the programming language, or an empty string.
  var language: String
  /// The number of indentation levels outside the block.
  var indentationLevelCount: Int
  /// The distance of tab stops in columns.
  var tabSize = Int(Document.defaultTabSize)
  /// Whether any line has been written.
  var hasWrittenLine = false
  /// Whether the language name is shown on the next line.
  var showsLanguageOnNextLine = false
  /// The folds of the document, iterated from the current position on.
  var folds: CodeFolds
  /// The syntax colours; nil if the code is not highlighted.
  var syntaxColors: SyntaxRoles?

  init(
    nextRun: Int32, runEnd: Int32, language: String, indentationLevelCount: Int, folds: CodeFolds
  ) {
    self.folds = folds
    self.nextRun = nextRun
    self.runEnd = runEnd
    self.language = language
    self.indentationLevelCount = indentationLevelCount
  }

  /// The maximum number of lines that one call of `layOutCodeLines()` lays out.
  static let maxLinesPerStep = 256
}
