package import Containers
import DOM

/// Pages that Safari saved with their resources (`.webarchive`), as property lists.
package enum SafariArchive {
  /// The number of bytes at the beginning and at the end that are searched for the tags of the
  /// list.
  private static let searchedLength = 1024
  /// The maximum number of characters of a URL in a reason, because a `data:` URL may be very long.
  private static let maxURLLength = 1024

  /// Returns whether a file begins like a property list.
  package static func isPossible(_ start: [UInt8]) -> Bool {
    start.starts(with: BinaryPropertyList.signature)
      || start.prefix(searchedLength).firstIndex(of: "<plist") != nil
  }

  /// The key of the page in the list.
  private static let pageKey = "WebMainResource"

  /// Returns the page in a property list with its resources and frames. A truncated list has the
  /// parts before its end.
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - name: The name of the file.
  /// - Returns: The page; nil if the property list is not a saved page.
  /// - Throws: `ContainerError.damaged` if the file is only named like a saved page.
  package static func message(
    _ bytes: [UInt8], named name: String
  ) throws(ContainerError) -> MIMEMessage? {
    let hasEnd =
      bytes.starts(with: BinaryPropertyList.signature)
      || bytes.suffix(searchedLength).firstIndex(of: "</plist") != nil
    let root: JSONValue = hasEnd ? PropertyList.root(of: bytes) : .null
    if root[pageKey].flatMap(part) != nil { return message(root) }
    if let (start, incompleteText) = PropertyList.root(ofTruncated: bytes, with: pageKey),
      start[pageKey].flatMap(part) != nil
    {
      return message(start, isTruncated: true, incompleteText: incompleteText)
    }
    guard name.lowercased().hasSuffix(".webarchive") else { return nil }
    throw .damaged("it has no page")
  }

  /// Returns a page with its resources and frames.
  /// - Parameters:
  ///   - root: The root of the list.
  ///   - isTruncated: Whether the end of the list is missing.
  ///   - incompleteText: The text of the value within which the list ends; nil if there is none.
  /// - Returns: The page.
  private static func message(
    _ root: JSONValue, isTruncated: Bool = false, incompleteText: String? = nil
  ) -> MIMEMessage {
    var parts: [Part] = []
    var truncatedPart: Int?
    var omittedParts: [String] = []
    var open = [root]
    while let archive = open.popLast() {
      let page = archive[pageKey] ?? .null
      for resource in [page] + (archive["WebSubresources"]?.array ?? []) {
        if let part = Self.part(resource) {
          if let incompleteText, contains(resource, incompleteText) { truncatedPart = parts.count }
          parts.append(part)
        } else if !isTruncated {
          let url = resource["WebResourceURL"]?.string ?? "a resource without a URL"
          omittedParts.append("lacks the content of \(url.prefix(maxURLLength))")
        }
      }
      open += archive["WebSubframeArchives"]?.array ?? []
    }
    return MIMEMessage(
      page: parts, omittedParts: omittedParts, isTruncated: isTruncated,
      truncatedPart: truncatedPart)
  }

  /// Returns whether a resource has a value with a text.
  private static func contains(_ resource: JSONValue, _ text: String) -> Bool {
    guard case .object(let members) = resource else { return false }
    return members.values.contains { $0.string == text }
  }

  private typealias Part = (url: String, type: String, content: [UInt8])

  /// Returns the URL, which may be empty, the media type and the content of a resource; nil if it
  /// has no content.
  private static func part(_ resource: JSONValue) -> Part? {
    guard let data = resource["WebResourceData"]?.string else { return nil }
    let type = resource["WebResourceMIMEType"]?.string ?? "application/octet-stream"
    let charset = resource["WebResourceTextEncodingName"]?.string ?? ""
    return (
      resource["WebResourceURL"]?.string ?? "",
      charset.isEmpty ? type : "\(type); charset=\(charset)",
      TransferEncoding.base64(Array(data.utf8)[...])
    )
  }
}
