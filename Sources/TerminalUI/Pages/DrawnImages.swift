import Document
import Feeds
package import Images
import Layout
package import Reader

/// An image of a page, and what is made of it.
package struct ImageQuery: Sendable, Hashable {
  package var source: ImageSource
  package var request: ImageRequest

  package init(_ source: ImageSource, _ request: ImageRequest) {
    (self.source, self.request) = (source, request)
  }
}

/// What came of it.
package enum ImageOutcome: Sendable, Equatable {
  case drawn(DecodedImage)
  /// A few words why not.
  case failed(String)
}

/// The images that are drawn within pages: what is on the screen, and a screen ahead; the others are forgotten
/// when they are too many.
struct DrawnImages: Sendable {
  /// What is on the screen or will soon be, in the order in which it is needed.
  private(set) var wanted: [ImageQuery] = []
  /// What of it was asked for, and has not come.
  private var missing: [ImageQuery] = []
  private var outcomes: [ImageQuery: ImageOutcome] = [:]
  /// The oldest first.
  private var order: [ImageQuery] = []
  private var size = 0
  /// How large those are that came, by their URLs: little to keep, and it makes room as it should be.
  private var sizes: [String: ImageSize] = [:]

  /// Why others did not come, by their URLs, in whatever size they were asked for.
  private var failures: [String: String] = [:]
  /// The first line on the screen when room could not be given up without moving what stands there.
  var unsettledTop: Int?

  /// The most memory of what is kept beside that, in bytes.
  private static let room = 64 << 20
  /// The most outcomes, also of those that failed.
  private static let most = 500
  /// The most sizes.
  private static let mostSizes = 5000

  /// Notes what is wanted now.
  /// - Returns: what is still to be drawn of it; nil when that was asked for already.
  mutating func want(_ queries: [ImageQuery]) -> [ImageQuery]? {
    guard queries != wanted else { return nil }
    wanted = queries
    let still = queries.filter { self[$0] == nil }
    guard still != missing else { return nil }
    missing = still
    return still
  }

  /// Whether something was asked for and has not come.
  var isWaiting: Bool { !missing.isEmpty }

  /// Takes what came of one.
  mutating func take(_ outcome: ImageOutcome, of query: ImageQuery) {
    missing.removeAll { $0 == query }
    unsettledTop = nil
    if failures.count >= Self.mostSizes { failures = [:] }
    if case .failed(let reason) = outcome { failures[query.source.url] = reason }
    if case .drawn(let image) = outcome, !query.source.url.hasPrefix("data:") {
      if sizes.count >= Self.mostSizes { sizes = [:] }
      sizes[query.source.url] = image.source
    }
    if outcomes.updateValue(outcome, forKey: query) == nil {
      order.append(query)
      size += outcome.size
    }
    while size > Self.room || order.count > Self.most,
      let oldest = order.firstIndex(where: { !wanted.contains($0) })
    {
      size -= outcomes.removeValue(forKey: order.remove(at: oldest))?.size ?? 0
    }
  }

  /// Forgets what has failed: it may be there by now.
  mutating func forgetFailures() {
    let failed = outcomes.filter { if case .failed = $0.value { true } else { false } }.keys
    for query in failed { outcomes[query] = nil }
    failures = [:]
    order.removeAll { outcomes[$0] == nil }
    wanted = []
  }

  /// How large the images of a document are, as far as they came; by their indices.
  func sizes(in document: Document) -> [Int32: ImageRoom.Size] {
    guard !sizes.isEmpty else { return [:] }
    var found: [Int32: ImageRoom.Size] = [:]
    for index in document.images.indices {
      if let url = document.url(ofImage: index), let size = sizes[url] {
        found[Int32(index)] = ImageRoom.Size(width: size.width, height: size.height)
      }
    }
    return found
  }

  /// The images of a document that did not come; indices.
  func missing(in document: Document) -> Set<Int32> {
    guard !failures.isEmpty else { return [] }
    return Set(
      document.images.indices.lazy.filter { index in
        document.url(ofImage: index).map { failures[$0] != nil } ?? false
      }.map { Int32($0) })
  }

  /// What came of one, if it has.
  subscript(query: ImageQuery) -> ImageOutcome? {
    outcomes[query] ?? failures[query.source.url].map { .failed($0) }
  }
}

extension ImageOutcome {
  fileprivate var size: Int { if case .drawn(let image) = self { image.size } else { 0 } }
}
