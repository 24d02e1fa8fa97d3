import OfflineCache

extension LibraryChange {
  /// The changes to record for this change. If it pins or follows the page, or sets a tag or a
  /// note, a second change follows that cancels a pending removal.
  var withRemovalCancelled: [LibraryChange] {
    guard value != nil else { return [self] }
    switch attribute {
    case .pinned, .feed, .tag, .note: return [self, LibraryChange(key, .removed, nil)]
    default: return [self]
    }
  }
}

/// A change to be recorded: a fact without time and device.
package struct LibraryChange: Sendable, Hashable {
  /// The cache key of the page.
  package var key: String
  package var attribute: LibraryAttribute
  /// The value, or nil to remove the attribute.
  package var value: String?

  /// Returns the changes that record the URL of a page; empty if the URL is the same as the key.
  package static func address(_ url: String, of key: String) -> [LibraryChange] {
    let plain = WebURL(url)?.withoutFragment.withoutCredentials.description ?? key
    let url = LibraryPage.address(plain, of: key)
    return url == key ? [] : [LibraryChange(key, .address, url)]
  }

  package init(_ key: String, _ attribute: LibraryAttribute, _ value: String?) {
    self.key = key
    self.attribute = attribute
    self.value = value
  }
}
