import Foundation

/// The passwords that are known in this process, and where servers have taken them. Nothing of it
/// is ever written.
struct Keyring: Sendable {
  /// A part of a site for which a challenge was answered (RFC 9110 §11.5).
  private struct Space {
    var challenge: Challenge
    var credentials: Credentials
    /// The path below which Basic is sent unasked (RFC 7617 §2.2); Digest holds for the whole origin.
    var folder: String
    /// Whether they are the file's.
    var isOfFile: Bool
    /// How often the nonce was used.
    var count = 0
  }

  /// What goes with a request, and whose it is.
  struct Answer: Sendable {
    /// The value of `Authorization`.
    var value: String
    /// Who answers.
    var credentials: Credentials
  }

  private struct Given {
    var credentials: Credentials
    /// The realm that they are for; nil for every one of the origin.
    var realm: String?
    /// Whether they are sent, by Basic, before anybody asks.
    var isEager: Bool
  }

  private var given: [String: [Given]] = [:]
  private var spaces: [String: [Space]] = [:]
  private let netrc: Netrc?

  /// A keyring with the passwords of a file.
  init(netrc: Netrc? = nil) {
    self.netrc = netrc
  }

  /// Takes credentials for an origin; they go before older ones.
  mutating func add(_ credentials: Credentials, origin: String, realm: String?, isEager: Bool) {
    given[origin, default: []].removeAll { $0.realm == realm }
    given[origin, default: []].insert(
      Given(credentials: credentials, realm: realm, isEager: isEager), at: 0)
    spaces[origin]?.removeAll { realm == nil || $0.challenge.realm == realm }
  }

  /// The credentials that a request for a URL would be made with, were it challenged; nil for none.
  /// The file's only if it is to be known.
  func credentials(for url: WebURL, knowsFile: Bool = true) -> Credentials? {
    if let space = space(for: url, knowsFile: knowsFile) {
      return spaces[url.origin]?[space].credentials
    }
    return given[url.origin]?.first?.credentials ?? (knowsFile ? ofFile(for: url) : nil)
  }

  private func ofFile(for url: WebURL) -> Credentials? {
    url.host.flatMap { netrc?.credentials(for: $0) }
  }

  /// Whether a request for a URL goes with credentials before anybody asks.
  func isUnasked(at url: WebURL, knowsFile: Bool = true) -> Bool {
    space(for: url, knowsFile: knowsFile) != nil
      || given[url.origin]?.contains(where: \.isEager) == true
  }

  /// What goes with a request that nobody has challenged, or nil.
  mutating func authorization(
    for request: WebRequest, at url: WebURL, knowsFile: Bool = true
  ) -> Answer? {
    if let space = space(for: url, knowsFile: knowsFile) {
      return answer(space, request, url)
    }
    return given[url.origin]?.first(where: \.isEager).map {
      Answer(value: $0.credentials.basic, credentials: $0.credentials)
    }
  }

  /// Answers a challenge.
  /// - Parameters:
  ///   - response: the answer with the challenges.
  ///   - request: the request that was challenged.
  ///   - url: where it was sent.
  ///   - refused: the `Authorization` that it had.
  ///   - knowsFile: whether the passwords of the file may be used.
  /// - Returns: the answer, or nil when there is none.
  mutating func authorization(
    after response: ResponseHead, to request: WebRequest, at url: WebURL, refused: String?,
    knowsFile: Bool = true
  ) -> Answer? {
    for challenge in Challenge.all(in: response.fields) {
      let own = given(for: challenge, at: url)
      guard let credentials = own ?? (knowsFile ? ofFile(for: url) : nil) else { continue }
      let old = spaces[url.origin]?.firstIndex { $0.challenge.realm == challenge.realm }
      if let refused {
        let isBasic = challenge.scheme == .basic && refused == credentials.basic
        let isStale = challenge.parameters["stale"]?.lowercased() == "true"
        let isDigest =
          challenge.scheme == .digest && refused.hasPrefix("Digest ") && !isStale
          && old.map { spaces[url.origin]?[$0].credentials == credentials } == true
        if isBasic || isDigest {
          if let old { spaces[url.origin]?.remove(at: old) }
          continue
        }
      }
      if let old { spaces[url.origin]?.remove(at: old) }
      let folder = String(url.path[...(url.path.lastIndex(of: "/") ?? url.path.startIndex)])
      spaces[url.origin, default: []].append(
        Space(
          challenge: challenge, credentials: credentials, folder: folder, isOfFile: own == nil))
      return answer((spaces[url.origin]?.count ?? 1) - 1, request, url)
    }
    return nil
  }

  private func given(for challenge: Challenge, at url: WebURL) -> Credentials? {
    let known = given[url.origin] ?? []
    let found =
      known.first { $0.realm == challenge.realm } ?? known.first { $0.realm == nil }
    return found?.credentials
  }

  /// The innermost space of a URL.
  private func space(for url: WebURL, knowsFile: Bool) -> Int? {
    (spaces[url.origin] ?? []).enumerated()
      .filter { knowsFile || !$1.isOfFile }
      .filter { $1.challenge.scheme == .digest || url.path.hasPrefix($1.folder) }
      .max { $0.element.folder.utf8.count < $1.element.folder.utf8.count }?.offset
  }

  private mutating func answer(
    _ index: Int, _ request: WebRequest, _ url: WebURL
  ) -> Answer? {
    guard var space = spaces[url.origin]?[index] else { return nil }
    let credentials = space.credentials
    guard space.challenge.scheme == .digest else {
      return Answer(value: credentials.basic, credentials: credentials)
    }
    space.count += 1
    spaces[url.origin]?[index] = space
    let random = (0..<4).map { _ in String(UInt32.random(in: .min ... .max), radix: 16) }
    let answer = DigestAnswer(
      challenge: space.challenge, credentials: credentials, count: space.count,
      clientNonce: random.joined())
    let target = url.path + (url.query.map { "?" + $0 } ?? "")
    return answer.authorization(method: request.method, target: target, body: request.body)
      .map { Answer(value: $0, credentials: credentials) }
  }
}
