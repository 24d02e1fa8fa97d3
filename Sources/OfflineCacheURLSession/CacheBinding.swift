import OfflineCache

#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
#else
  import Foundation
#endif

/// The cache and the options of a protocol class.
final class CacheBinding: Sendable {
  /// The cache, which is not retained.
  weak let cache: HTTPCache?
  /// The identity of the cache while it exists.
  let id: ObjectIdentifier
  let options: LoadOptions
  /// The session's `httpAdditionalHeaders`.
  let fields: FieldLines

  init(_ cache: HTTPCache, _ options: LoadOptions, _ fields: FieldLines) {
    self.fields = fields
    self.cache = cache
    id = ObjectIdentifier(cache)
    self.options = options
  }

  /// Returns the options of a request: its own, or else those of the class with the policy and the
  /// time limits of the request.
  func options(for request: URLRequest) -> LoadOptions {
    if let own = request.cacheOptions { return own }
    var options = options
    options.follow(request.cachePolicy)
    options.follow(pause: request.timeoutInterval)
    return options
  }
}
