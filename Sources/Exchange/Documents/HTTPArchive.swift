import Containers
import DOM
import Feeds
package import Foundation
import OfflineCache

/// The responses in an HTTP Archive (HAR 1.2), which the developer tools of browsers save.
package struct HTTPArchive {
  /// The response to a GET request for a page or a resource, or a redirect.
  package struct Response: Sendable, Equatable {
    /// The URL of the request, without fragment, user name and password.
    package var url: String
    /// The time of the request; nil if it is unknown.
    package var date: Date?
    /// The HTTP message (RFC 9112). Its content has no content coding.
    package var message: [UInt8]
  }

  /// The responses whose content is in the file, in the order of the file.
  package private(set) var responses: [Response] = []
  /// The URLs of the responses whose content is missing in the file.
  package private(set) var urlsWithoutContent: [String] = []

  /// The number of bytes at the beginning of the file in which the name of the top-level member,
  /// `log`, must occur.
  private static let searchedLength = 1024
  private static let redirectStatuses: Set = [301, 302, 303, 307, 308]
  /// The status codes of complete pages and resources. With the status 304, browsers write the
  /// content that was confirmed.
  private static let contentStatuses: Set = [200, 203, 304]
  /// The fields that are copied; others describe the transfer or are not used.
  private static let copiedFields: Set<String> = [
    "content-disposition", "content-language", "etag", "last-modified", "link", "location",
  ]

  /// Parses a file; fails if it is not an HTTP Archive. The end of the file may be missing.
  package init?(_ bytes: [UInt8]) {
    let start = bytes.prefix(Self.searchedLength)
    guard start.firstIndex(of: "\"log\"") != nil,
      let log = JSONValue(ImportFormat.text(of: bytes))?["log"], let entries = log["entries"],
      case .array = entries
    else { return nil }
    for entry in entries.array { add(entry) }
  }

  private mutating func add(_ entry: JSONValue) {
    guard let request = entry["request"], let response = entry["response"],
      request["method"]?.string ?? "GET" == "GET",
      let status = response["status"]?.number.flatMap({ Int(exactly: $0) }),
      let url = WebURL(request["url"]?.string ?? "")?.withoutFragment.withoutCredentials, url.isWeb
    else { return }
    let headerFields = response["headers"]?.array ?? []
    var fields = headerFields.compactMap(Self.copiedField)
    var content: [UInt8] = []
    if Self.redirectStatuses.contains(status) {
      if !fields.contains(where: { $0.name.lowercased() == "location" }) {
        guard let target = Self.fieldValue(response["redirectURL"]) else { return }
        fields.append((name: "Location", value: target))
      }
    } else {
      guard Self.contentStatuses.contains(status) else { return }
      let body = response["content"] ?? .null
      let text = body["text"]?.string ?? ""
      guard !text.isEmpty else {
        // The size of an empty file is 0, and that of an unknown one -1.
        if body["size"]?.number != 0, status != 304 {
          urlsWithoutContent.append(url.description)
        }
        return
      }
      let declaredType = headerFields.first {
        $0["name"]?.string?.lowercased() == "content-type"
      }
      let type = Self.fieldValue(declaredType?["value"]) ?? Self.fieldValue(body["mimeType"]) ?? ""
      let contentType: String
      (content, contentType) = Self.decoded(
        text, isBase64: body["encoding"]?.string == "base64", type: type)
      if !contentType.isEmpty { fields.append((name: "Content-Type", value: contentType)) }
    }
    fields.append((name: "Content-Length", value: String(content.count)))
    let statusLine = "HTTP/1.1 \(status == 304 ? 200 : status) \r\n"
    let head = fields.reduce(statusLine) { "\($0)\($1.name): \($1.value)\r\n" }
    responses.append(
      Response(
        url: url.description,
        date: entry["startedDateTime"]?.string.flatMap { DateText.parse($0) },
        message: Array("\(head)\r\n".utf8) + content))
  }

  /// Returns the content of a response and its `Content-Type`, which is empty if `type` is.
  private static func decoded(
    _ text: String, isBase64: Bool, type: String
  ) -> (content: [UInt8], contentType: String) {
    // Some browsers and proxies declare plain text as encoded.
    if isBase64, TransferEncoding.isBase64(text.utf8) {
      return (TransferEncoding.base64(Array(text.utf8)[...]), type)
    }
    // The text was decoded, whatever charset the response declares.
    let essence = type.prefix { $0 != ";" }
    return (Array(text.utf8), essence.isEmpty ? "" : "\(essence); charset=utf-8")
  }

  /// Returns the name and value of a response field; nil if the field is not copied.
  private static func copiedField(_ field: JSONValue) -> (name: String, value: String)? {
    guard let name = field["name"]?.string, copiedFields.contains(name.lowercased()),
      let value = fieldValue(field["value"])
    else { return nil }
    return (name, value)
  }

  /// Returns a text as the value of a header field; nil if it is empty or contains control
  /// characters. Browsers put several fields with the same name on separate lines, which are joined
  /// with commas.
  private static func fieldValue(_ value: JSONValue?) -> String? {
    let lines = (value?.string ?? "").split(whereSeparator: \.isNewline)
    let text = lines.joined(separator: ", ")
    let isValid = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    return text.isEmpty || !isValid ? nil : text
  }
}
