import DOM

// What words in names, addresses and declarations tell of a page.

/// What an element is for, by its name or its class and id, when it is not for reading.
struct BoilerplateName: OptionSet {
  let rawValue: UInt32

  /// Words for screen readers alone, mostly a second time.
  static let unseen = BoilerplateName(rawValue: 1 << 0)
  /// Asks whether cookies may be set.
  static let consent = BoilerplateName(rawValue: 1 << 1)
  /// Invites to get mail.
  static let invitation = BoilerplateName(rawValue: 1 << 2)
  /// Explains a control that is pointed at.
  static let popover = BoilerplateName(rawValue: 1 << 3)
  /// Says what went wrong, before anything did.
  static let failure = BoilerplateName(rawValue: 1 << 4)
  /// Is filled in.
  static let form = BoilerplateName(rawValue: 1 << 5)
  /// Ends every page of the site.
  static let footer = BoilerplateName(rawValue: 1 << 6)
  /// Chooses among items.
  static let filter = BoilerplateName(rawValue: 1 << 7)
  /// Stands beside a list, with other lists.
  static let sidebar = BoilerplateName(rawValue: 1 << 8)
  /// What somebody says below each of their posts.
  static let signature = BoilerplateName(rawValue: 1 << 9)
  /// Tells on every page of a site what is new or cheap there.
  static let announcement = BoilerplateName(rawValue: 1 << 10)
  /// Breadcrumbs: the path from the first page of the site to this one.
  static let path = BoilerplateName(rawValue: 1 << 11)

  /// What somebody is and did on the site, beside each of their posts.
  static let member = BoilerplateName(rawValue: 1 << 12)
  /// What can be done with each item, and how others judge it.
  static let controls = BoilerplateName(rawValue: 1 << 13)

  /// Is for eyes, too, from some width of the window on, whatever `unseen` says.
  static let seen = BoilerplateName(rawValue: 1 << 14)

  /// How many names there are for what is left out.
  static let count = 14
}

/// What words of an address tell of a page.
struct PathWord: OptionSet {
  let rawValue: UInt16

  static let known = PathWord(rawValue: 1 << 0)
  static let forum = PathWord(rawValue: 1 << 1)
  static let documentation = PathWord(rawValue: 1 << 2)
  static let product = PathWord(rawValue: 1 << 3)
  static let collection = PathWord(rawValue: 1 << 4)
  static let listing = PathWord(rawValue: 1 << 5)
  static let service = PathWord(rawValue: 1 << 6)
  static let article = PathWord(rawValue: 1 << 7)
  static let longSlug = PathWord(rawValue: 1 << 8)

  static let count = 9

  /// What a part of a path, or the host, says.
  static func words(of part: ArraySlice<UInt8>, isHost: Bool) -> PathWord {
    let name = part.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let words = name.split { !$0.isLetter }
    var found: PathWord = !isHost && words.count >= 5 ? .longSlug : []
    for word in words {
      let topic = word.withUnsafeBufferPointer { table.find($0) }
      if let topic { found.formUnion(topic) }
    }
    return found
  }

  private static let table = NameTable<PathWord>(lists: Vocabulary.pathWords)
}

/// What a page is declared to be.
struct Declared: OptionSet {
  let rawValue: UInt16

  static let article = Declared(rawValue: 1 << 0)
  static let product = Declared(rawValue: 1 << 1)
  static let forum = Declared(rawValue: 1 << 2)
  static let collection = Declared(rawValue: 1 << 3)
  static let documentation = Declared(rawValue: 1 << 4)
  static let service = Declared(rawValue: 1 << 5)
  static let itemList = Declared(rawValue: 1 << 6)
  static let webPage = Declared(rawValue: 1 << 7)
  static let questions = Declared(rawValue: 1 << 8)
  static let breadcrumb = Declared(rawValue: 1 << 9)
  static let organization = Declared(rawValue: 1 << 10)

  static let count = 11

  /// What a type of schema.org or OpenGraph means.
  static func named(_ type: ArraySlice<UInt8>) -> Declared {
    let name = type.suffix(while: { $0 != UInt8(ascii: "/") })
    return Vocabulary.types[String(decoding: name, as: UTF8.self).lowercased()] ?? []
  }

  /// What is known of a program that makes pages.
  static func generator(_ name: ArraySlice<UInt8>) -> Declared {
    let name = Array(name.prefix(60))
    for (word, kind) in Vocabulary.generators where name.contains(word, in: name.indices) {
      return kind
    }
    return []
  }
}

extension ArraySlice<UInt8> {
  /// The end of a slice that has only bytes of a sort.
  fileprivate func suffix(while isIncluded: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    var start = endIndex
    while start > startIndex, isIncluded(self[start - 1]) { start -= 1 }
    return self[start...]
  }
}
