/// An open table.
enum OpenTable {
  case layout
  /// A single row with line numbers and code. The language may be declared around the table.
  case codeWithLineNumbers(language: String)
  /// A line of code in each row.
  case codeLines
  case data(TableRows)
}
