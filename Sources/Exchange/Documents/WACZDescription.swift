import Foundation

/// What the description of a WACZ file says of its files (`datapackage.json`; WACZ 1.1.1, section
/// 5.3).
package struct WACZDescription: Sendable, Equatable {
  /// The SHA-256 of files in hexadecimal digits, by their paths.
  private var digests: [String: String] = [:]

  /// Where it is.
  package static let path = "datapackage.json"

  private struct Package: Decodable {
    var resources: [Resource]?
  }

  private struct Resource: Decodable {
    var path: String?
    var hash: String?
  }

  /// Reads a description; of one that is broken nothing.
  package init(_ bytes: [UInt8]) {
    let package = try? JSONDecoder().decode(Package.self, from: Data(bytes))
    for resource in package?.resources ?? [] {
      guard let path = resource.path, let hash = resource.hash?.lowercased(),
        hash.hasPrefix("sha256:")
      else { continue }
      digests[path] = String(hash.dropFirst("sha256:".count))
    }
  }

  /// Whether a file may be what the description means.
  /// - Parameters:
  ///   - path: its path.
  ///   - digest: its SHA-256 in hexadecimal digits.
  /// - Returns: false when another digest is told.
  package func allows(_ path: String, digest: String) -> Bool {
    digests[path].map { $0 == digest } ?? true
  }
}
