package import DOM

extension DOMTree {
  /// Whether an element that is named as an author is about a part of the page, such as a quotation
  /// or an image, rather than about the page.
  package func isAuthorOfPart(_ node: Int32) -> Bool {
    if isNamedAsQuotation(node) { return true }
    var ancestor = nodes[Int(node)].parent
    for _ in 0..<Self.maxAncestorsOfAuthor where ancestor > 0 {
      switch nodes[Int(ancestor)].name {
      case .blockquote, .figure: return true
      case .article, .main, .body: return false
      default: if isNamedAsQuotation(ancestor) { return true }
      }
      ancestor = nodes[Int(ancestor)].parent
    }
    return false
  }

  private func isNamedAsQuotation(_ node: Int32) -> Bool {
    guard let names = attribute(.class, of: node) else { return false }
    return bytes.withUnsafeBufferPointer { Self.quotationNames.match($0, in: names) } != 0
  }

  private static let quotationNames = WordMatcher([(1, "quote,quotation,testimonial")])
  private static let maxAncestorsOfAuthor = 64
}
