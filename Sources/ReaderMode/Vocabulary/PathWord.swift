import DOM

/// The kinds of page that words in a URL suggest.
struct PathWord: OptionSet {
  let rawValue: UInt16

  /// The URL of the page is known.
  static let hasURL = PathWord(rawValue: 1 << 0)
  static let forum = PathWord(rawValue: 1 << 1)
  static let documentation = PathWord(rawValue: 1 << 2)
  static let product = PathWord(rawValue: 1 << 3)
  static let productList = PathWord(rawValue: 1 << 4)
  static let linkList = PathWord(rawValue: 1 << 5)
  static let service = PathWord(rawValue: 1 << 6)
  static let article = PathWord(rawValue: 1 << 7)
  /// A path segment has at least five words, as one that is derived from a title.
  static let longSlug = PathWord(rawValue: 1 << 8)

  static let count = 9

  /// Returns the hints in a path segment or in the host.
  static func hints(of part: ArraySlice<UInt8>, isHost: Bool) -> PathWord {
    let name = part.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let words = name.split { !$0.isLetter }
    var found: PathWord = !isHost && words.count >= 5 ? .longSlug : []
    for word in words {
      let topic = word.withUnsafeBufferPointer { table.find($0) }
      if let topic { found.formUnion(topic) }
    }
    return found
  }

  private static let table = NameTable<PathWord>(valuesWithNames: Vocabulary.pathTerms)
}
