/// Counts of the selectors in style sheets that affect whether and how text is shown (`display`,
/// `visibility`, `white-space`), and of those that are supported.
package struct StyleCoverage: Sendable {
  package private(set) var selectors = 0
  package private(set) var understood = 0
  /// The first selectors that are not supported.
  package private(set) var examples: [String] = []

  private static let maxExamples = 200

  init() {}

  /// Counts the selectors of style sheets.
  package init(of styleSheet: [UInt8]) { self = StyleRules(styleSheet).coverage }

  /// Counts a selector.
  mutating func add(_ selector: StyleBytes, isUnderstood: Bool) {
    selectors += 1
    if isUnderstood {
      understood += 1
    } else if examples.count < Self.maxExamples {
      examples.append(String(decoding: selector.prefix(80), as: UTF8.self))
    }
  }
}
