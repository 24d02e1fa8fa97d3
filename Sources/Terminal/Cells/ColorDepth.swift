/// The number of colours of a terminal.
package enum ColorDepth: Int, Sendable, Comparable, CaseIterable {
  case none = 0
  case eight = 8
  case sixteen = 16
  case palette = 256
  case trueColor = 16_777_216

  package static func < (left: ColorDepth, right: ColorDepth) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Determines the depth from the settings, the environment and the terminal's terminfo entry.
  /// - Parameters:
  ///   - usesColors: Whether to use colours; nil to let the environment decide.
  ///   - environment: The environment; `NO_COLOR`, `COLORTERM`, `TERM` and the variables of
  ///     multiplexers are used.
  ///   - colorCount: The number of colours in the terminfo entry; 0 or less for none.
  package init(usesColors: Bool?, environment: [String: String], colorCount: Int) {
    let term = environment["TERM"] ?? ""
    let isForbidden = !(environment["NO_COLOR"] ?? "").isEmpty || term == "dumb"
    if !(usesColors ?? !isForbidden) {
      self = .none
    } else if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? ""), colorCount >= 8,
      !Self.isInGNUScreen(environment)
    {
      self = .trueColor
    } else {
      switch colorCount {
      case 16_777_216...: self = .trueColor
      case 256...: self = .palette
      case 16...: self = .sixteen
      case 8...: self = .eight
      default: self = .none
      }
    }
  }

  /// Returns whether the terminal is GNU screen. Programs in it inherit the `COLORTERM` of the
  /// terminal around it, but GNU screen interprets the components of 24-bit colours as attributes.
  private static func isInGNUScreen(_ environment: [String: String]) -> Bool {
    func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    let term = environment["TERM"] ?? ""
    return isSet("STY") && !term.hasPrefix("tmux") || term.hasPrefix("screen") && !isSet("TMUX")
  }
}
