/// A set of default keys: the keys of the command table, or the keys of another program that the
/// user knows.
package enum KeyPreset: String, CaseIterable, Sendable {
  case `default`, lynx, w3m, less

  /// The commands whose keys differ from the table, with all their keys. Other commands lose the
  /// keys that are assigned here. Each of these keys does what it does in the other program. If
  /// offread has no command for that, the key keeps its default command, unless this command
  /// changes something permanently; in that case, the key is not assigned.
  package var keyChanges: [(command: Command, keys: String)] {
    switch self {
    case .default: []
    case .lynx: lynxKeys
    case .w3m: w3mKeys
    case .less:
      [
        (.lineDown, "j e Down C-e C-n"), (.lineUp, "k y Up C-y C-p"),
        (.pageDown, "Space f PgDn C-f C-v"), (.pageUp, "b PgUp C-b M-v"), (.top, "g < Home M-<"),
        (.bottom, "G > End M->"), (.percent, "p %"), (.reload, "R"), (.redraw, "r C-r C-l"),
        (.help, "h H F1"), (.quit, "q Q"), (.hints, "F"), (.editURL, "U"), (.copyURL, "c"),
        (.editor, "v E"), (.readerView, "M-r"), (.nextTheme, ""), (.feeds, "F"),
      ]
    }
  }

  /// The keys of lynx(1), from its lynx.cfg and its help on keystrokes.
  private var lynxKeys: [(command: Command, keys: String)] {
    [
      (.nextLink, "Down Tab >"), (.previousLink, "Up S-Tab <"), (.lineDown, "C-n"),
      (.lineUp, "C-p"), (.pageDown, "Space + PgDn C-f"), (.pageUp, "b - PgUp C-b"),
      (.halfPageDown, ")"), (.halfPageUp, "("), (.top, "Home C-a"), (.bottom, "End C-e"),
      (.panLeft, "{"), (.panRight, "}"), (.wrapCode, "|"), (.nextHeading, "M-n"),
      (.previousHeading, "M-p"), (.follow, "Enter Right x"), (.openURL, "g"),
      (.editURL, "G E U"), (.goToMark, "' j"), (.mark, "M-m"), (.back, "Left u B"),
      (.forward, "C-u L M-Right"), (.history, "V Backspace"), (.library, "m i v"),
      (.search, "s S"), (.links, "l A"), (.keepLink, "M-a"), (.download, "d D"),
      (.outside, ". , M"), (.pipe, "p"), (.editor, "e"), (.information, "= ]"),
      (.redraw, "C-w C-l"), (.reload, "C-r r R"), (.cancel, "z Esc C-g C-c"),
      (.help, "? h k H F1"), (.editSettings, "o"), (.quit, "q Q"), (.hints, "f"),
      (.offline, "M-x"), (.olderVersion, "M-("), (.newerVersion, "M-)"), (.undo, "M-z"),
      (.openImage, "I"), (.fillIn, ""), (.readerView, "M-r"), (.tag, "M-#"), (.nextTheme, ""),
      (.previousPart, "M-;"),
    ]
  }

  /// The keys of w3m(1), from its keymap.default.
  private var w3mKeys: [(command: Command, keys: String)] {
    [
      (.lineDown, "J j Down C-n"), (.lineUp, "K k Up C-p"), (.pageDown, "Space + PgDn C-v"),
      (.pageUp, "b - PgUp M-v"), (.top, "g Home M-<"), (.bottom, "G End M->"),
      (.halfPageUp, ""), (.nextLink, "Tab l Right"), (.previousLink, "S-Tab C-u h Left M-Tab"),
      (.follow, "Enter"), (.panLeft, "< ,"), (.panRight, "> ."), (.nextHeading, "M-n"),
      (.previousHeading, "M-p"), (.mark, "M-m"), (.openURL, "U V"), (.editURL, "M-u e"),
      (.back, "B Backspace"), (.forward, "M-Right"), (.reload, "R r"), (.quit, "q Q"),
      (.findForward, "/ C-s"), (.findBackward, "? C-r"), (.information, "= c"),
      (.copyURL, "y"), (.preview, "u"), (.openImage, "i I"), (.fillIn, ""), (.links, "L M-l"),
      (.linkNumbers, ""), (.source, "v \\"), (.readerView, "M-r"), (.nextTheme, ""),
      (.wrapCode, ""), (.markLines, "\""), (.openInBackground, "C-t T"), (.nextTab, "} M-."),
      (.previousTab, "{ M-,"), (.tabs, "M-t"), (.closeTab, "C-q X"), (.history, "s"),
      (.library, "M-b"), (.search, "M-/"), (.keep, "M-a"), (.tag, "M-#"), (.undo, "M-z"),
      (.olderVersion, "M-("), (.newerVersion, "M-)"), (.download, "a M-Enter M-s S"),
      (.downloads, "D P"), (.outside, "M M-M O"), (.shell, "! # @"), (.editor, "E M-e"),
      (.command, ": M-c M-g"), (.editSettings, "o"), (.set, "M-o"), (.highlights, ""),
      (.previousPart, "M-;"),
    ]
  }
}
