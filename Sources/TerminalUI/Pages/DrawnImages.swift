import Document
import Feeds
import Images
import Layout
import Reader

/// The images drawn within pages: those on the screen and one screen ahead. Others are evicted when
/// they exceed the limits.
struct DrawnImages: Sendable {
  /// The images on the screen, or about to be, in the order in which they are needed.
  private(set) var wantedQueries: [ImageQuery] = []
  /// The images of `wantedQueries` that were requested and have not been received.
  private var pendingQueries: [ImageQuery] = []
  private var outcomes: [ImageQuery: DrawingOutcome] = [:]
  /// The queries of `outcomes`, the oldest first.
  private var outcomeOrder: [ImageQuery] = []
  private var totalByteCount = 0
  /// The natural sizes of received images, by URL. They are cheap to keep, and give the right
  /// reserved space in later layouts.
  private var naturalSizes: [String: ImageSize] = [:]

  /// The reasons why images could not be loaded, by URL; valid for every requested size.
  private var failureReasons: [String: String] = [:]
  /// The top line of the screen at the last attempt to release image space that failed because the
  /// visible text would have moved. The attempt is not repeated at this line; nil if it may be
  /// made.
  var lastRejectedTop: Int?

  /// The total size of the drawn images, in bytes, above which those that are not wanted are
  /// evicted.
  private static let maxBytes = 64 << 20
  /// The number of outcomes, including failures, above which those that are not wanted are evicted.
  private static let maxOutcomes = 500
  /// The maximum number of entries in each of `naturalSizes` and `failureReasons`.
  private static let maxRecordedSizes = 5000

  /// Sets the images that are wanted now.
  /// - Returns: The wanted images that have no outcome yet; nil if exactly these were requested
  ///   already.
  mutating func setWanted(_ queries: [ImageQuery]) -> [ImageQuery]? {
    guard queries != wantedQueries else { return nil }
    wantedQueries = queries
    let still = queries.filter { self[$0] == nil }
    guard still != pendingQueries else { return nil }
    pendingQueries = still
    return still
  }

  /// Whether requested images have not been received yet.
  var isWaiting: Bool { !pendingQueries.isEmpty }

  /// Records the outcome of a query.
  mutating func record(_ outcome: DrawingOutcome, of query: ImageQuery) {
    pendingQueries.removeAll { $0 == query }
    lastRejectedTop = nil
    if failureReasons.count >= Self.maxRecordedSizes { failureReasons = [:] }
    if case .failed(let reason) = outcome { failureReasons[query.source.url] = reason }
    if case .drawn(let image) = outcome, !query.source.url.hasPrefix("data:") {
      if naturalSizes.count >= Self.maxRecordedSizes { naturalSizes = [:] }
      naturalSizes[query.source.url] = image.sourceSize
    }
    if outcomes.updateValue(outcome, forKey: query) == nil {
      outcomeOrder.append(query)
      totalByteCount += outcome.byteCount
    }
    while totalByteCount > Self.maxBytes || outcomeOrder.count > Self.maxOutcomes,
      let oldest = outcomeOrder.firstIndex(where: { !wantedQueries.contains($0) })
    {
      totalByteCount -=
        outcomes.removeValue(forKey: outcomeOrder.remove(at: oldest))?.byteCount ?? 0
    }
  }

  /// Forgets the failures, so that these images are requested again.
  mutating func forgetFailures() {
    let failed = outcomes.filter { if case .failed = $0.value { true } else { false } }.keys
    for query in failed { outcomes[query] = nil }
    failureReasons = [:]
    outcomeOrder.removeAll { outcomes[$0] == nil }
    wantedQueries = []
  }

  /// Returns the known sizes of a document's images, by image index.
  func naturalSizes(in document: Document) -> [Int32: ImageSpace.PixelSize] {
    guard !naturalSizes.isEmpty else { return [:] }
    var found: [Int32: ImageSpace.PixelSize] = [:]
    for index in document.images.indices {
      if let url = document.url(ofImage: index), let size = naturalSizes[url] {
        found[Int32(index)] = ImageSpace.PixelSize(width: size.width, height: size.height)
      }
    }
    return found
  }

  /// Returns the indices of a document's images that could not be loaded.
  func failedImages(in document: Document) -> Set<Int32> {
    guard !failureReasons.isEmpty else { return [] }
    return Set(
      document.images.indices.lazy.filter { index in
        document.url(ofImage: index).map { failureReasons[$0] != nil } ?? false
      }.map { Int32($0) })
  }

  /// The outcome of a query; nil until it is known.
  subscript(query: ImageQuery) -> DrawingOutcome? {
    outcomes[query] ?? failureReasons[query.source.url].map { .failed($0) }
  }
}
