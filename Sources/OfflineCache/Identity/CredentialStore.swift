import Foundation
import Synchronization

/// The cookies, credentials and client certificate of an open cache.
final class CredentialStore: Sendable {
  private let cookies: Identity.Cookies
  private let jar: CookieJar?
  /// The file for the cookies of the sites whose cookies the user chose to keep. Like
  /// `siteCookies`, it is used only if the configuration supplies no cookies. Nil to keep these
  /// cookies in memory.
  private let siteJar: CookieJar?
  private let siteCookies: Mutex<SiteCookies>
  private let sessionCredentials: Mutex<SessionCredentials>
  private let certificate: (hosts: Set<String>, content: String)?

  /// Creates a store without opening the cookie files. `isReadOnly` is whether jars keep changes
  /// only in memory.
  init(_ identity: Identity, isReadOnly: Bool) {
    cookies = identity.cookies
    sessionCredentials = Mutex(SessionCredentials(netrc: identity.netrc))
    certificate = identity.certificate.map { certificate in
      let files = LocalFileSystem(decodesPaths: identity.decodesPaths)
      let content = try? CookieFile.bytes(certificate.file, files)
      return (certificate.hosts, content.map { Data($0).base64EncodedString() } ?? certificate.file)
    }
    siteCookies = Mutex(SiteCookies(identity.cookieChoices))
    siteJar = identity.siteJar.map { CookieJar(path: $0, isReadOnly: isReadOnly) }
    jar =
      if case .jar(let path) = identity.cookies {
        CookieJar(path: path, isReadOnly: isReadOnly)
      } else {
        nil
      }
  }

  /// Returns the cookies for a request; nil if there are no cookies for its site, or if the user
  /// has not decided to keep them.
  func cookies(for url: WebURL, now: Date) throws(ArchiveError) -> CookieStore.Selection? {
    switch cookies {
    case .none:
      switch choice(for: url) {
      case .session: siteCookies.withLock(\.sessionCookies).selection(for: url, now: now)
      case .always: try siteJar?.selection(for: url, now: now)
      case .never, nil: nil
      }
    case .file(let file): file.store.selection(for: url, now: now)
    case .jar: try jar?.selection(for: url, now: now)
    }
  }

  /// Stores the cookies that a response sets. Cookies from a `CookieFile` are never changed.
  /// - Parameters:
  ///   - response: The response of the server.
  ///   - url: The URL of the response.
  ///   - method: The method of the request.
  ///   - isForForm: Whether the response answers the submission of a form.
  ///   - now: The current time.
  /// - Throws: `ArchiveError` if the file cannot be read or written.
  func storeCookies(
    _ response: ResponseHead, from url: WebURL, method: String, isForForm: Bool, now: Date
  ) throws(ArchiveError) {
    let lines = response.fields.values(of: "Set-Cookie")
    guard !lines.isEmpty else { return }
    let isSafe = Storability.isSafe(method)
    guard cookies == .none else {
      return try jar?.store(lines, from: url, isSafe: isSafe, now: now) ?? ()
    }
    if choice(for: url) == .always {
      return try siteJar?.store(lines, from: url, isSafe: isSafe, now: now) ?? ()
    }
    siteCookies.withLock {
      $0.store(
        lines, from: url, isSafe: isSafe, isForForm: isForForm, now: now,
        newOwner: CookieJar.makeOwnerID)
    }
  }

  /// Returns the user's decision about the cookies of the site of a URL; nil if there is none.
  func choice(for url: WebURL) -> CookieChoice? {
    siteCookies.withLock { $0.choice(for: url) }
  }

  /// Returns the site of a URL if it has set a cookie in response to a form and the user has not
  /// decided about it.
  func undecidedSite(of url: WebURL) -> String? {
    guard let site = url.host.map(PublicSuffix.site) else { return nil }
    return siteCookies.withLock { siteCookies in
      siteCookies.choices[site] == nil
        && siteCookies.pendingCookies.cookies.contains { Cookie.domain(site, covers: $0.domain) }
        ? site : nil
    }
  }

  /// Keeps the cookies that a page set before its form is sent, until the user decides about the
  /// site. Has no effect after a decision.
  func add(_ cookies: ChainCookies, of site: String) {
    siteCookies.withLock { $0.add(cookies, of: site, newOwner: CookieJar.makeOwnerID) }
  }

  /// Applies the user's decision about the cookies of a site; nil revokes it and deletes the
  /// cookies.
  /// - Throws: `ArchiveError` if the jar cannot be read or written.
  func decide(_ choice: CookieChoice?, for site: String) throws(ArchiveError) {
    let lasting = siteCookies.withLock { siteCookies in
      siteCookies.decide(choice, for: site, newOwner: CookieJar.makeOwnerID)
    }
    guard choice == .always else { return try siteJar?.remove(site) ?? () }
    do throws(ArchiveError) {
      try siteJar?.add(lasting, of: site)
    } catch {
      siteCookies.withLock { $0.keepForSession(lasting, of: site, newOwner: CookieJar.makeOwnerID) }
      throw error
    }
  }

  /// Calls a closure with exclusive access to the session credentials.
  func withSessionCredentials<Value: Sendable>(
    _ body: (inout sending SessionCredentials) -> sending Value
  )
    -> Value
  {
    sessionCredentials.withLock { body(&$0) }
  }

  /// Returns the content of the client certificate for the host of a URL, which identifies the
  /// owner of the certificate; nil if there is none.
  func certificate(for url: WebURL) -> String? {
    guard url.scheme == "https", let host = url.host, let certificate,
      certificate.hosts.contains(host)
    else { return nil }
    return certificate.content
  }
}
