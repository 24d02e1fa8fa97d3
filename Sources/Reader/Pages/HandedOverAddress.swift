import Configuration
import OfflineCache

/// An address that another program hands over: `offread:` and one http or https URL, percent-encoded, as
/// the bookmarklet of the manual makes it. Any page of the web may make a browser do that, so it carries
/// nothing else, and leads into no network of one's own.
package struct HandedOverAddress: Sendable, Equatable {
  /// The URL, in its normal form.
  package let url: String

  /// Why it is not taken.
  package enum Mistake: Error, Sendable, Equatable, CaseIterable, CustomStringConvertible {
    case tooLong, empty, characters, notWeb, credentials, notPublic, port

    package var description: String {
      switch self {
      case .tooLong: "what was handed over is longer than 8 kB; it is not taken"
      case .empty: "nothing was handed over: offread: takes one http or https address"
      case .characters:
        "what was handed over has characters that no address has; it is not taken"
      case .notWeb: "only http and https addresses are taken from other programs"
      case .credentials: "an address with a user name is not taken from other programs"
      case .port:
        "an address with a port of another protocol is not taken from other programs; offread add"
          + " takes it when you type it"
      case .notPublic:
        "an address of a network of one's own is not taken from other programs; offread add takes it"
          + " when you type it"
      }
    }
  }

  /// The scheme, with its colon.
  package static let scheme = "offread:"
  /// The longest that is looked at, in bytes.
  package static let longest = 8192

  /// Whether an argument is meant to be one.
  package static func isMeant(_ text: String) -> Bool {
    text.utf8.prefix(scheme.utf8.count).lazy.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      .elementsEqual(scheme.utf8)
  }

  /// Reads what was handed over.
  /// - Parameter text: all of it, from `offread:` on.
  /// - Throws: why it is not taken.
  package init(_ text: String) throws(Mistake) {
    guard text.utf8.count <= Self.longest else { throw .tooLong }
    guard Self.isMeant(text) else { throw .notWeb }
    // Decoded once: what is encoded still is a part of the address.
    let bytes = PercentEncoding.decoded(text.utf8.dropFirst(Self.scheme.utf8.count))
    guard !bytes.isEmpty else { throw .empty }
    // A browser gives ASCII; white space, controls and what turns text around are no part of it.
    let isPlain = bytes.allSatisfy { (0x21...0x7E).contains($0) && !"\\\"<>`".utf8.contains($0) }
    guard isPlain else { throw .characters }
    let address = String(decoding: bytes, as: UTF8.self)
    let lowered = address.lowercased()
    guard
      let scheme = ["http://", "https://"].first(where: lowered.hasPrefix),
      let url = WebURL(address), url.isWeb, let host = url.host
    else { throw .notWeb }
    let authority = address.utf8.dropFirst(scheme.utf8.count)
      .prefix { !"/?#".utf8.contains($0) }
    guard !authority.isEmpty else { throw .notWeb }
    guard !authority.contains(UInt8(ascii: "@")), url.credentials == nil else {
      throw .credentials
    }
    // A host that is encoded once more hides what it is.
    guard !authority.contains(UInt8(ascii: "%")) else { throw .characters }
    guard PublicHost.mayBe(host) else { throw .notPublic }
    guard !url.hasBlockedPort else { throw .port }
    self.url = url.withoutFragment.description
  }
}
