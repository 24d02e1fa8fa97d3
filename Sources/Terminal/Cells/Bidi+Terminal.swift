package import Layout

extension LayoutOptions.Bidi {
  /// Who orders text in the terminal that the environment names: those that are known to order rows themselves do
  /// so, within a multiplexer as well, which hands characters on as they come.
  package init(environment: [String: String]) {
    let names = { (variable: String) in environment[variable]?.isEmpty == false }
    if names("MLTERM") || environment["TERM"]?.hasPrefix("mlterm") == true {
      // It gives isolates columns, and takes each row for a paragraph: it is left alone with its text.
      self = .off
    } else {
      self = Self.isOrdered(by: environment) ? .terminal : .app
    }
  }

  /// What makes a terminal that orders rows show them as they are written, and what undoes it: BDSM of ECMA-48.
  /// Other terminals do not hear it.
  package static func modes(
    for bidi: LayoutOptions.Bidi, environment: [String: String]
  ) -> (begin: String, end: String) {
    bidi == .app && isOrdered(by: environment) ? ("\u{1B}[8l", "\u{1B}[8h") : ("", "")
  }

  /// Terminals of VTE (GNOME Terminal and others) and Konsole set these variables.
  private static func isOrdered(by environment: [String: String]) -> Bool {
    ["VTE_VERSION", "KONSOLE_VERSION"].contains { environment[$0]?.isEmpty == false }
      || environment["TERM_PROGRAM"] == "Apple_Terminal"
  }
}
