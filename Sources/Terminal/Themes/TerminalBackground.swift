/// Detects the background of a terminal from the environment.
package enum TerminalBackground {
  /// Returns whether the background is dark; nil if unknown. `COLORFGBG` is
  /// "foreground;background", or has a third part in the middle; 7 and 9 to 15 are light
  /// backgrounds.
  package static func isDark(_ environment: [String: String]) -> Bool? {
    guard let last = environment["COLORFGBG"]?.split(separator: ";").last, let index = Int(last),
      (0...15).contains(index)
    else { return nil }
    return index < 7 || index == 8
  }
}
