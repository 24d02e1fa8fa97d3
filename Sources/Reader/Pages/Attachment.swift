import DOM
package import Foundation
import Document
package import OfflineCache

/// Content that is no text: an image, a PDF file, an archive. It is saved like a page; other programs
/// show it.
package struct Attachment: Sendable, Equatable {
  /// The address that gave it: http, https or file.
  package var url: String
  /// Its media type without parameters ("image/png").
  package var mediaType: String
  /// Its length in bytes.
  package var length: Int
  /// When it came, or, of a file, when it was changed; nil when that is not known.
  package var date: Date?
  /// The saved version that has its bytes; nil for a file, and for what is not saved.
  package var version: String?
  /// Its bytes, where no version has them, as those of an answer to a form; else nil.
  package var content: [UInt8]?
  /// The file name that the server suggests, or empty.
  package var suggestedName = ""

  package init(url: String, mediaType: String, length: Int, date: Date? = nil) {
    self.url = url
    self.mediaType = mediaType
    self.length = length
    self.date = date
  }

  /// How the bytes on screen are had again: from the archive, whatever the network has meanwhile.
  package var loadOptions: LoadOptions {
    var options = LoadOptions()
    options.mode = .cacheOnly
    if let version { options.copy = .id(version) }
    return options
  }

  /// The path of a local file; nil when it comes from the web, or from within a file.
  package var path: String? {
    guard content == nil, url.hasScheme("file"), case .file(let path)? = try? Address(typed: url)
    else {
      return nil
    }
    return path
  }

  /// What a person calls it: the last part of its address, on one line.
  package var title: String { FileName(reference: url).map { SafeText.line($0.text) } ?? mediaType }

  /// A name for a file that means nothing to a shell: letters, digits, `.`, `_` and `-`, with the end
  /// that programs know the type by.
  package var fileName: String {
    let plain: [Character] = title.unicodeScalars.map { Self.isPlain($0) ? Character($0) : "_" }
    var name = String(plain.drop { ".-_".contains($0) }.suffix(80))
    if name.isEmpty { name = "file" }
    // Some programs go by the end of a name, which the server chose.
    if FileMediaType.byName(name) != mediaType { name += "." + FileMediaType.ending(of: mediaType) }
    return name
  }

  static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": true
    default: false
    }
  }
}
