import DOM
import Document

/// A link in a note to another page of the same collection, as in Obsidian: `[[page]]`,
/// `[[page#heading|text]]`, or `![[picture.png]]` for a file that is shown in place.
struct MarkdownPageLink {
  /// The range of the text of the link.
  private(set) var text: Range<Int>
  /// The URL reference. Names of pages have no file name extension there.
  private(set) var destination: [UInt8] = []
  /// Whether the destination is an image.
  private(set) var isImage = false

  private static let imageExtensions = [
    "avif", "bmp", "gif", "jpeg", "jpg", "png", "svg", "webp",
  ]

  /// Parses the text between the brackets.
  /// - Parameters:
  ///   - bytes: The array that contains the text.
  ///   - content: The range of the text; nil is returned if it is not the name of a page.
  init?(_ bytes: [UInt8], _ content: Range<Int>) {
    guard let first = bytes[content].first, let last = bytes[content].last, !first.isWhiteSpace,
      !last.isWhiteSpace, !bytes[content].contains(0x0A)
    else { return nil }
    let bar = bytes[content].firstIndex(of: UInt8(ascii: "|"))
    text = bar.map { $0 + 1..<content.upperBound } ?? content
    var target = bytes[content.lowerBound..<(bar ?? content.upperBound)]
    // In a table, the bar is escaped.
    if bar != nil, target.last == UInt8(ascii: "\\") { target.removeLast() }
    let path = target.prefix { $0 != UInt8(ascii: "#") }
    let heading = target[path.endIndex...].dropFirst()
    guard !text.isEmpty, !path.isEmpty || !heading.isEmpty else { return nil }
    write(path)
    if isImage, let bar, let lastBar = bytes[content].lastIndex(of: UInt8(ascii: "|")),
      case let size = bytes[(lastBar + 1)..<content.upperBound], size.first?.isDigit == true,
      size.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: "x") })
    {
      // The size of the image, such as `300x200`.
      text = lastBar > bar ? bar + 1..<lastBar : path.startIndex..<path.endIndex
    }
    // A reference to a block of text (`^id`) leads to its page.
    if !heading.isEmpty, heading.first != UInt8(ascii: "^") {
      destination.append(UInt8(ascii: "#"))
      destination += MarkdownHeading.anchor(of: heading)
    }
  }

  /// Writes the path of a file, percent-encoded, with the extension that names of pages lack.
  private mutating func write(_ path: ArraySlice<UInt8>) {
    guard !path.isEmpty else { return }
    for byte in path {
      if byte.isLetter || byte.isDigit || byte >= 0x80 || "/-._~".utf8.contains(byte) {
        destination.append(byte)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        destination += "%\(byte < 0x10 ? "0" : "")\(digits)".utf8
      }
    }
    let name = path.split(separator: UInt8(ascii: "/")).last ?? []
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else {
      destination += ".md".utf8
      return
    }
    let ending = String(decoding: name[(dot + 1)...].map(\.lowercased), as: UTF8.self)
    isImage = Self.imageExtensions.contains(ending)
  }
}
