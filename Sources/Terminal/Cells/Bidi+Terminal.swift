package import Layout

extension LayoutOptions.Bidi {
  /// Who orders text in the terminal that the environment names: those that are known to order rows themselves do
  /// so, within a multiplexer as well, which hands characters on as they come.
  package init(environment: [String: String]) {
    self = Self.isOrdered(by: environment) ? .terminal : .app
  }

  /// What makes a terminal that orders rows show them as they are written, and what undoes it: BDSM of ECMA-48.
  /// Other terminals do not hear it.
  package static func modes(
    for bidi: LayoutOptions.Bidi, environment: [String: String]
  ) -> (begin: String, end: String) {
    bidi == .app && isOrdered(by: environment) ? ("\u{1B}[8l", "\u{1B}[8h") : ("", "")
  }

  private static func isOrdered(by environment: [String: String]) -> Bool {
    variables.contains { environment[$0]?.isEmpty == false }
      || environment["TERM_PROGRAM"] == "Apple_Terminal"
      || environment["TERM"]?.hasPrefix("mlterm") == true
  }

  /// Set by terminals of VTE (GNOME Terminal and others), by mlterm and by Konsole.
  private static let variables = ["VTE_VERSION", "MLTERM", "KONSOLE_VERSION"]
}
