package import Layout

extension LayoutOptions.Bidi {
  /// Determines the component that reorders bidirectional text from the environment of the
  /// terminal. Terminals that are known to reorder rows do so inside a multiplexer too, because it
  /// passes characters on in the order in which it receives them.
  package init(environment: [String: String]) {
    let names = { (variable: String) in environment[variable]?.isEmpty == false }
    if names("MLTERM") || environment["TERM"]?.hasPrefix("mlterm") == true {
      // mlterm gives isolates columns and treats each row as a paragraph, so text is sent to it in
      // logical order.
      self = .off
    } else {
      self = Self.isOrdered(by: environment) ? .terminal : .app
    }
  }

  /// Returns the sequences that turn off and restore reordering in a terminal that does it: BDSM of
  /// ECMA-48. Other terminals ignore them.
  package static func modes(
    for bidi: LayoutOptions.Bidi, environment: [String: String]
  ) -> (begin: String, end: String) {
    bidi == .app && isOrdered(by: environment) ? ("\u{1B}[8l", "\u{1B}[8h") : ("", "")
  }

  /// Whether the terminal reorders text: VTE terminals (GNOME Terminal and others) and Konsole set
  /// these variables.
  private static func isOrdered(by environment: [String: String]) -> Bool {
    ["VTE_VERSION", "KONSOLE_VERSION"].contains { environment[$0]?.isEmpty == false }
      || environment["TERM_PROGRAM"] == "Apple_Terminal"
  }
}
