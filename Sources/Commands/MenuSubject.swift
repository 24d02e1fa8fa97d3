/// The subjects in the first list of the menu. Each opens the list of its commands.
///
/// Help and the manual group commands more coarsely (`HelpGroup`), because they are read from
/// beginning to end, while a menu is for selecting one line.
package enum MenuSubject: String, CaseIterable, Sendable {
  case moving = "Move on the page"
  case links = "Links and images"
  case finding = "Find words"
  case pages = "Go to other pages"
  case tabs = "Open tabs"
  case appearance = "Appearance of the page"
  case versions = "Versions and offline mode"
  case keeping = "Keep, mark and remove"
  case library = "Library, search and queue"
  case programs = "Copy, download, other programs"
  case offread = "offread itself"
}
