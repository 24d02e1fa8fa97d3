import Foundation
import Synchronization

/// What an identity holds while a cache is open.
final class CredentialStore: Sendable {
  private let cookies: Identity.Cookies
  private let jar: CookieJar?
  private let keyring: Mutex<Keyring>
  private let certificate: (hosts: Set<String>, content: String)?

  /// Opens nothing yet; `isReadOnly` says whether a jar keeps what is set in memory.
  init(_ identity: Identity, isReadOnly: Bool) {
    cookies = identity.cookies
    keyring = Mutex(Keyring(netrc: identity.netrc))
    certificate = identity.certificate.map { certificate in
      let content = FileManager.default.contents(atPath: certificate.file)?.base64EncodedString()
      return (certificate.hosts, content ?? certificate.file)
    }
    jar =
      if case .jar(let path) = identity.cookies {
        CookieJar(path: path, isReadOnly: isReadOnly)
      } else {
        nil
      }
  }

  /// The cookies that go with a request for a URL, or nil.
  func cookies(for url: WebURL, now: Date) throws(ArchiveError) -> CookieStore.Selection? {
    switch cookies {
    case .none: nil
    case .file(let file): file.store.selection(for: url, now: now)
    case .jar: try jar?.selection(for: url, now: now)
    }
  }

  /// Takes the cookies that an answer sets; only a jar keeps them.
  /// - Parameters:
  ///   - response: the answer of the server.
  ///   - url: who answered.
  ///   - method: of the request.
  ///   - now: the time.
  /// - Throws: when the jar cannot be read or written.
  func take(
    _ response: ResponseHead, from url: WebURL, method: String, now: Date
  ) throws(ArchiveError) {
    let lines = response.fields.values(of: "Set-Cookie")
    guard let jar, !lines.isEmpty else { return }
    try jar.take(lines, from: url, isSafe: Storability.isSafe(method), now: now)
  }

  /// Does something with the passwords.
  func withKeyring<Value: Sendable>(_ body: (inout sending Keyring) -> sending Value) -> Value {
    keyring.withLock { body(&$0) }
  }

  /// The certificate that a URL's host may ask for, or nil.
  func certificate(for url: WebURL) -> String? {
    guard url.scheme == "https", let host = url.host, let certificate,
      certificate.hosts.contains(host)
    else { return nil }
    return certificate.content
  }
}
