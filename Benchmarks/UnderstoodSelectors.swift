import DOM
import Foundation

/// Measures how many selectors of embedded style sheets are supported, among those that affect
/// whether and how text is shown, and the time to apply them.
enum UnderstoodSelectors {
  /// Prints the counts, and the time to compute the styles of all pages relative to the time to
  /// parse the pages.
  /// - Parameter arguments: Pages, optionally preceded by `--show` to print unsupported selectors.
  /// - Throws: An error if a file cannot be read.
  static func print(_ arguments: [String]) throws {
    let isShown = arguments.first == "--show"
    var (selectors, understood) = (0, 0)
    var (parsing, styling) = (Duration.zero, Duration.zero)
    let clock = ContinuousClock()
    for file in arguments.dropFirst(isShown ? 1 : 0) {
      let page = try Array(Data(contentsOf: URL(fileURLWithPath: file)))
      var tree = DOMTree()
      parsing += clock.measure { tree = DOMParser.parse(page) }
      styling += clock.measure { _ = HidingRules(styleSheetsOf: tree) }
      let coverage = StyleCoverage(of: tree.styleSheet)
      selectors += coverage.selectorCount
      understood += coverage.supportedSelectorCount
      if isShown { coverage.unsupportedSelectors.forEach { Swift.print($0) } }
    }
    let share = Double(understood) / Double(max(1, selectors))
    Swift.print(
      "\(understood) of \(selectors) selectors are understood (\((share * 1000).rounded() / 10) %)")
    let ratio = styling / parsing
    Swift.print("applying them takes \((ratio * 1000).rounded() / 1000) × the time of parsing")
  }
}
