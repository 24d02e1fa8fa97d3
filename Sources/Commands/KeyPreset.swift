/// The keys to begin with: those of the table, or those that fingers know from another program.
package enum KeyPreset: String, CaseIterable, Sendable {
  case `default`, lynx, w3m, less

  /// The commands that have other keys than in the table, with all their keys. What they take from
  /// others those are left without.
  package var changes: [(command: Command, keys: String)] {
    switch self {
    case .default: []
    case .lynx:
      [
        (.nextLink, "Down Tab ]"), (.previousLink, "Up S-Tab ["), (.lineDown, "j C-n"),
        (.lineUp, "k C-p"), (.pageDown, "Space + PgDn C-f"), (.pageUp, "b - PgUp C-b"),
        (.halfPageDown, ")"), (.halfPageUp, "("), (.top, "Home C-a"), (.bottom, "End C-e"),
        (.openURL, "g o"), (.editURL, "G e U"), (.back, "Left u B"), (.forward, "L M-Right"),
        (.redraw, "C-w C-l"), (.reload, "C-r r R"), (.cancel, "z Esc C-g C-c"),
        (.help, "h H F1"), (.quit, "q Q"), (.hints, "f"), (.olderVersion, "<"),
        (.newerVersion, ">"),
      ]
    case .w3m:
      [
        (.lineDown, "J j Down C-n"), (.lineUp, "K k Up C-p"), (.pageDown, "Space PgDn C-v C-f"),
        (.pageUp, "b PgUp M-v C-b"), (.top, "g Home M-<"), (.bottom, "G End M->"),
        (.nextLink, "Tab ]"), (.previousLink, "S-Tab M-Tab ["), (.openURL, "U o"),
        (.editURL, "M-u e"),
        (.back, "B Left Backspace"), (.forward, "L M-Right"), (.reload, "R r C-r"),
        (.quit, "q Q"), (.findForward, "/ C-s"), (.findBackward, "? M-s"), (.copyURL, "c y"),
        (.preview, "u"),
      ]
    case .less:
      [
        (.lineDown, "j e Down C-e C-n"), (.lineUp, "k y Up C-y C-p"),
        (.pageDown, "Space f PgDn C-f C-v"), (.pageUp, "b PgUp C-b M-v"), (.top, "g < Home M-<"),
        (.bottom, "G > End M->"), (.percent, "p %"), (.reload, "R"), (.redraw, "r C-r C-l"),
        (.help, "h H F1"), (.quit, "q Q"), (.hints, "F"), (.editURL, "U"), (.copyURL, "c"),
      ]
    }
  }
}
