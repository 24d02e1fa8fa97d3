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
  /// The `date` without the time of day if it is one of ISO 8601.
  package var day: String {
    let bytes = Array(date.utf8)
    for index in bytes.indices.dropFirst().dropLast()
    where bytes[index] == UInt8(ascii: "T") && bytes[index - 1].isDigit && bytes[index + 1].isDigit
    {
      return String(decoding: bytes[..<index], as: UTF8.self)
    }
    return date
  }

  package init() {}
}
