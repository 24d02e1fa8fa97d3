package import Foundation
package import OfflineCache

/// The settings and options for cookies, passwords and certificates.
package struct IdentitySettings: Sendable, Equatable {
  /// Whether cookies set by responses are stored.
  package var keepsCookies = false
  /// A file of cookies to use instead of the stored ones; nil for none.
  package var cookieFile: URL?
  /// Whether passwords are read from `~/.netrc`.
  package var usesNetrc = false
  /// A file of passwords to use instead of `~/.netrc`; nil for none.
  package var netrcFile: URL?
  /// The file of the client certificate; nil for none.
  package var certificateFile: URL?
  /// The file of the certificate's private key, if separate.
  package var keyFile: URL?
  /// The hosts that may request the certificate.
  package var certificateHosts: [String] = []
  /// The file of trusted CA certificates; nil for those of the system.
  package var authorities: URL?

  package init() {}

  /// Reads the cookies and passwords of the configured files, and checks that the others are
  /// readable.
  /// - Parameter jar: The file in which cookies are stored.
  /// - Returns: The identity.
  /// - Throws: `ArchiveError` if a file cannot be used; making requests with another identity would
  ///   be wrong.
  package func identity(jar: URL) throws(ArchiveError) -> Identity {
    var identity = Identity()
    let files = LocalFileSystem(decodesPaths: true)
    if let cookieFile {
      identity.cookies = .file(try CookieFile(path: cookieFile.path, files: files))
    } else if keepsCookies {
      identity.cookies = .jar(path: jar.path)
    }
    if let netrcFile {
      identity.netrc = try Netrc(path: netrcFile.path, files: files)
    } else if usesNetrc {
      identity.netrc = try Netrc(path: (Locations.home() ?? "") + "/.netrc")
    }
    identity.decodesPaths = true
    if let authorities { identity.authorities = try Self.readablePath(authorities, files) }
    if let certificateFile {
      guard !certificateHosts.isEmpty else {
        throw .credentials(
          "a client certificate needs the hosts that may ask for it (cert_hosts in the settings)")
      }
      identity.certificate = .init(
        file: try Self.readablePath(certificateFile, files),
        key: try keyFile.map { file throws(ArchiveError) in try Self.readablePath(file, files) },
        hosts: Set(certificateHosts.map { WebURL("https://\($0)/")?.host ?? $0 }))
    } else if keyFile != nil {
      throw .credentials("a key needs its client certificate (--cert, or cert in the settings)")
    }
    return identity
  }

  private static func readablePath(
    _ file: URL, _ files: LocalFileSystem
  ) throws(ArchiveError) -> String {
    let result = files.access(file.path, R_OK)
    guard result == 0 else {
      throw .credentials("\(file.path): \(String(cString: strerror(Int32(-result))))")
    }
    return file.path
  }
}
