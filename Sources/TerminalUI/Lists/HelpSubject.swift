package import Commands

/// The subject of a help screen or menu.
package enum HelpSubject: Sendable, Equatable {
  /// The keys of a screen.
  case screen(Screens)
  /// The menu of a screen: its subjects, or the commands of one subject.
  case menu(Screens, MenuSubject?)
  /// The keys in a prompt.
  case inputContext(InputContexts)
}
