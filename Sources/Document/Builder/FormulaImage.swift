import DOM
import Foundation

// Formulas that are drawn as images.

extension DOMTree {
  /// Returns whether an image is a formula, according to its class, alternative text or URL.
  package func isFormulaImage(_ image: Int32) -> Bool {
    value(.class, of: image, hasWordAmong: Self.formulaClasses) || hasFormulaAsName(image)
      || formulaService(of: image) != nil
  }

  /// Returns the TeX in the URL of an image that a service draws from it, or nil.
  func formula(inURLOf image: Int32) -> String? {
    guard let range = attribute(.src, of: image), let service = formulaService(of: image) else {
      return nil
    }
    let url = bytes[range]
    let query = String(decoding: url.drop { $0 != UInt8(ascii: "?") }.dropFirst(), as: UTF8.self)
    var source: String?
    if service.parameter.isEmpty {
      source = query.replacing("&space;", with: " ")
    } else if let item = query.split(separator: "&").first(where: {
      $0.hasPrefix(service.parameter + "=")
    }) {
      source = String(item.dropFirst(service.parameter.count + 1)).replacing("+", with: " ")
    }
    guard let source else { return nil }
    // Commands of CodeCogs that set the size and the colors of the image.
    let formula = (source.removingPercentEncoding ?? source)
      .replacing(/\\(?:inline(?![A-Za-z])|dpi\{\d*\}|(?:bg|fn)_[A-Za-z]+)/, with: "")
    return DocumentBuilder.cleanedLine(Array(formula.utf8)[...])
  }

  /// Returns whether the whole alternative text of an image is TeX between dollar signs or in an
  /// environment, as LaTeX2HTML writes it.
  private func hasFormulaAsName(_ node: Int32) -> Bool {
    guard let range = attribute(.alt, of: node) else { return false }
    let name = bytes[range]
    return name.count > 2
      && (name.first == UInt8(ascii: "$") && name.last == UInt8(ascii: "$")
        || name.starts(with: "\\begin{".utf8) && name.last == UInt8(ascii: "}"))
  }

  /// A service that draws the TeX in its URL: a part of the URL, and the parameter that contains
  /// the TeX, or empty if the whole query is TeX.
  private typealias FormulaService = (name: StaticString, parameter: String)

  private func formulaService(of image: Int32) -> FormulaService? {
    guard let range = attribute(.src, of: image), range.count <= Self.maxFormulaURLLength else {
      return nil
    }
    return Self.formulaServices.first { bytes.contains($0.name, in: range) }
  }

  private static let formulaServices: [FormulaService] = [
    ("latex.codecogs.com/", ""), ("/mathtex.cgi?", ""), ("/mimetex.cgi?", ""),
    ("/latex.php?", "latex"), ("zhihu.com/equation?", "tex"), ("/render/math?", "math"),
    ("/chart?cht=tx", "chl"),
  ]

  private static let maxFormulaURLLength = 4096

  /// Classes of images whose alternative text is TeX.
  private static let formulaClasses: [StaticString] = [
    "latex", "tex", "math", "mathtex", "ql-img-inline-formula",
  ]
}
