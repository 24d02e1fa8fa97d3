import Foundation

/// The digests in the description of a WACZ file (`datapackage.json`; WACZ 1.1.1 §5.3), or the
/// WACZ files that make up a collection (the profile `multi-wacz-package`).
package struct WACZDescription: Sendable, Equatable {
  /// The SHA-256 digests of files in hexadecimal, by path.
  private var digests: [String: String] = [:]
  /// Whether the file is a collection of other WACZ files.
  package private(set) var isCollection = false
  /// The paths or URLs of the other WACZ files in a collection, in order.
  package private(set) var parts: [String] = []

  /// The title, or empty.
  package private(set) var title = ""

  /// Whether the description is not valid JSON, so that it has no digests.
  package let isDamaged: Bool

  /// The path of the description in the archive.
  package static let path = "datapackage.json"

  private struct Package: Decodable {
    var profile: String?
    var title: String?
    var resources: [Resource]?

    private enum CodingKeys: String, CodingKey {
      case profile = "profile"
      case title = "title"
      case resources = "resources"
    }
  }

  private struct Resource: Decodable {
    var path: String?
    var url: String?
    var hash: String?

    private enum CodingKeys: String, CodingKey {
      case path = "path"
      case url = "url"
      case hash = "hash"
    }
  }

  /// Parses a description; invalid JSON results in no digests.
  package init(_ bytes: [UInt8]) {
    let package = try? JSONDecoder().decode(Package.self, from: Data(bytes))
    isDamaged = package == nil
    isCollection = package?.profile == "multi-wacz-package"
    title = package?.title ?? ""
    if isCollection { parts = package?.resources?.compactMap { $0.path ?? $0.url } ?? [] }
    for resource in package?.resources ?? [] {
      guard let path = resource.path, let hash = resource.hash?.lowercased(),
        hash.hasPrefix("sha256:")
      else { continue }
      digests[path] = String(hash.dropFirst("sha256:".count))
    }
  }

  /// The paths of the files that have a digest and must be in the archive, sorted; none for a
  /// collection, whose files are outside of the archive.
  package var paths: [String] { isCollection ? [] : digests.keys.sorted() }

  /// Returns whether a digest is consistent with the description.
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - digest: The SHA-256 digest of the file in hexadecimal.
  /// - Returns: False if the description has a different digest for the path; true if it has the
  ///   same digest or none.
  package func allows(_ path: String, digest: String) -> Bool {
    digests[path].map { $0 == digest } ?? true
  }
}
