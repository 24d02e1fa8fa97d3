import Document
import Feeds
package import Images
import Layout
package import Reader

/// An image of a page and the requested rendition of it.
package struct ImageQuery: Sendable, Hashable {
  package var source: ImageSource
  package var request: ImageRequest

  package init(_ source: ImageSource, _ request: ImageRequest) {
    (self.source, self.request) = (source, request)
  }
}

/// The result of drawing an image.
package enum ImageOutcome: Sendable, Equatable {
  case drawn(DecodedImage)
  /// A short description of the reason for the failure.
  case failed(String)
}

/// The images drawn within pages: those on the screen and one screen ahead. Others are evicted when
/// they exceed the limits.
struct DrawnImages: Sendable {
  /// The images on the screen, or about to be, in the order in which they are needed.
  private(set) var wanted: [ImageQuery] = []
  /// The images of `wanted` that were requested and have not been received.
  private var missing: [ImageQuery] = []
  private var outcomes: [ImageQuery: ImageOutcome] = [:]
  /// The queries of `outcomes`, the oldest first.
  private var order: [ImageQuery] = []
  private var size = 0
  /// The natural sizes of received images, by URL. They are cheap to keep, and give the right
  /// reserved space in later layouts.
  private var sizes: [String: ImageSize] = [:]

  /// The reasons why images could not be loaded, by URL; valid for every requested size.
  private var failures: [String: String] = [:]
  /// The top line of the screen at the last attempt to release image space that failed because the
  /// visible text would have moved. The attempt is not repeated at this line; nil if it may be
  /// made.
  var unsettledTop: Int?

  /// The total size of the drawn images, in bytes, above which those that are not wanted are
  /// evicted.
  private static let maxBytes = 64 << 20
  /// The number of outcomes, including failures, above which those that are not wanted are evicted.
  private static let maximum = 500
  /// The maximum number of entries in each of `sizes` and `failures`.
  private static let maxSizes = 5000

  /// Sets the images that are wanted now.
  /// - Returns: The wanted images that have no outcome yet; nil if exactly these were requested
  ///   already.
  mutating func want(_ queries: [ImageQuery]) -> [ImageQuery]? {
    guard queries != wanted else { return nil }
    wanted = queries
    let still = queries.filter { self[$0] == nil }
    guard still != missing else { return nil }
    missing = still
    return still
  }

  /// Whether requested images have not been received yet.
  var isWaiting: Bool { !missing.isEmpty }

  /// Records the outcome of a query.
  mutating func record(_ outcome: ImageOutcome, of query: ImageQuery) {
    missing.removeAll { $0 == query }
    unsettledTop = nil
    if failures.count >= Self.maxSizes { failures = [:] }
    if case .failed(let reason) = outcome { failures[query.source.url] = reason }
    if case .drawn(let image) = outcome, !query.source.url.hasPrefix("data:") {
      if sizes.count >= Self.maxSizes { sizes = [:] }
      sizes[query.source.url] = image.source
    }
    if outcomes.updateValue(outcome, forKey: query) == nil {
      order.append(query)
      size += outcome.size
    }
    while size > Self.maxBytes || order.count > Self.maximum,
      let oldest = order.firstIndex(where: { !wanted.contains($0) })
    {
      size -= outcomes.removeValue(forKey: order.remove(at: oldest))?.size ?? 0
    }
  }

  /// Forgets the failures, so that these images are requested again.
  mutating func forgetFailures() {
    let failed = outcomes.filter { if case .failed = $0.value { true } else { false } }.keys
    for query in failed { outcomes[query] = nil }
    failures = [:]
    order.removeAll { outcomes[$0] == nil }
    wanted = []
  }

  /// Returns the known sizes of a document's images, by image index.
  func sizes(in document: Document) -> [Int32: ImageSpace.Size] {
    guard !sizes.isEmpty else { return [:] }
    var found: [Int32: ImageSpace.Size] = [:]
    for index in document.images.indices {
      if let url = document.url(ofImage: index), let size = sizes[url] {
        found[Int32(index)] = ImageSpace.Size(width: size.width, height: size.height)
      }
    }
    return found
  }

  /// Returns the indices of a document's images that could not be loaded.
  func missing(in document: Document) -> Set<Int32> {
    guard !failures.isEmpty else { return [] }
    return Set(
      document.images.indices.lazy.filter { index in
        document.url(ofImage: index).map { failures[$0] != nil } ?? false
      }.map { Int32($0) })
  }

  /// The outcome of a query; nil until it is known.
  subscript(query: ImageQuery) -> ImageOutcome? {
    outcomes[query] ?? failures[query.source.url].map { .failed($0) }
  }
}

extension ImageOutcome {
  fileprivate var size: Int { if case .drawn(let image) = self { image.size } else { 0 } }
}
