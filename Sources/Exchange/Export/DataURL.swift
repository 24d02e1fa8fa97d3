import Foundation
import OfflineCache

/// Data URLs (RFC 2397).
package enum DataURL {
  /// Returns an image as a data URL, or nil if its format is unknown. SVG is sanitized: scripts and
  /// external references are removed.
  package static func image(_ bytes: [UInt8]) -> String? {
    ExportedImage(bytes).map {
      "data:\($0.format.mediaType);base64,\(Data($0.bytes).base64EncodedString())"
    }
  }

  /// Returns the bytes of a data URL; nil if it is not one, or if its Base64 is invalid.
  package static func bytes(of url: String) -> [UInt8]? {
    guard url.prefix(5).lowercased() == "data:", let comma = url.firstIndex(of: ",") else {
      return nil
    }
    let content = PercentEncoding.decoded(url[url.index(after: comma)...].utf8)
    let parameters = url[..<comma].split(separator: ";")
    guard parameters.last?.trimmingCharacters(in: .whitespaces).lowercased() == "base64" else {
      return content
    }
    return Data(base64Encoded: Data(content), options: .ignoreUnknownCharacters).map(Array.init)
  }
}
