/// Counts of the selectors in style sheets that affect whether and how text is shown (`display`,
/// `visibility`, `white-space`), and of those that are supported.
package struct StyleCoverage: Sendable {
  package private(set) var selectorCount = 0
  package private(set) var supportedSelectorCount = 0
  /// The first selectors that are not supported.
  package private(set) var unsupportedSelectors: [String] = []

  private static let maxExamples = 200

  init() {}

  /// Counts the selectors of style sheets.
  package init(of styleSheet: [UInt8]) { self = StyleRules(styleSheet).coverage }

  /// Counts a selector, and records it as an example if it is not supported.
  mutating func countSelector(_ selector: StyleBytes, isSupported: Bool) {
    selectorCount += 1
    if isSupported {
      supportedSelectorCount += 1
    } else if unsupportedSelectors.count < Self.maxExamples {
      unsupportedSelectors.append(String(decoding: selector.prefix(80), as: UTF8.self))
    }
  }
}
