import Foundation

/// The digests in the description of a WACZ file (`datapackage.json`; WACZ 1.1.1 §5.3).
package struct WACZDescription: Sendable, Equatable {
  /// The SHA-256 digests of files in hexadecimal, by path.
  private var digests: [String: String] = [:]

  /// The path of the description in the archive.
  package static let path = "datapackage.json"

  private struct Package: Decodable {
    var resources: [Resource]?

    private enum CodingKeys: String, CodingKey {
      case resources = "resources"
    }
  }

  private struct Resource: Decodable {
    var path: String?
    var hash: String?

    private enum CodingKeys: String, CodingKey {
      case path = "path"
      case hash = "hash"
    }
  }

  /// Parses a description; invalid JSON results in no digests.
  package init(_ bytes: [UInt8]) {
    let package = try? JSONDecoder().decode(Package.self, from: Data(bytes))
    for resource in package?.resources ?? [] {
      guard let path = resource.path, let hash = resource.hash?.lowercased(),
        hash.hasPrefix("sha256:")
      else { continue }
      digests[path] = String(hash.dropFirst("sha256:".count))
    }
  }

  /// Returns whether a digest is consistent with the description.
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - digest: Its SHA-256 in hexadecimal.
  /// - Returns: False if the description has a different digest for the path; true if it has the
  ///   same digest or none.
  package func allows(_ path: String, digest: String) -> Bool {
    digests[path].map { $0 == digest } ?? true
  }
}
