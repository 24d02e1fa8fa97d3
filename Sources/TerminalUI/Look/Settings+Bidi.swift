package import Configuration
package import Layout

extension Settings {
  /// Who orders text that is read from right to left.
  /// - Parameter automatic: Who does where that is not set.
  /// - Returns: Who does.
  package func bidi(in automatic: LayoutOptions.Bidi) -> LayoutOptions.Bidi {
    // Who listens, or reads braille, reads text in the order in which it is stored.
    if isLinear { return .off }
    return switch bidi {
    case .auto: automatic
    case .app: .app
    case .terminal: .terminal
    case .off: .off
    }
  }
}
