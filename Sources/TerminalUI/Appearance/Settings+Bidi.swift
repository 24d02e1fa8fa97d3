package import Configuration
package import Layout

extension Settings {
  /// Returns how bidirectional text is reordered.
  /// - Parameter automatic: The value for the setting `auto`.
  /// - Returns: The component that reorders text.
  package func bidi(in automatic: LayoutOptions.BidiOrdering) -> LayoutOptions.BidiOrdering {
    // Screen readers and braille displays need the logical order.
    if isLinear { return .off }
    return switch bidi {
    case .auto: automatic
    case .app: .app
    case .terminal: .terminal
    case .off: .off
    }
  }
}
