/// As whom a cache asks. By default as nobody: no cookies are sent or kept, and nobody's password
/// is known.
///
/// Answers that were got with cookies or credentials are this identity's own: they are stored with
/// keyed hashes of it, and never answer anybody else.
public struct Identity: Sendable {
  /// Which cookies go with requests.
  public var cookies = Cookies.none
  /// The file for the cookies of the sites that the user chose to keep, if cookies are not kept in general; nil for
  /// memory only.
  package var siteJar: String?
  /// The user's decisions about the cookies of sites, by registrable domain.
  package var cookieChoices: [String: CookieChoice] = [:]
  /// Passwords for servers that ask for one.
  public var netrc: Netrc?
  /// The certificate with which some hosts are asked.
  public var certificate: ClientCertificate?
  /// A file of certificates (PEM) that are trusted instead of the system's; nil for the system's.
  public var authorities: String?

  /// Makes the identity of nobody.
  public init() {}

  /// Which cookies go with requests that set none themselves.
  public enum Cookies: Sendable, Equatable {
    /// None; those that answers set are forgotten.
    case none
    /// Those of a file, which never changes.
    case file(CookieFile)
    /// Those that answers set, kept in the file at this path: a secret of its owner, mode 0600.
    case jar(path: String)
  }

  /// A certificate that says who asks (RFC 8446 §4.4.2). It is shown to the named hosts only:
  /// otherwise every site could know its owner by it.
  public struct ClientCertificate: Sendable, Equatable {
    /// The file of the certificate, PEM.
    public var file: String
    /// The file of its key, PEM, without a passphrase; nil when it is in the same one.
    public var key: String?
    /// The hosts, in lower case and ASCII.
    public var hosts: Set<String>

    /// Makes a certificate from its files and hosts.
    public init(file: String, key: String? = nil, hosts: Set<String>) {
      self.file = file
      self.key = key
      self.hosts = hosts
    }
  }
}
