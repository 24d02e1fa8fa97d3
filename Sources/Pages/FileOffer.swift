import DOM
import Document
import Formats
package import OfflineCache

/// A response that is a file to save rather than a page to show.
package struct FileOffer: Sendable, Equatable {
  /// The absolute URL of the response.
  package var url: String
  /// The name that the server suggests, or empty.
  package var name: String
  /// The media type without parameters, or empty.
  package var mediaType: String
  /// The size in bytes; nil if it is unknown.
  package var length: Int?

  package init(url: String, name: String = "", mediaType: String = "", length: Int? = nil) {
    (self.url, self.name, self.mediaType, self.length) = (url, name, mediaType, length)
  }

  /// Creates the offer of a response by its status and its header fields; nil for an error, and if
  /// the response may be a page or is shown by another program.
  /// - Parameters:
  ///   - response: the response.
  ///   - url: its URL.
  ///   - isLink: whether a page led to it. A URL that the user typed is requested as a page, and is
  ///     shown if that is possible.
  package init?(_ response: LoadedResponse, url: String, isLink: Bool) {
    let fields = response.response.fields
    let disposition = ContentDisposition(fields["Content-Disposition"])
    guard (200..<300).contains(response.response.status) else { return nil }
    let type = fields["Content-Type"].flatMap {
      MediaType.isUnspecified($0) ? nil : MediaType($0)
    }
    guard Self.isFile(type, disposition, isLink: isLink) else { return nil }
    let isCoded = fields["Content-Encoding"] != nil
    self.init(
      url: url, name: disposition.fileName, mediaType: type?.essence ?? "",
      length: isCoded ? nil : fields["Content-Length"].flatMap { Int($0) })
  }

  /// Creates the offer of an attachment; nil unless it is from the web and of a type that no other
  /// program shows.
  package init?(_ attachment: Attachment) {
    guard attachment.url.isWebURL, !Self.opensExternally(mediaType: attachment.mediaType) else {
      return nil
    }
    self.init(
      url: attachment.url, name: attachment.suggestedName, mediaType: attachment.mediaType,
      length: attachment.length)
  }

  private static func isFile(
    _ type: MediaType?, _ disposition: ContentDisposition, isLink: Bool
  ) -> Bool {
    if disposition.isAttachment, isLink { return true }
    // A server that names no type, or a type of compressed text, may have sent a page.
    guard let type, !type.isHTML, !type.isText, !compressedTypes.contains(type.essence) else {
      return false
    }
    if type.essence == MediaType.unknownEssence { return isLink }
    return !opensExternally(mediaType: type.essence)
  }

  /// The types whose content is known only once it is unpacked.
  private static let compressedTypes: Set = ["application/gzip", "application/x-gzip"]

  /// Returns whether content of a type is opened in another program rather than saved: images,
  /// sound, videos and PDF.
  static func opensExternally(mediaType: String) -> Bool {
    mediaType == PDFText.mediaType
      || ["image/", "audio/", "video/"].contains { mediaType.hasPrefix($0) }
  }
}
