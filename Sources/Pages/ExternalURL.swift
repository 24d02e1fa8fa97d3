import Configuration
package import OfflineCache

/// A URL that another program passes to offread: `offread:` and a percent-encoded http or https
/// URL, as the bookmarklet in the manual does. Since any web page can make a browser do that, it
/// contains nothing but the URL, which must not be on a private network.
package struct ExternalURL: Sendable, Equatable {
  /// The normalized URL without its fragment.
  package let url: WebURL

  /// The reason why the URL is rejected.
  package enum Mistake: Error, Sendable, Equatable, CaseIterable, CustomStringConvertible {
    case tooLong, empty, characters, notWeb, credentials, notPublic, port

    package var description: String {
      switch self {
      case .tooLong: "not added: the URL is longer than 8 kB"
      case .empty: "not added: an offread: URL must contain one http or https URL"
      case .characters:
        "not added: the URL from the other program has invalid characters"
      case .notWeb: "not added: only http and https URLs are accepted from other programs"
      case .credentials: "not added: URLs with a user name are not accepted from other programs"
      case .port:
        "not added: the port belongs to another protocol; to add the URL, type: offread add URL"
      case .notPublic:
        "not added: the URL is on a private network; to add it, type: offread add URL"
      }
    }
  }

  /// The scheme with its colon.
  package static let scheme = "offread:"
  /// Maximum length of the argument in bytes; a longer one is rejected.
  package static let maxLength = 8192

  /// Returns whether a command-line argument starts with the scheme, ignoring case.
  package static func isExternalURL(_ text: String) -> Bool {
    text.utf8.prefix(scheme.utf8.count).lazy.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      .elementsEqual(scheme.utf8)
  }

  /// Parses a passed URL.
  /// - Parameter text: the whole argument, with `offread:`.
  /// - Throws: the reason why it is rejected.
  package init(_ text: String) throws(Mistake) {
    guard text.utf8.count <= Self.maxLength else { throw .tooLong }
    guard Self.isExternalURL(text) else { throw .notWeb }
    // The URL is decoded once; remaining percent-encoded characters are part of the URL.
    let decodedBytes = PercentEncoding.decoded(text.utf8.dropFirst(Self.scheme.utf8.count))
    guard !decodedBytes.isEmpty else { throw .empty }
    // A browser passes ASCII. White space, control characters and bidirectional controls are not
    // part of a URL.
    let isPlain = decodedBytes.allSatisfy {
      (0x21...0x7E).contains($0) && !"\\\"<>`".utf8.contains($0)
    }
    guard isPlain else { throw .characters }
    let address = String(decoding: decodedBytes, as: UTF8.self)
    let lowercasedAddress = address.lowercased()
    guard
      let scheme = ["http://", "https://"].first(where: lowercasedAddress.hasPrefix),
      let url = WebURL(address), url.isWeb, let host = url.host
    else { throw .notWeb }
    let authority = address.utf8.dropFirst(scheme.utf8.count)
      .prefix { !"/?#".utf8.contains($0) }
    guard !authority.isEmpty else { throw .notWeb }
    guard !authority.contains(UInt8(ascii: "@")), url.credentials == nil else {
      throw .credentials
    }
    // A host with percent-encoded characters may disguise its name.
    guard !authority.contains(UInt8(ascii: "%")) else { throw .characters }
    guard PublicHost.mayBePublic(host) else { throw .notPublic }
    guard !url.hasBlockedPort else { throw .port }
    self.url = url.withoutFragment
  }
}
