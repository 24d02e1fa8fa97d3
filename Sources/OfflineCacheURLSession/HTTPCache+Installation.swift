public import OfflineCache

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension HTTPCache {
  /// Makes sessions with this configuration load through the cache.
  ///
  /// Several caches, and several options of one cache, can be used in one process at the same time.
  /// While the delegate of a session is slow, at most about 2 MB of content is buffered. The
  /// content for a completion handler is held in memory; see `CachingURLProtocol`.
  ///
  /// The sessions do not retain the cache. When the cache is closed or deallocated, the loads of
  /// the sessions fail.
  /// - Parameters:
  ///   - configuration: The configuration, in which the cache's protocol is put before all others.
  ///     Sessions created from it before are not affected. Its current `httpAdditionalHeaders` are
  ///     sent too. Its cookie storage is removed, because the cache manages cookies itself
  ///     (`Identity`), and so is its URL cache. Its `httpMaximumConnectionsPerHost`, unless it is
  ///     the system's 6, applies to the whole cache.
  ///   - options: The options of requests that have none of their own (`URLRequest.cacheOptions`).
  ///     If no mode was chosen, the configuration's current `requestCachePolicy` determines it. The
  ///     configuration's `timeoutIntervalForRequest` and `timeoutIntervalForResource`, unless they
  ///     are the system's 60 s and 7 days or not positive, become the limits for a pause and for
  ///     the whole load.
  public func install(
    in configuration: URLSessionConfiguration, options: LoadOptions = LoadOptions()
  ) {
    var options = options
    if !options.isModeChosen { options.follow(configuration.requestCachePolicy) }
    options.follow(
      pause: configuration.timeoutIntervalForRequest,
      total: configuration.timeoutIntervalForResource)
    let connections = configuration.httpMaximumConnectionsPerHost
    if connections != SessionDefaults.connectionsPerHost {
      limit(maxConnectionsPerHost: connections)
    }
    let own = CacheBinding.protocolClass(
      for: self, options, FieldLines(configuration.httpAdditionalHeaders ?? [:]))
    uninstall(from: configuration)
    configuration.protocolClasses = [own] + (configuration.protocolClasses ?? [])
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
  }

  /// Removes the protocol of this or another cache from a configuration.
  /// - Parameter configuration: The configuration. Sessions created from it afterwards load without
  ///   a cache; existing ones are not affected.
  public func uninstall(from configuration: URLSessionConfiguration) {
    configuration.protocolClasses?.removeAll { $0 is CachingURLProtocol.Type }
  }
}

extension HTTPCache {
  /// Makes this the cache of the whole process. `CachingURLProtocol` uses it wherever the class was
  /// added manually; on Apple platforms, so does every session.
  ///
  /// On Linux, sessions use registered classes only for URLs that they cannot load themselves, so
  /// each configuration needs the class or `install`. The process retains the cache until
  /// `unregister()` and releases one that was registered before.
  /// - Parameter options: The options of requests without options of their own.
  public func register(options: LoadOptions = LoadOptions()) {
    CacheBinding.register(self, options)
    _ = URLProtocol.registerClass(CachingURLProtocol.self)
  }

  /// Unregisters the cache and releases it, if it is the one that is registered.
  public func unregister() {
    guard CacheBinding.unregister(self) else { return }
    URLProtocol.unregisterClass(CachingURLProtocol.self)
  }
}

extension FieldLines {
  /// Creates fields from the headers of a session's configuration, sorted by name.
  fileprivate init(_ headers: [AnyHashable: Any]) {
    self.init(
      headers.compactMap { name, value in
        (name.base as? String).map { Field($0, String(describing: value)) }
      }.sorted { $0.name < $1.name })
  }
}
