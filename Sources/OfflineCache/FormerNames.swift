public import Foundation

// The names of version 1.0.0, so that programs written for it compile.

/// The former name of `LoadedResponse`.
@available(*, deprecated, renamed: "LoadedResponse")
public typealias Answer = LoadedResponse

/// The former name of `FetchTask`.
@available(*, deprecated, renamed: "FetchTask")
public typealias CacheLoad = FetchTask

/// The former name of `SignInChallenge`.
@available(*, deprecated, renamed: "SignInChallenge")
public typealias SignInQuestion = SignInChallenge

extension CacheConfiguration {
  /// The former name of `device`.
  @available(*, deprecated, renamed: "device")
  public var machine: String {
    get { device }
    set { device = newValue }
  }

  /// The former name of `maxConnectionsPerHost`.
  @available(*, deprecated, renamed: "maxConnectionsPerHost")
  public var connectionsPerHost: Int {
    get { maxConnectionsPerHost }
    set { maxConnectionsPerHost = newValue }
  }

  /// The former name of `hstsFile`.
  @available(*, deprecated, renamed: "hstsFile")
  public var strictHostsFile: String? {
    get { hstsFile }
    set { hstsFile = newValue }
  }

  /// The former name of `isEvictionExempt`.
  @available(*, deprecated, renamed: "isEvictionExempt")
  public var isKept: @Sendable (String) -> Bool {
    get { isEvictionExempt }
    set { isEvictionExempt = newValue }
  }

  /// The former name of `init(location:device:)`.
  @available(*, deprecated, renamed: "init(location:device:)")
  public init(location: ArchiveLocation, machine: String?) {
    self.init(location: location, device: machine)
  }
}

extension CookieFile {
  /// The former name of `invalidLines`.
  @available(*, deprecated, renamed: "invalidLines")
  public var badLines: [Int] { invalidLines }
}

extension CurlTransport {
  /// The former name of `init(_:maxConnectionsPerHost:)`.
  @available(*, deprecated, renamed: "init(_:maxConnectionsPerHost:)")
  public convenience init(_ identity: Identity = Identity(), connectionsPerHost: Int) {
    self.init(identity, maxConnectionsPerHost: connectionsPerHost)
  }

  /// The former name of `limit(maxConnectionsPerHost:)`.
  @available(*, deprecated, renamed: "limit(maxConnectionsPerHost:)")
  public func limit(connectionsPerHost count: Int) { limit(maxConnectionsPerHost: count) }
}

extension StubTransport {
  /// The former name of `limit(maxConnectionsPerHost:)`.
  @available(*, deprecated, renamed: "limit(maxConnectionsPerHost:)")
  public func limit(connectionsPerHost count: Int) { limit(maxConnectionsPerHost: count) }
}

extension HTTPCache {
  /// The former name of `limit(maxConnectionsPerHost:)`.
  @available(*, deprecated, renamed: "limit(maxConnectionsPerHost:)")
  public func limit(connectionsPerHost count: Int) { limit(maxConnectionsPerHost: count) }

  /// The former name of `signIn(_:at:realm:isPreemptive:)`.
  @available(*, deprecated, renamed: "signIn(_:at:realm:isPreemptive:)")
  public func signIn(
    _ credentials: Credentials, at url: WebURL, realm: String? = nil, isEager: Bool
  ) {
    signIn(credentials, at: url, realm: realm, isPreemptive: isEager)
  }
}

extension LoadedContent {
  /// The content, decoded.
  @available(*, deprecated, message: "use bytes")
  public var content: Data {
    get { Data(bytes) }
    set { bytes = [UInt8](newValue) }
  }

  /// Creates loaded content from its parts.
  @available(*, deprecated, message: "use init(bytes:answer:url:)")
  public init(content: Data, answer: LoadedResponse, url: WebURL) {
    self.init(bytes: [UInt8](content), answer: answer, url: url)
  }
}

