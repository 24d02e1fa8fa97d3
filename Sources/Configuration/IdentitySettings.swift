package import Foundation
package import OfflineCache

/// As whom the reader asks, as settings and options say it.
package struct IdentitySettings: Sendable, Equatable {
  /// Whether cookies that answers set are kept.
  package var keepsCookies = false
  /// A file of cookies, which goes before those that are kept.
  package var cookieFile: URL?
  /// Whether passwords are taken from `~/.netrc`.
  package var usesNetrc = false
  /// A file of passwords instead of it.
  package var netrcFile: URL?
  /// The file of the certificate that some hosts ask for.
  package var certificate: URL?
  /// The file of its key, when that is another one.
  package var key: URL?
  /// The hosts that may ask for it.
  package var certificateHosts: [String] = []
  /// The file of the certificates that are trusted.
  package var authorities: URL?

  package init() {}

  /// Reads the files that are named.
  /// - Parameter jar: where cookies are kept.
  /// - Returns: the identity.
  /// - Throws: `ArchiveError` when a file cannot be used: asking as somebody else is no help.
  package func identity(jar: URL) throws(ArchiveError) -> Identity {
    var identity = Identity()
    if let cookieFile {
      identity.cookies = .file(try CookieFile(path: cookieFile.path))
    } else if keepsCookies {
      identity.cookies = .jar(path: jar.path)
    }
    if let netrcFile {
      identity.netrc = try Netrc(path: netrcFile.path)
    } else if usesNetrc {
      identity.netrc = try Netrc(path: (Locations.home() ?? "") + "/.netrc")
    }
    identity.authorities = try authorities.map(Self.readable)
    if let certificate {
      guard !certificateHosts.isEmpty else {
        throw .credentials(
          "a client certificate needs the hosts that may ask for it (cert_hosts in the settings)")
      }
      identity.certificate = .init(
        file: try Self.readable(certificate), key: try key.map(Self.readable),
        hosts: Set(certificateHosts.map { WebURL("https://\($0)/")?.host ?? $0 }))
    } else if key != nil {
      throw .credentials("a key needs its client certificate (--cert, or cert in the settings)")
    }
    return identity
  }

  private static func readable(_ file: URL) throws(ArchiveError) -> String {
    guard access(file.path, R_OK) == 0 else {
      throw .credentials("\(file.path): \(String(cString: strerror(errno)))")
    }
    return file.path
  }
}
