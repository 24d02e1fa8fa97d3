import DOM

// Hints that words in names, URLs and declarations give about a page.

/// The purpose of an element outside the content, by its element name, class and id.
struct BoilerplateName: OptionSet {
  let rawValue: UInt32

  /// Text only for screen readers, which mostly repeats visible text.
  static let screenReaderOnly = BoilerplateName(rawValue: 1 << 0)
  /// A cookie consent banner.
  static let consent = BoilerplateName(rawValue: 1 << 1)
  static let newsletter = BoilerplateName(rawValue: 1 << 2)
  /// A tooltip or popover.
  static let popover = BoilerplateName(rawValue: 1 << 3)
  /// An error message that is present before any error occurs.
  static let errorMessage = BoilerplateName(rawValue: 1 << 4)
  static let form = BoilerplateName(rawValue: 1 << 5)
  static let footer = BoilerplateName(rawValue: 1 << 6)
  /// Controls that filter a list.
  static let filter = BoilerplateName(rawValue: 1 << 7)
  /// A sidebar beside a list.
  static let sidebar = BoilerplateName(rawValue: 1 << 8)
  /// The signature below each post of an author.
  static let signature = BoilerplateName(rawValue: 1 << 9)
  /// An announcement on every page of the site.
  static let announcement = BoilerplateName(rawValue: 1 << 10)
  /// Breadcrumbs: the path from the home page to this one.
  static let breadcrumbs = BoilerplateName(rawValue: 1 << 11)

  /// Details about the author beside each post.
  static let authorDetails = BoilerplateName(rawValue: 1 << 12)
  /// Actions and ratings of each item.
  static let controls = BoilerplateName(rawValue: 1 << 13)

  /// Text visible from some window width, which overrides `screenReaderOnly`.
  static let visibleAtSomeWidth = BoilerplateName(rawValue: 1 << 14)

  /// An invitation to sign up, to pay or to donate.
  static let appeal = BoilerplateName(rawValue: 1 << 15)
  /// A link for editing a section, or another control of the site beside a heading or caption.
  static let inlineControl = BoilerplateName(rawValue: 1 << 16)

  /// The number of names that lead to the removal of blocks (`PageBlocks.withoutElements`); the
  /// ones after it have rules of their own.
  static let removableCount = 14
}

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