extension LoadOptions {
  /// The former name of `isUserEntered`.
  @available(*, deprecated, renamed: "isUserEntered")
  public var isUserNamed: Bool {
    get { isUserEntered }
    set { isUserEntered = newValue }
  }

  /// The former name of `fallbackDelay`.
  @available(*, deprecated, renamed: "fallbackDelay")
  public var patience: TimeInterval {
    get { fallbackDelay }
    set { fallbackDelay = newValue }
  }

  /// The former name of `fallbackDelayCoversContent`.
  @available(*, deprecated, renamed: "fallbackDelayCoversContent")
  public var patienceCoversContent: Bool {
    get { fallbackDelayCoversContent }
    set { fallbackDelayCoversContent = newValue }
  }

  /// The former name of `maxSize`.
  @available(*, deprecated, renamed: "maxSize")
  public var sizeLimit: Int64 {
    get { maxSize }
    set { maxSize = newValue }
  }
}

extension Rule {
  /// The former name of `minSize`.
  @available(*, deprecated, renamed: "minSize")
  public var minimumSize: Int64? {
    get { minSize }
    set { minSize = newValue }
  }

  /// The former name of `maxSize`.
  @available(*, deprecated, renamed: "maxSize")
  public var maximumSize: Int64? {
    get { maxSize }
    set { maxSize = newValue }
  }

  /// The former name of `ignoresCase`.
  @available(*, deprecated, renamed: "ignoresCase")
  public var foldsCase: Bool? {
    get { ignoresCase }
    set { ignoresCase = newValue }
  }

  /// The former name of `responseKeyField`.
  @available(*, deprecated, renamed: "responseKeyField")
  public var answerKeyField: String? {
    get { responseKeyField }
    set { responseKeyField = newValue }
  }
}

/// Methods that had the names of methods that block.
extension HTTPCache {
  /// Stops every load and closes the archive without blocking the thread of the caller; see
  /// `close()`.
  @available(*, deprecated, message: "use nonblocking.close()")
  public func close() async {
    await nonblocking.close()
  }

  /// Removes everything saved for some URLs without blocking; see `remove(_:isDryRun:progress:)`.
  /// - Parameter urls: The URLs.
  /// - Returns: The removed data, in the order of `urls`.
  /// - Throws: `ArchiveError`.
  @available(*, deprecated, message: "use nonblocking.remove(_:isDryRun:)")
  @discardableResult
  public func remove(_ urls: [WebURL]) async throws(ArchiveError) -> [Removal] {
    try await nonblocking.remove(urls)
  }

  /// Evicts data beyond the storage limits without blocking; see `evict(isDryRun:progress:)`.
  /// - Returns: The evicted data.
  /// - Throws: `ArchiveError`.
  @available(*, deprecated, message: "use nonblocking.evict(isDryRun:)")
  @discardableResult
  public func evict() async throws(ArchiveError) -> Eviction {
    try await nonblocking.evict()
  }

  /// Compacts the archive without blocking; see `compact(isDryRun:progress:)`.
  /// - Returns: The removed data.
  /// - Throws: `ArchiveError`.
  @available(*, deprecated, message: "use nonblocking.compact(isDryRun:)")
  @discardableResult
  public func compact() async throws(ArchiveError) -> Compaction {
    try await nonblocking.compact()
  }

  /// Saves a response as if a server had just sent it, without blocking; see
  /// `store(_:content:for:)`.
  /// - Parameters:
  ///   - response: The head.
  ///   - content: The content without any coding.
  ///   - url: The URL of the GET request that the response answers.
  /// - Returns: The saved version.
  /// - Throws: The errors of `store(_:content:for:)`.
  @available(*, deprecated, message: "use nonblocking.store(_:content:for:)")
  @discardableResult
  public func store(
    _ response: ResponseHead, content: Data, at url: WebURL
  ) async throws(ArchiveError) -> StoredResponse {
    try await nonblocking.store(response, content: [UInt8](content), for: WebRequest(url: url))
  }
}
