import DOM

/// The kinds of page that metadata declares.
struct DeclaredKind: OptionSet {
  let rawValue: UInt16

  static let article = DeclaredKind(rawValue: 1 << 0)
  static let product = DeclaredKind(rawValue: 1 << 1)
  static let forum = DeclaredKind(rawValue: 1 << 2)
  static let productList = DeclaredKind(rawValue: 1 << 3)
  static let documentation = DeclaredKind(rawValue: 1 << 4)
  static let service = DeclaredKind(rawValue: 1 << 5)
  static let itemList = DeclaredKind(rawValue: 1 << 6)
  static let webPage = DeclaredKind(rawValue: 1 << 7)
  static let questions = DeclaredKind(rawValue: 1 << 8)
  static let breadcrumb = DeclaredKind(rawValue: 1 << 9)
  static let organization = DeclaredKind(rawValue: 1 << 10)

  static let count = 11

  /// Returns the kind for a type of schema.org or Open Graph.
  static func kind(ofType type: ArraySlice<UInt8>) -> DeclaredKind {
    let name = type.suffix(while: { $0 != UInt8(ascii: "/") })
    return Vocabulary.kindsByType[String(decoding: name, as: UTF8.self).lowercased()] ?? []
  }

  static func kindOfGenerator(_ name: ArraySlice<UInt8>) -> DeclaredKind {
    let name = Array(name.prefix(60))
    for (word, kind) in Vocabulary.kindsByGenerator where name.contains(word, in: name.indices) {
      return kind
    }
    return []
  }
}

extension ArraySlice<UInt8> {
  /// Returns the longest suffix whose bytes all satisfy a predicate.
  fileprivate func suffix(while isIncluded: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    var start = endIndex
    while start > startIndex, isIncluded(self[start - 1]) { start -= 1 }
    return self[start...]
  }
}
