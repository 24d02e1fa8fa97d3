/// The effect of a command in a list.
enum ListAction: Sendable, Equatable {
  /// Moves the selection by the count, times this number.
  case moveSelection(Int)
  /// Moves the selection by this number of screens, or of half screens.
  case moveByScreens(Int), moveByHalfScreens(Int)
  case selectFirst, selectLast
  case openEntry
  case filter
  /// Removes the filter, or closes the list without one.
  case cancel
  case closeList
  case performOnEntry(EntryAction)
  case undo, sort, reload
  /// The command has the same effect as on the page.
  case performOnPage
}
