/// The background of a terminal, as far as the environment says it.
package enum TerminalBackground {
  /// Whether it is dark; nil when the environment does not say it. `COLORFGBG` is "foreground;background" or has a third
  /// part between; 7 and 9 to 15 are light.
  package static func isDark(_ environment: [String: String]) -> Bool? {
    guard let last = environment["COLORFGBG"]?.split(separator: ";").last, let index = Int(last),
      (0...15).contains(index)
    else { return nil }
    return index < 7 || index == 8
  }
}
