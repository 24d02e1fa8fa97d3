import Foundation

/// The credentials known to this process, and the protection spaces in which servers accepted them.
/// Neither is ever written to a file.
struct SessionCredentials: Sendable {
  /// A protection space in which a challenge was answered (RFC 9110 §11.5).
  private struct ProtectionSpace {
    var challenge: Challenge
    var credentials: Credentials
    /// The path prefix of the URLs to which Basic credentials are sent preemptively (RFC 7617
    /// §2.2). Digest credentials apply to the whole origin.
    var directory: String
    /// Whether the credentials come from the netrc file.
    var isFromNetrc: Bool
    /// The number of times that the nonce was used.
    var count = 0
  }

  /// The credentials for a request.
  struct Authorization: Sendable {
    /// The value of `Authorization`.
    var value: String
    /// The credentials from which the value was computed.
    var credentials: Credentials
  }

  private struct SuppliedCredentials {
    var credentials: Credentials
    /// The realm to which the credentials apply; nil for every realm of the origin.
    var realm: String?
    /// Whether the credentials are sent by the Basic scheme before a challenge.
    var isPreemptive: Bool
  }

  private var suppliedCredentials: [String: [SuppliedCredentials]] = [:]
  /// The preemptive credentials for a whole origin, by `key(_:)` of the URL with which they were
  /// added. For this URL, they take precedence over credentials that were added later with another
  /// URL of the origin.
  private var credentialsInURLs: [String: Credentials] = [:]
  private var protectionSpaces: [String: [ProtectionSpace]] = [:]
  private let netrc: Netrc?

  /// Creates session credentials. The credentials of the netrc file, if any, are used for the hosts
  /// in it.
  init(netrc: Netrc? = nil) {
    self.netrc = netrc
  }

  /// Adds credentials for the origin of a URL, which take precedence over older credentials, and
  /// forgets the protection spaces to which the new credentials apply. `realm` and `isPreemptive`
  /// have the same meaning as in `SuppliedCredentials`.
  mutating func add(
    _ credentials: Credentials, at url: WebURL, realm: String?, isPreemptive: Bool
  ) {
    let origin = url.origin
    credentialsInURLs[Self.key(url)] = isPreemptive && realm == nil ? credentials : nil
    suppliedCredentials[origin, default: []].removeAll { $0.realm == realm }
    suppliedCredentials[origin, default: []].insert(
      SuppliedCredentials(credentials: credentials, realm: realm, isPreemptive: isPreemptive), at: 0
    )
    protectionSpaces[origin]?.removeAll { realm == nil || $0.challenge.realm == realm }
  }

  /// Returns the URL without user name, password, query and fragment.
  private static func key(_ url: WebURL) -> String { url.origin + url.path }

  /// Returns the credentials that would be used if a request for a URL were challenged; nil if none
  /// are known. Credentials of the netrc file are considered only if `allowsNetrc` is true.
  func credentials(for url: WebURL, allowsNetrc: Bool = true) -> Credentials? {
    if let credentials = credentialsInURLs[Self.key(url)] { return credentials }
    if let space = spaceIndex(for: url, allowsNetrc: allowsNetrc) {
      return protectionSpaces[url.origin]?[space].credentials
    }
    return suppliedCredentials[url.origin]?.first?.credentials
      ?? (allowsNetrc ? netrcCredentials(for: url) : nil)
  }

  private func netrcCredentials(for url: WebURL) -> Credentials? {
    url.host.flatMap { netrc?.credentials(for: $0) }
  }

  /// Returns whether a request for a URL is sent with credentials before a challenge. Credentials
  /// of the netrc file count only if `allowsNetrc` is true.
  func isPreemptive(at url: WebURL, allowsNetrc: Bool = true) -> Bool {
    credentialsInURLs[Self.key(url)] != nil || spaceIndex(for: url, allowsNetrc: allowsNetrc) != nil
      || suppliedCredentials[url.origin]?.contains(where: \.isPreemptive) == true
  }

  /// Returns the credentials to send with a request before a challenge; nil if the request is sent
  /// without credentials at first. Credentials of the netrc file are used only if `allowsNetrc` is
  /// true.
  mutating func authorization(
    for request: WebRequest, at url: WebURL, allowsNetrc: Bool = true
  ) -> Authorization? {
    let urlCredentials = credentialsInURLs[Self.key(url)]
    if let space = spaceIndex(for: url, allowsNetrc: allowsNetrc),
      urlCredentials == nil || urlCredentials == protectionSpaces[url.origin]?[space].credentials
    {
      return authorization(space, request, url)
    }
    let supplied = suppliedCredentials[url.origin]?.first(where: \.isPreemptive)
    return (urlCredentials ?? supplied?.credentials).map {
      Authorization(value: $0.basic, credentials: $0)
    }
  }

