import DOM

/// What a page says about itself: title, author, date, site.
package struct PageMetadata: Sendable, Equatable {
  /// The title of the article without the name of the site, on one line; may be empty.
  package var title = ""
  /// Who wrote it, or empty.
  package var byline = ""
  /// When it was published, as the page writes it (mostly ISO 8601), or empty; when it was changed
  /// last if nothing else is known.
  package var date = ""
  /// The name of the site, or empty.
  package var site = ""
  /// The `date` without the time of day if it is one of ISO 8601, or of RFC 3339 with a blank in place of `T`.
  package var day: String {
    let bytes = Array(date.utf8)
    for index in bytes.indices.dropFirst().dropLast()
    where bytes[index - 1].isDigit && bytes[index + 1].isDigit {
      let isTime =
        bytes[index] == UInt8(ascii: "T")
        || bytes[index] == UInt8(ascii: " ") && index == 10 && index + 3 < bytes.count
          && bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-")
          && bytes[index + 3] == UInt8(ascii: ":")
      if isTime { return String(decoding: bytes[..<index], as: UTF8.self) }
    }
    return date
  }

  package init() {}
}
