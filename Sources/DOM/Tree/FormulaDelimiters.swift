/// The delimiters between which MathJax or KaTeX looks for TeX in the text of a page.
package struct FormulaDelimiters: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `\(` and `\)`, `\[` and `\]`, `$$` and `$$`: the defaults of MathJax and of KaTeX.
  package static let defaults = FormulaDelimiters(rawValue: 1)
  /// A single `$`, which a page must enable, because it usually denotes a currency.
  package static let singleDollar = FormulaDelimiters(rawValue: 2)

  /// Records the delimiters that a script implies, by its URL or its settings.
  mutating func record(
    script: UnsafeBufferPointer<UInt8>, type: ArraySlice<UInt8>?, source: ArraySlice<UInt8>?
  ) {
    if let source, Array(source).isMathLibraryURL { insert(.defaults) }
    if let type, type.elementsEqual("text/x-mathjax-config".utf8) { insert(.defaults) }
    guard script.count <= Self.maxSettingsLength, script.containsQuotedDollar else { return }
    let settings = Array(script)
    if settings.contains("inlineMath", in: settings.indices)
      || settings.contains("delimiters", in: settings.indices)
    {
      insert(.singleDollar)
    }
  }

  /// The maximum size in bytes of a script that is searched for settings.
  private static let maxSettingsLength = 8192
}

extension [UInt8] {
  /// Whether a URL is that of MathJax or KaTeX.
  fileprivate var isMathLibraryURL: Bool {
    contains("mathjax", in: indices) || contains("katex", in: indices)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the script contains a quoted `$`.
  fileprivate var containsQuotedDollar: Bool {
    var index = firstIndex(of: UInt8(ascii: "$"), from: 1)
    while index + 1 < count {
      let marker = self[index - 1]
      let isQuoted = marker == UInt8(ascii: "'") || marker == UInt8(ascii: "\"")
      if isQuoted, self[index + 1] == marker { return true }
      index = firstIndex(of: UInt8(ascii: "$"), from: index + 1)
    }
    return false
  }
}
