package import Layout

extension LayoutOptions.BidiOrdering {
  /// Determines the component that reorders bidirectional text from the environment of the
  /// terminal. Terminals that are known to reorder rows do so inside a multiplexer too, because it
  /// passes characters on in the order in which it receives them.
  package init(environment: [String: String]) {
    let names = { (variable: String) in environment[variable]?.isEmpty == false }
    if names("MLTERM") || environment["TERM"]?.hasPrefix("mlterm") == true {
      // In mlterm, isolate controls occupy columns and each row is a paragraph, so text is sent to
      // it in logical order without them.
      self = .off
    } else {
      self = Self.isReordered(by: environment) ? .terminal : .app
    }
  }

  /// Returns the sequences (BDSM of ECMA-48) that turn off and restore the terminal's own
  /// reordering if offread reorders text; empty for terminals that are not known to reorder.
  package static func modeSequences(
    for bidi: LayoutOptions.BidiOrdering, environment: [String: String]
  ) -> (begin: String, end: String) {
    bidi == .app && isReordered(by: environment) ? ("\u{1B}[8l", "\u{1B}[8h") : ("", "")
  }

  /// Returns whether the terminal is known to reorder text: VTE terminals (GNOME Terminal and
  /// others), Konsole and Terminal of macOS, which set these variables.
  private static func isReordered(by environment: [String: String]) -> Bool {
    ["VTE_VERSION", "KONSOLE_VERSION"].contains { environment[$0]?.isEmpty == false }
      || environment["TERM_PROGRAM"] == "Apple_Terminal"
  }
}
