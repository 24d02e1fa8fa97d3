/// Messages about the library for the user.
enum LibraryNotice: CustomStringConvertible {
  /// The database was damaged and has been rebuilt.
  case rebuilt
  /// Lines of a journal are damaged; their number is the second value.
  case damagedLines(String, Int)
  /// Lost lines of a journal were restored; their number is the second value.
  case restored(String, Int)
  /// The lost end of a journal was restored from the backup copy.
  case restoredEnd(String)
  /// A journal has lost lines that cannot be restored, for the given reason.
  case lostLines(String, String)

  var description: String {
    switch self {
    case .rebuilt:
      "the database of the library was damaged and has been rebuilt"
    case .damagedLines(let name, let count):
      "\(name): \(count == 1 ? "a line is" : "\(count) lines are") damaged and ignored"
    case .restored(let name, let count):
      "\(count == 1 ? "a lost line" : "\(count) lost lines") of \(name)"
        + " \(count == 1 ? "was" : "were") restored from the database"
    case .restoredEnd(let name):
      "the lost last lines of \(name) were restored from a second copy"
    case .lostLines(let name, let reason):
      "lost lines of \(name) cannot be restored: \(reason)"
    }
  }
}
