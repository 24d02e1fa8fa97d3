import DOM

// Names in the data of pages, in lower case. Longer ones than sixteen bytes are cut there.

/// What the name of a member says about its value.
enum DataKey: Sendable, Equatable {
  /// A piece of text, however short.
  case text
  /// Text, or something for programs.
  case content
  /// The text of an article, whole.
  case body
  /// A line of a list.
  case item
  /// What an article is about.
  case summary
  /// What something is called.
  case name
  /// What the object is.
  case type

  /// Members in the state of scripts, by the names that editors and content systems give them.
  static let inState = NameTable<DataKey>(lists: Vocabulary.stateKeys)

  /// Members of schema.org.
  static let inLinkedData = NameTable<DataKey>(lists: Vocabulary.linkedDataKeys)

  /// How many bytes of a name are compared.
  static let longest = 16

  /// Whether a member holds what stands around a text.
  static func isChrome(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    let name = key.first == UInt8(ascii: "_") ? UnsafeBufferPointer(rebasing: key.dropFirst()) : key
    guard let first = name.first else { return false }
    var isChrome = false
    Vocabulary.chromeKeys.forEachPart(separator: 0x20) { word in
      guard !isChrome, word[0] == first.lowercased, word.count <= name.count else { return }
      isChrome = word.indices.allSatisfy { name[$0].lowercased == word[$0] }
    }
    return isChrome
  }
}

/// What an object of data is.
enum DataRole: Sendable, Equatable {
  /// A part of a line.
  case inline
  case heading
  /// An entry of a list.
  case item
  /// A text with a description that is not part of it.
  case article
  /// Something whose name stands above its text.
  case question
  /// Nothing that a reader came for.
  case chrome
  /// Anything else.
  case other

  /// Types in the state of scripts.
  static let inState = NameTable<DataRole>(lists: Vocabulary.stateRoles)

  /// Elements, where the state is that of a page.
  static let ofElements = NameTable<DataRole>(lists: Vocabulary.elementRoles)

  /// Types of schema.org.
  static let inLinkedData = NameTable<DataRole>(lists: Vocabulary.linkedDataRoles)
}
