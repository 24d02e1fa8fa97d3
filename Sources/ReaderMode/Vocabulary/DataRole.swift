import DOM

/// The role of an object according to its type.
enum DataRole: Sendable, Equatable {
  /// An inline part of a line.
  case inline
  case heading
  /// A list item.
  case item
  /// A text with a separate description.
  case article
  /// An object whose name is the heading of its text.
  case question
  /// Navigation, metadata or another part outside the content.
  case siteWide
  /// Any other object.
  case other

  /// Types in the state of scripts.
  static let rolesOfStateTypes = NameTable<DataRole>(valuesWithNames: Vocabulary.stateRoles)

  /// Element names, for state that describes a page.
  static let rolesOfElementNames = NameTable<DataRole>(valuesWithNames: Vocabulary.elementRoles)

  /// Types of schema.org.
  static let rolesOfLinkedDataTypes = NameTable<DataRole>(
    valuesWithNames: Vocabulary.linkedDataRoles)
}
