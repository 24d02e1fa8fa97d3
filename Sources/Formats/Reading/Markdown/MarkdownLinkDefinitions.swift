import Document
import DOM

/// The link reference definitions of a text: `[name]: url "title"`.
struct MarkdownLinkDefinitions {
  /// The destination and title of a link.
  struct LinkTarget {
    var destination: [UInt8]
    var title: [UInt8]
  }

  private var targets: [[UInt8]: LinkTarget] = [:]
  /// Whether names in double brackets are links to pages.
  var linksPageNames = false
  /// Maximum length of a label in bytes (CommonMark, section 6.3).
  static let maxLabelLength = 999

  /// Returns the target of a label, ignoring case; nil if it is not defined.
  func target(of label: ArraySlice<UInt8>) -> LinkTarget? {
    targets.isEmpty ? nil : targets[Self.normalizedLabel(label)]
  }

  /// Whether a paragraph only marks where some programs insert a table of contents: `[TOC]`,
  /// `[[toc]]` or `[[_TOC_]]`.
  func isContentsMarker(_ paragraph: ArraySlice<UInt8>) -> Bool {
    guard paragraph.first == UInt8(ascii: "["), paragraph.count <= 16 else { return false }
    let text = String(decoding: paragraph.filter { !$0.isWhiteSpace }, as: UTF8.self).lowercased()
    return ["[toc]", "[[toc]]", "[[_toc_]]"].contains(text)
      && target(of: Array("toc".utf8)[...]) == nil
  }

  /// Consumes the definitions at the start of a paragraph.
  /// - Returns: The rest of the paragraph.
  mutating func consume(from text: [UInt8], _ range: Range<Int>) -> Range<Int> {
    var rest = range
    while let (label, target, end) = Self.definition(in: text, rest) {
      let name = Self.normalizedLabel(text[label])
      if targets[name] == nil { targets[name] = target }
      rest = end..<range.upperBound
    }
    return rest
  }

  private static func definition(
    in text: [UInt8], _ range: Range<Int>
  ) -> (label: Range<Int>, target: LinkTarget, end: Int)? {
    var reader = MarkdownLinkParser(text, range)
    reader.skipSpace()
    guard let label = reader.parseLabel(), reader.consume(UInt8(ascii: ":")),
      text[label].contains(where: { !$0.isWhiteSpace })
    else { return nil }
    reader.skipSpace()
    guard let destination = reader.parseDestination() else { return nil }
    let destinationEnd = reader.index
    reader.skipSpace()
    var title: [UInt8] = []
    var end = destinationEnd
    if reader.index > destinationEnd, let content = reader.parseTitle(), reader.consumeLineEnd {
      title = content
      end = reader.index
    } else {
      reader.index = destinationEnd
      guard reader.consumeLineEnd else { return nil }
      end = reader.index
    }
    return (label, LinkTarget(destination: destination, title: title), end)
  }

  /// Normalizes a label: in lower case, with white space collapsed.
  static func normalizedLabel(_ label: ArraySlice<UInt8>) -> [UInt8] {
    let text =
      label.contains { $0 >= 0x80 }
      ? Array(String(decoding: label, as: UTF8.self).lowercased().utf8) : label.map(\.lowercased)
    var name: [UInt8] = []
    for byte in text {
      if !byte.isWhiteSpace {
        name.append(byte)
      } else if let last = name.last, last != 0x20 {
        name.append(0x20)
      }
    }
    if name.last == 0x20 { name.removeLast() }
    return name
  }
}

extension UInt8 {
  /// Whether the byte is ASCII punctuation.
  var isPunctuation: Bool {
    switch self {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }
}
