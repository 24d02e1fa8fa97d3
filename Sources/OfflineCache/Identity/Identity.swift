import Foundation
import Platform

/// The identity with which a cache sends requests. By default it is anonymous: no passwords are
/// known and no cookies are kept. Only a cookie that a redirect sets is sent, with the following
/// requests of the same redirect chain.
///
/// Responses to requests with cookies or credentials are private to this identity: they are stored
/// with keyed hashes of it, and are never served to another identity.
public struct Identity: Sendable {
  /// The cookies that are sent with requests.
  public var cookies = Cookies.none
  /// The file for the cookies of the sites whose cookies the user chose to keep; used if `cookies`
  /// is `none`. Nil to keep them in memory only.
  package var siteJar: String?
  /// The user's decisions about the cookies of sites, by registrable domain.
  package var cookieChoices: [String: CookieChoice] = [:]
  /// The passwords for servers that require authentication.
  public var netrc: Netrc?
  /// The client certificate, and the hosts to which it is sent.
  public var certificate: ClientCertificate?
  /// A file of trusted certificate authorities (PEM), used instead of the system's; nil for the
  /// system's.
  public var authorities: String?
  /// Whether the paths of the certificate files are arguments of the process, with characters for
  /// bytes that are not UTF-8 (`PathText`).
  package var decodesPaths = false

  /// Creates an anonymous identity.
  public init() {}

  /// The source of the cookies for requests that do not set their own.
  public enum Cookies: Sendable, Equatable {
    /// No cookies are kept. A cookie that a redirect sets is sent only with the following requests
    /// of the same redirect chain.
    case none
    /// The cookies come from a file that never changes.
    case file(CookieFile)
    /// Cookies that responses set are stored in the file at this path, with mode 0600.
    case jar(path: String)
  }

  /// A TLS client certificate (RFC 8446 §4.4.2). It is sent only to the listed hosts, because it
  /// would identify the user to any other site.
  public struct ClientCertificate: Sendable, Equatable {
    /// The path of the certificate file (PEM).
    public var file: String
    /// The path of the key file (PEM, without a passphrase); nil if the certificate file contains
    /// the key.
    public var key: String?
    /// The hosts in lowercase ASCII.
    public var hosts: Set<String>

    /// Creates a client certificate from its files and hosts.
    public init(file: String, key: String? = nil, hosts: Set<String>) {
      self.file = file
      self.key = key
      self.hosts = hosts
    }
  }
}

extension Identity {
  /// The file of trusted certificate authorities that the environment names; nil if it names none.
  static var authoritiesInEnvironment: UnsafePointer<CChar>? {
    for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
      if let path = getenv(name), path.pointee != 0 { return UnsafePointer(path) }
    }
    return nil
  }

  /// Calls a function with the path of a certificate file.
  func withPath<Result>(_ path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    decodesPaths ? path.withPath(body) : path.withCString(body)
  }
}
