/// As whom a cache asks. By default as nobody: no cookies are sent or kept, and nobody's password
/// is known.
///
/// Answers that were got with cookies or credentials are this identity's own: they are stored with
/// keyed hashes of it, and never answer anybody else.
public struct Identity: Sendable {
  /// Which cookies go with requests.
  public var cookies = Cookies.none

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
}
