import Foundation
public import Logging

/// The configuration of an `HTTPCache`: the location of its files and its handling of requests.
///
/// Only the location is required; the other properties have defaults suited to a reader of web
/// pages.
public struct CacheConfiguration: Sendable {
  /// The location of the archive.
  public var location: ArchiveLocation
  /// The prefix of the names of the segments written on this device; the host name by default.
  public var device: String
  /// Whether the cache never saves responses.
  public var isReadOnly = false
  /// Whether the network is never used: every load has the mode `LoadMode.cacheOnly`, regardless of
  /// its options.
  public var isOffline = false
  /// The logger for responses, failures and warnings; logged URLs contain no credentials.
  public var logger: Logger?
  /// The name of the cache in `Cache-Status` and, unless `userAgent` is set, in `User-Agent`. It
  /// must be a token (RFC 9110 §5.6.2).
  public var name = "OfflineCache"
  /// The `User-Agent` of requests that do not have one; `name` by default.
  public var userAgent: String {
    get { defaultUserAgent ?? name }
    set { defaultUserAgent = newValue }
  }
  private var defaultUserAgent: String?
  /// The lowercase schemes that the cache loads in addition to `about`. Requests for other schemes
  /// fail; a URLSession in which the cache is installed loads them without the cache. Besides http
  /// and https, only schemes with a registered loader have an effect, and those need not be listed.
  public var schemes: Set<String> = ["http", "https"] {
    didSet { schemes = Set(schemes.map { $0.lowercased() }) }
  }
  /// A closure that returns whether the cache handles a request. A URLSession in which the cache is
  /// installed loads other requests without the cache. The closure is called on any thread for the
  /// requests given to a session, without their content, and not for the targets of redirects. It
  /// must not wait for the cache.
  public var handles: @Sendable (WebRequest) -> Bool = { _ in true }
  /// The maximum number of simultaneous connections per host (RFC 9112 §9.4). Further requests wait
  /// for a connection within their total time limit. An HTTP/2 connection carries many requests.
  /// Zero or less means no limit.
  public var maxConnectionsPerHost = 6
  /// The rules for the handling of requests and responses.
  public var rules: [Rule] = []
  /// The rewrites that are applied to requests before they are sent.
  public var rewrites: [Rewrite] = []
  /// The files that replace network responses.
  public var substitutions: [Substitution] = []
  /// The sources of pages that are served if no response was saved, in order of precedence.
  public var seeds: [Seed] = []
  /// The cookies, credentials and client certificates for requests.
  public var identity = Identity()
  /// The path of the HSTS store (RFC 6797), in the format of curl; nil to keep it in memory while
  /// the cache is open.
  public var hstsFile: String?

  /// The storage limits for what this device saves.
  public var limits = StorageLimits()
  /// A closure that returns whether the page with a cache key (`HTTPCache.key(of:)`) is exempt from
  /// the limits. If so, a page to which it redirects is exempt as well. The closure is called on
  /// any thread and must not wait for the cache.
  public var isEvictionExempt: @Sendable (String) -> Bool = { _ in false }

  /// A closure that receives the name of another device whose segments are in this directory, and
  /// returns whether removals by that device are fully accepted. If not, its removals apply only to
  /// records that it wrote itself. Removals in segments without a device name apply only to records
  /// in the same segment. The closure is called on any thread and must not wait for the cache.
  public var mayRemove: @Sendable (String) -> Bool = { _ in true }

  /// A closure that is called with each new value of `HTTPCache.warning`: an error that prevents
  /// saving or reading, although pages are still served. The closure is called on any thread,
  /// possibly before the initializer of the cache returns, and must not wait for the cache. If an
  /// error is resolved and occurs again, it is reported again.
  public var onWarning: @Sendable (ArchiveError) -> Void = { _ in }

  /// The error that prevents saving, if `isReadOnly` is set because of an error; nil if read-only
  /// access was requested.
  package var readOnlyReason: ArchiveError?

  /// Backup copies of recent appends, from which lost bytes are restored; nil if none are kept.
  package var recentAppends: RecentAppends?

  /// The file system that holds the archive.
  package var fileSystem: any FileSystem = LocalFileSystem()

  /// The loaders by scheme; see `register`.
  var loaders: [String: LoaderTransport] = [:]

  /// Creates a configuration with the default values.
  /// - Parameters:
  ///   - location: The location of the archive.
  ///   - device: The prefix of the segment names; the host name if nil.
  public init(location: ArchiveLocation, device: String? = nil) {
    self.location = location
    self.device = device ?? ProcessInfo.processInfo.hostName
  }

  /// Sets `isEvictionExempt` by URL.
  /// - Parameter isExempt: Returns whether the page with a URL, without fragment and credentials,
  ///   is exempt. The closure is called on any thread and must not wait for the cache. Pages to
  ///   which a rule gave a key that is not a URL are not exempt.
  public mutating func exemptFromEviction(
    where isExempt: @escaping @Sendable (WebURL) -> Bool
  ) {
    isEvictionExempt = { WebURL($0).map(isExempt) ?? false }
  }

  /// Returns whether the cache loads a lowercase scheme.
  package func loads(_ scheme: String) -> Bool {
    scheme == "about" || schemes.contains(scheme) || loaders[scheme] != nil
  }
}
