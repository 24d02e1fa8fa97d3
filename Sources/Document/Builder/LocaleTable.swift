/// The languages and directions that elements declare, and their changes in the text.
struct LocaleTable {
  /// The declared languages and directions; the first one belongs to the page.
  private var declared = [Document.Locale(start: 0, language: "", direction: nil)]
  /// The index in `declared` of the language and direction of the last leaf.
  private var lastIndex: Int32 = 0
  /// The changes, in the order of the text.
  private(set) var changes: [Document.Locale] = []

  /// Sets the language and direction of the page, whose index is 0.
  mutating func setPage(language: String, direction: Document.Direction?) {
    declared[0].language = language
    declared[0].direction = direction
  }

  /// Returns the index for an element that declares a language. `parent` is the index of its
  /// parent.
  mutating func index(language: String, in parent: Int32) -> Int32 {
    var innerLocale = declared[Int(parent)]
    innerLocale.language = language
    return index(of: innerLocale, in: parent)
  }

  /// Returns the index for an element that declares a direction. `parent` is the index of its
  /// parent.
  mutating func index(direction: Document.Direction?, in parent: Int32) -> Int32 {
    var innerLocale = declared[Int(parent)]
    innerLocale.direction = direction
    return index(of: innerLocale, in: parent)
  }

  private mutating func index(of inner: Document.Locale, in parent: Int32) -> Int32 {
    guard inner != declared[Int(parent)] else { return parent }
    declared.append(inner)
    return Int32(declared.count - 1)
  }

  /// Records the language and direction of a leaf that begins at a position in the text.
  mutating func beginLeaf(_ index: Int32, at position: Int) {
    guard index != lastIndex else { return }
    lastIndex = index
    let here = changes.last ?? declared[0]
    var new = declared[Int(index)]
    guard (here.language, here.direction) != (new.language, new.direction) else { return }
    new.start = UInt32(position)
    changes.append(new)
  }
}
