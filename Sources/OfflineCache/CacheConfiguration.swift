import Foundation
public import Logging

/// What an `HTTPCache` is made of: where it keeps things, and what it does with which requests.
///
/// Only the place is needed; everything else has a default that suits a reader of web pages.
public struct CacheConfiguration: Sendable {
  /// Where the archive lives.
  public var location: ArchiveLocation
  /// Begins the names of the segments written here; the host's name unless set.
  public var machine: String
  /// Whether nothing is saved.
  public var isReadOnly = false
  /// Whether nothing is asked: every load is `LoadMode.cacheOnly`, whatever its options say.
  public var isOffline = false
  /// Told of every answer and failure; URLs come without credentials.
  public var logger: Logger?
  /// What the cache is called in `Cache-Status` and, unless `userAgent` is set, towards
  /// servers; a token (RFC 9110 §5.6.2), the application's own.
  public var name = "OfflineCache"
  /// What is sent as `User-Agent` when a request has none; `name` unless set.
  public var userAgent: String {
    get { ownUserAgent ?? name }
    set { ownUserAgent = newValue }
  }
  private var ownUserAgent: String?
  /// The schemes that are loaded beside `about`; requests for others fail, and a URLSession in which
  /// the cache is installed takes them elsewhere. Besides http and https only those have a meaning for
  /// which `register` gives a loader, and they need not be named.
  public var schemes: Set<String> = ["http", "https"] {
    didSet { schemes = Set(schemes.map { $0.lowercased() }) }
  }
  /// Whether a request is one for the cache; a URLSession in which it is installed takes others elsewhere. Asked
  /// about what a session is given, not about where redirects lead, on any thread, without the content; it
  /// must not wait for the cache.
  public var handles: @Sendable (WebRequest) -> Bool = { _ in true }
  /// How many connections to a host (RFC 9112 §9.4) there are at a time; requests beyond that wait for one,
  /// until their time as a whole is over. HTTP/2 has many requests on one. Zero or less is no limit.
  public var connectionsPerHost = 6
  /// What is done with which requests and answers.
  public var rules: [Rule] = []
  /// How requests are changed before they are sent.
  public var rewrites: [Rewrite] = []
  /// Files that answer instead of the network.
  public var substitutions: [Substitution] = []
  /// Pages that answer when nothing was saved, asked in order.
  public var seeds: [Seed] = []
  /// As whom requests are made: cookies, credentials, certificates.
  public var identity = Identity()
  /// The file in which hosts are remembered that want to be asked by https only (RFC 6797), in the format
  /// of curl; nil to remember them for as long as the cache is open.
  public var strictHostsFile: String?

  /// How much is kept of what this machine saves.
  public var limits = StorageLimits()
  /// Whether a page is exempt from the limits, by its cache key (`HTTPCache.key(of:)`). It is asked on
  /// any thread and must not wait for the cache.
  public var isKept: @Sendable (String) -> Bool = { _ in false }

  /// Whether what another machine removes goes here, too, where its segments lie in this folder, by the
  /// name of the machine. What a segment removes that nobody vouches for stays. It is asked on any thread
  /// and must not wait for the cache.
  public var mayRemove: @Sendable (String) -> Bool = { _ in true }

  /// Why nothing may be saved, where nothing is (`isReadOnly`); nil when that was wished.
  package var refusal: ArchiveError?

  /// The second copies of recent appends; nil for none.
  package var recentAppends: RecentAppends?

  /// How the files of the archive are reached.
  package var files: any FileSystem = LocalFileSystem()

  /// What answers for the schemes of the application; see `register`.
  var loaders: [String: LoaderTransport] = [:]

  /// Makes a configuration with the defaults.
  /// - Parameters:
  ///   - location: where the archive lives.
  ///   - machine: begins the names of the segments; the host's name when nil.
  public init(location: ArchiveLocation, machine: String? = nil) {
    self.location = location
    self.machine = machine ?? ProcessInfo.processInfo.hostName
  }

  /// Whether a scheme, in lower case, is one that the cache loads.
  package func loads(_ scheme: String) -> Bool {
    scheme == "about" || schemes.contains(scheme) || loaders[scheme] != nil
  }
}
