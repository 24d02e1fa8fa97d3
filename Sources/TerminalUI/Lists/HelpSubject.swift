package import Commands

/// What help is asked about.
package enum HelpSubject: Sendable, Equatable {
  /// The keys of a screen.
  case screen(Screens)
  /// The menu of a screen: the subjects, or the commands of one of them.
  case menu(Screens, MenuSubject?)
  /// The keys while something is typed.
  case typing(Typing)
}
