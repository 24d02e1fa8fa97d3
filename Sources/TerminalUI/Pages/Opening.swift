import Pages
import Saving

/// How a page was opened, and the state of its revalidation.
struct Opening: Sendable, Equatable {
  /// The sequence number of the page among all that were shown, from 1.
  var pageNumber = 0
  /// The initiator of the load; a reload must have no more permissions than the first load.
  var origin = LoadRequest.Origin.user
  /// The state of the background revalidation.
  var revalidation = Revalidation.none
  /// The list from which the page was opened; nil for none.
  var list: ListScreen?
  /// The sequence from which the page was opened; nil for none.
  var sequence: ReadingSequence?
  /// The collection or feed that the page was found to be in; nil for none.
  var foundSequence: ReadingSequence?
  /// The feed of which the page is an item; nil for none.
  var feed: FeedName?
  /// Whether the end of the page was reached and the next page was announced.
  var isNextAnnounced = false
  /// Whether the page, whose absence is explained on the screen, was fetched from the queue later.
  var hasArrived = false
}

extension Opening {
  /// Stops waiting for a newer version.
  /// - Returns: The load that might have delivered it; nil if none is awaited.
  mutating func cancelRevalidation() -> LoadID? {
    guard case .awaited(let id) = revalidation else { return nil }
    revalidation = .none
    return id
  }
}