  /// Returns the credentials to send in response to a challenge.
  /// - Parameters:
  ///   - response: The response with the challenges.
  ///   - request: The request that was challenged.
  ///   - url: The URL to which the request was sent.
  ///   - refusedValue: The `Authorization` value that the request had.
  ///   - allowsNetrc: Whether the credentials of the netrc file may be used.
  /// - Returns: The credentials, or nil if no suitable ones are known.
  mutating func authorization(
    after response: ResponseHead, to request: WebRequest, at url: WebURL, refusedValue: String?,
    allowsNetrc: Bool = true
  ) -> Authorization? {
    for challenge in Challenge.all(in: response.fields) {
      let suppliedOrURLCredentials =
        credentialsInURLs[Self.key(url)] ?? suppliedCredentials(for: challenge, at: url)
      guard
        let credentials = suppliedOrURLCredentials
          ?? (allowsNetrc ? netrcCredentials(for: url) : nil)
      else {
        continue
      }
      let oldIndex = protectionSpaces[url.origin]?.firstIndex {
        $0.challenge.realm == challenge.realm
      }
      if let refusedValue {
        let isBasic = challenge.scheme == .basic && refusedValue == credentials.basic
        let isStale = challenge.parameters["stale"]?.lowercased() == "true"
        let isDigest =
          challenge.scheme == .digest && refusedValue.hasPrefix("Digest ") && !isStale
          && oldIndex.map { protectionSpaces[url.origin]?[$0].credentials == credentials } == true
        if isBasic || isDigest {
          credentialsInURLs[Self.key(url)] = nil
          if let oldIndex { protectionSpaces[url.origin]?.remove(at: oldIndex) }
          continue
        }
      }
      if let oldIndex { protectionSpaces[url.origin]?.remove(at: oldIndex) }
      let directory = String(url.path[...(url.path.lastIndex(of: "/") ?? url.path.startIndex)])
      protectionSpaces[url.origin, default: []].append(
        ProtectionSpace(
          challenge: challenge, credentials: credentials, directory: directory,
          isFromNetrc: suppliedOrURLCredentials == nil
        ))
      return authorization((protectionSpaces[url.origin]?.count ?? 1) - 1, request, url)
    }
    return nil
  }

  private func suppliedCredentials(for challenge: Challenge, at url: WebURL) -> Credentials? {
    let originCredentials = suppliedCredentials[url.origin] ?? []
    let found =
      originCredentials.first { $0.realm == challenge.realm }
      ?? originCredentials.first { $0.realm == nil }
    return found?.credentials
  }

  /// Returns the index of the innermost protection space of a URL; nil if none is known. Spaces
  /// with credentials of the netrc file count only if `allowsNetrc` is true.
  private func spaceIndex(for url: WebURL, allowsNetrc: Bool) -> Int? {
    (protectionSpaces[url.origin] ?? []).enumerated()
      .filter { allowsNetrc || !$1.isFromNetrc }
      .filter { $1.challenge.scheme == .digest || url.path.hasPrefix($1.directory) }
      .max { $0.element.directory.utf8.count < $1.element.directory.utf8.count }?.offset
  }

  private mutating func authorization(
    _ index: Int, _ request: WebRequest, _ url: WebURL
  ) -> Authorization? {
    guard var space = protectionSpaces[url.origin]?[index] else { return nil }
    let credentials = space.credentials
    guard space.challenge.scheme == .digest else {
      return Authorization(value: credentials.basic, credentials: credentials)
    }
    space.count += 1
    protectionSpaces[url.origin]?[index] = space
    let random = (0..<4).map { _ in String(UInt32.random(in: .min ... .max), radix: 16) }
    let response = DigestResponse(
      challenge: space.challenge, credentials: credentials, nonceCount: space.count,
      clientNonce: random.joined())
    let target = url.path + (url.query.map { "?" + $0 } ?? "")
    return
      response
      .authorization(method: request.method, target: target, body: request.bodyInMemory)
      .map { Authorization(value: $0, credentials: credentials) }
  }
}
