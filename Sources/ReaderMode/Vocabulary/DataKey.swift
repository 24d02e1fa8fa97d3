import DOM

// Keys in the data of pages, in lower case and cut to sixteen bytes.

/// The role of a value according to its key.
enum DataKey: Sendable, Equatable {
  /// Text of any length.
  case text
  /// Text, or a value for programs.
  case content
  /// The complete text of an article.
  case body
  /// A list item.
  case item
  /// A description of an article.
  case summary
  /// The name of an object.
  case name
  /// The type of an object.
  case type

  /// Keys in the state of scripts, as used by editors and content management systems.
  static let rolesOfStateKeys = NameTable<DataKey>(valuesWithNames: Vocabulary.stateKeys)

  /// Properties of schema.org.
  static let rolesOfLinkedDataKeys = NameTable<DataKey>(valuesWithNames: Vocabulary.linkedDataKeys)

  /// The number of bytes of a key that are compared.
  static let maxLength = 16

  /// Whether a key belongs to site-wide parts such as navigation, or to metadata.
  static func isSiteWide(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
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
