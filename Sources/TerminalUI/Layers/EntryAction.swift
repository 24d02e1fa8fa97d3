/// The effect of a command on the selected entry of a list.
enum EntryAction: Sendable, Equatable {
  case openInBackground, closeTab, edit, copy, togglePin, setTags, markRead, remove
}
