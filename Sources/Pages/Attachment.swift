import DOM
package import Foundation
import Document
package import OfflineCache

/// Content that is not text, such as an image, a PDF file or an archive. It is saved like a page,
/// and shown by another program.
package struct Attachment: Sendable, Equatable {
  /// The URL of the content. Content that is embedded in a page (`data:`) has an `image:` URL.
  package var url: String
  /// The media type of the content, without parameters ("image/png").
  package var mediaType: String
  /// The length of the content in bytes.
  package var length: Int
  /// The date of the saved response; nil for a file and for content that is not saved.
  package var date: Date?
  /// The identifier of the saved version; nil for a file and for content that is not saved.
  package var version: String?
  /// The bytes if no saved version has them, such as those of a response to a form; nil otherwise.
  package var content: [UInt8]?
  /// The file name that the server suggests, or empty.
  package var suggestedName = ""
  /// The path of the file if this is content from the web that is stored outside of the archive,
  /// such as an enclosure of a feed; nil otherwise.
  package var storedPath: String?

  package init(url: String, mediaType: String, length: Int, date: Date? = nil) {
    self.url = url
    self.mediaType = mediaType
    self.length = length
    self.date = date
  }

  /// The options that load the same bytes again from the archive, without the network.
  package var loadOptions: LoadOptions {
    var options = LoadOptions()
    options.mode = .cacheOnly
    if let version { options.copy = .id(version) }
    return options
  }

  /// The path of the file that consists of this content: a local file, or a file for which
  /// `storedPath` is set. Nil for other content from the web, and for content within a file.
  package var path: String? {
    if let storedPath { return storedPath }
    guard content == nil, url.hasScheme("file"), case .file(let path)? = try? Address(typed: url)
    else {
      return nil
    }
    return path
  }

  /// Whether the content is audio or video.
  package var isPlayable: Bool { Opener.isPlayable(mediaType) }

  /// The last component of the URL, on one line, for display.
  package var title: String { FileName(reference: url).map { SafeText.line($0.text) } ?? mediaType }

  /// A file name that is safe in a shell: letters, digits, `.`, `_` and `-`, with the extension of
  /// the media type.
  package var fileName: String {
    let plain: [Character] = title.unicodeScalars.map { Self.isPlain($0) ? Character($0) : "_" }
    var name = String(plain.drop { ".-_".contains($0) }.suffix(80))
    if name.isEmpty { name = "file" }
    // Some programs choose by the extension, which comes from the server.
    if FileMediaType.byName(name) != mediaType {
      name += "." + FileMediaType.fileExtension(of: mediaType)
    }
    return name
  }

  static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": true
    default: false
    }
  }
}
