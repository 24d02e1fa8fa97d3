import Foundation

/// Pictures within the text of a page (RFC 2397).
package enum DataURL {
  /// A picture as a URL, or nil when it is none that is known. Of one in SVG nothing is left that
  /// runs or loads.
  package static func image(_ bytes: [UInt8]) -> String? {
    ExportedPicture(bytes).map {
      "data:\($0.format.mediaType);base64,\(Data($0.bytes).base64EncodedString())"
    }
  }

  /// The bytes in a URL, or nil when it holds none.
  package static func bytes(of url: String) -> [UInt8]? {
    guard url.prefix(5).lowercased() == "data:", let comma = url.firstIndex(of: ",") else {
      return nil
    }
    let content = url[url.index(after: comma)...].removingPercentEncoding
    guard let content else { return nil }
    let parameters = url[..<comma].split(separator: ";")
    guard parameters.last?.trimmingCharacters(in: .whitespaces).lowercased() == "base64" else {
      return Array(content.utf8)
    }
    return Data(base64Encoded: content, options: .ignoreUnknownCharacters).map(Array.init)
  }
}
