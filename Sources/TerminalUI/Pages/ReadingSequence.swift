package import Pages

/// The pages that the user reads one after the other: the chapters of a book, the pages of a
/// collection, the items of a feed, or the results of a search.
package struct ReadingSequence: Sendable, Equatable {
  /// The origin of the items.
  package enum Source: Sendable, Equatable {
    case chapters
    /// The collection with this identifier.
    case collection(String)
    /// The feed with this key.
    case feed(String)
    /// The unread items of all feeds.
    case unread
    case search
  }

  /// A page of the sequence.
  package struct Item: Sendable, Equatable {
    package var url: DocumentAddress
    package var title: String

    package init(url: DocumentAddress, title: String) { (self.url, self.title) = (url, title) }
  }

  package var source: Source
  /// The name of the book, collection or feed, or a description such as `the unread items`.
  package var name: String
  package private(set) var items: [Item]
  /// The index of the page on the screen.
  package private(set) var index: Int
  /// The number of items before the first one that counts: 1 for a table of contents.
  private var uncountedItemCount = 0

  /// Creates a sequence at an item; nil if there is no such item.
  package init?(_ source: Source, name: String, items: [Item], index: Int) {
    guard items.indices.contains(index) else { return nil }
    (self.source, self.name, self.items, self.index) = (source, name, items, index)
  }

  /// Creates the sequence of the parts of a document, which begins with the table of contents. A
  /// part outside the reading order is included only while it is shown. Nil if the index of the
  /// part is invalid.
  package init?(_ parts: PartList) {
    let shown = parts.parts.indices.filter { parts.parts[$0].isLinear || $0 == parts.index }
    let index = parts.index.map { part in (shown.firstIndex(of: part) ?? 0) + 1 } ?? 0
    self.init(
      .chapters, name: parts.title,
      items: [Item(url: parts.contentsURL, title: "Contents")]
        + shown.map { Item(url: parts.parts[$0].url, title: parts.parts[$0].title) },
      index: index)
    uncountedItemCount = 1
  }

  package var currentItem: Item { items[index] }

  /// The position of the page, such as `3/28`; nil for a table of contents.
  package var positionText: String? {
    index < uncountedItemCount
      ? nil : "\(index - uncountedItemCount + 1)/\(items.count - uncountedItemCount)"
  }

  /// Returns the sequence at the item that is a number of steps away; nil if there is none.
  package func moved(by steps: Int) -> ReadingSequence? {
    guard items.indices.contains(index + steps) else { return nil }
    var sequence = self
    sequence.index += steps
    return sequence
  }

  /// Returns the sequence at its last item, or at the first one if `steps` is negative; nil if the
  /// sequence is already at that item.
  package func moved(toEnd steps: Int) -> ReadingSequence? {
    let end = steps > 0 ? items.count - 1 : 0
    return index == end ? nil : moved(by: end - index)
  }

  /// Returns the sequence at a page; nil if the page is not in it.
  package func moved(to url: DocumentAddress) -> ReadingSequence? {
    guard let index = items.firstIndex(where: { $0.url.isSamePage(as: url) }) else { return nil }
    var sequence = self
    sequence.index = index
    return sequence
  }
}
