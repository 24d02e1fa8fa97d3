/// The end of an HTML page, according to a scan of its tags that builds no tree.
struct PageEnd {
  /// The lower-case letters and digits of an element name, of which only the first 8 are used.
  private typealias Name = UInt64

  /// The numbers of start tags and end tags of an element.
  private struct TagCount {
    var starts = 0
    var ends = 0
  }

  /// The maximum length of a scanned page in bytes.
  private static let maxLength = 4 << 20
  /// The maximum length of a tag without an end, in bytes.
  private static let maxTagLength = 1 << 16
  /// The number of bytes at the end that are searched for the end tag of the page, after which
  /// comments and scripts may follow.
  private static let searchedLength = 4096

  /// The elements whose content is not markup.
  private static let textElements: [Name] = ["script", "style", "textarea", "title"].map(name(of:))
  /// The elements whose end tag may not be omitted (HTML standard §13.1.2.4).
  private static let containers: [Name] = [
    "article", "blockquote", "div", "main", "ol", "section", "table", "ul",
  ].map(name(of:))
  /// The elements whose end tag may be omitted.
  private static let paragraphs: [Name] = ["dd", "li", "p", "td"].map(name(of:))
  private static let pageElements: [Name] = ["html", "body"].map(name(of:))

  private let bytes: [UInt8]
  private var counts: [Name: TagCount] = [:]
  /// The element without an end tag whose content is not markup; nil for none.
  private var openTextElement: Name?

  /// Returns whether the end of a page is missing: the page ends within a tag or a comment, or in
  /// the content of a script or another element that is not markup; or it has a start tag but no
  /// end tag of its own, and ends within a text whose element other end tags show to be open.
  static func isMissing(in bytes: [UInt8]) -> Bool {
    if endsInTag(bytes) { return true }
    guard bytes.count <= maxLength else { return false }
    guard !hasEndTag(bytes) else { return false }
    var scan = PageEnd(bytes: bytes)
    return !scan.readTags() || scan.openTextElement != nil || scan.endsInText
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private static func endsInTag(_ bytes: [UInt8]) -> Bool {
    guard let start = bytes.lastIndex(of: UInt8(ascii: "<")), bytes.count - start <= maxTagLength
    else { return false }
    let tag = bytes[start...].dropFirst()
    let isTag = tag.first.map { $0 == UInt8(ascii: "/") || isLetter($0) } ?? true
    return isTag && !tag.contains(UInt8(ascii: ">"))
  }

  /// Returns whether an end tag of the page is among the last bytes.
  private static func hasEndTag(_ bytes: [UInt8]) -> Bool {
    bytes.indices.suffix(searchedLength).contains { index in
      bytes[index] == UInt8(ascii: "<") && index + 2 < bytes.count
        && bytes[index + 1] == UInt8(ascii: "/")
        && pageElements.contains(name(bytes[(index + 2)...]))
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// Returns the name for bytes, which end at the first byte that is not a letter or a digit.
  private static func name(_ bytes: ArraySlice<UInt8>) -> Name {
    bytes.prefix(8).prefix { isLetter($0) || (0x30...0x39).contains($0) }
      .reduce(0 as Name) { $0 << 8 | Name($1 | 0x20) }
  }

  private static func name(of text: String) -> Name { name(Array(text.utf8)[...]) }

  /// Counts the tags; returns false if the page ends within a comment.
  private mutating func readTags() -> Bool {
    var position = 0
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = start + 1
      if openTextElement == nil, bytes[position...].starts(with: "!--".utf8) {
        guard let end = endOfComment(from: position + 1) else { return false }
        position = end
        continue
      }
      let isEnd = bytes[position...].first == UInt8(ascii: "/")
      let name = Self.name(bytes[(isEnd ? position + 1 : position)...])
      guard name != 0 else { continue }
      if let open = openTextElement {
        if isEnd, name == open { openTextElement = nil }
        continue
      }
      guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else { break }
      position = end + 1
      count(name, isEnd: isEnd, isEmpty: bytes[end - 1] == UInt8(ascii: "/"))
    }
    return true
  }

  /// Returns the index after the comment whose opening hyphens begin at an index; nil if it has no
  /// end. The opening hyphens may also end it.
  private func endOfComment(from start: Int) -> Int? {
    var rest = bytes[start...]
    while let sign = rest.firstIndex(of: UInt8(ascii: ">")) {
      if bytes[start..<sign].suffix(2).elementsEqual("--".utf8) { return sign + 1 }
      rest = rest[(sign + 1)...]
    }
    return nil
  }

  private mutating func count(_ name: Name, isEnd: Bool, isEmpty: Bool) {
    if isEnd {
      counts[name, default: TagCount()].ends += 1
    } else if !isEmpty {
      counts[name, default: TagCount()].starts += 1
      if Self.textElements.contains(name) { openTextElement = name }
    }
  }

  /// Whether the page ends within a text, in an element that should have an end tag.
  private var endsInText: Bool {
    guard let last = bytes.last, last > 0x20, last != UInt8(ascii: ">"),
      Self.pageElements.contains(where: { counts[$0] != nil })
    else { return false }
    let isInContainer = Self.containers.contains { name in
      counts[name].map { $0.starts > $0.ends } ?? false
    }
    // The page should have an end tag if its head has one, and the last paragraph should have one
    // if all others do.
    return isInContainer || (counts[Self.name(of: "head")]?.ends ?? 0) > 0
      || Self.paragraphs.contains { name in
        counts[name].map { $0.ends > 0 && $0.starts == $0.ends + 1 } ?? false
      }
  }
}
