extension DOMTree {
  /// The language of a page without `lang` on `html` or `body`: from a `meta` element, the main
  /// content or Open Graph, in this order; empty if none sets it.
  var declaredLanguage: [UInt8] {
    var (best, rank) = ([UInt8](), Int.max)
    for index in nodes.indices where nodes[index].end > nodes[index].start {
      guard nodes[index].parent != nil, let found = languageDeclaration(of: Int32(index)),
        found.rank < rank,
        let language = Self.firstLanguageTag(bytes[found.range])
      else { continue }
      (best, rank) = (language, found.rank)
    }
    return best
  }

  /// Returns the language that an element declares, and its rank, where lower is more reliable; nil
  /// if it declares none.
  private func languageDeclaration(of element: Int32) -> (rank: Int, range: Range<Int>)? {
    switch nodes[Int(element)].name {
    case .main, .article: attribute(.lang, of: element).map { (3, $0) }
    case .meta:
      languageRank(element).flatMap { rank in
        attribute(.content, of: element).map { (rank, $0) }
      }
    default: nil
    }
  }

  private func languageRank(_ meta: Int32) -> Int? {
    for name in [AttributeName.httpEquiv, .name, .property] {
      guard let range = attribute(name, of: meta),
        let entry = Self.languageMetaNames.first(where: {
          range.count == $0.name.utf8CodeUnitCount && bytes.contains($0.name, in: range)
        })
      else { continue }
      return entry.rank
    }
    return nil
  }

  private static let languageMetaNames: [(name: StaticString, rank: Int)] = [
    ("content-language", 1), ("language", 2), ("dc.language", 2), ("dcterms.language", 2),
    ("og:locale", 4),
  ]

  /// Returns the first of several comma-separated language tags (RFC 5646); nil if it is invalid.
  private static func firstLanguageTag(_ value: ArraySlice<UInt8>) -> [UInt8]? {
    let tag = value.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ";") }
      .filter { !$0.isWhiteSpace }.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
    let isTag =
      2...35 ~= tag.count && tag.prefix(2).allSatisfy(\.isLetter)
      && tag.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
    return isTag ? tag : nil
  }
}
