import Foundation
import OfflineCache

/// A fact about a page, recorded by the user or by offread on the user's behalf: for example, that
/// the page is pinned, has a tag, or is queued.
///
/// Facts are only ever added. Of two facts about the same attribute of the same page, the later one
/// applies, so that devices can merge their facts in any order with the same result.
package struct LibraryFact: Sendable, Equatable {
  /// The cache key of the page.
  package var key: String
  package var attribute: LibraryAttribute
  /// The value; nil if the attribute is removed.
  package var value: String?
  /// The time when the fact was recorded, in milliseconds since 1970.
  package var date: Int64
  /// The device that recorded the fact.
  package var device: String
  /// The digest of the key as the journal spells it, by which removals identify the page; nil if
  /// this spelling is the result of `CacheKey.normalized`.
  package var otherDigest: String?

  package init(
    key: String, attribute: LibraryAttribute, value: String?, date: Int64, device: String
  ) {
    self.key = key
    self.attribute = attribute
    self.value = value
    self.date = date
    self.device = device
  }

  /// Returns whether this fact replaces another one about the same attribute of the same page. The
  /// later fact applies. Of facts with the same time from different devices, the one from the
  /// device whose name sorts last applies; of facts with the same time from the same device, the
  /// one that was written last.
  package func supersedes(_ other: LibraryFact) -> Bool {
    (date, device) >= (other.date, other.device)
  }
}
