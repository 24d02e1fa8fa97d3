import DOM

/// The metadata that a page declares: title, author, date and site.
package struct PageMetadata: Sendable, Equatable {
  /// The title of the article without the name of the site, on one line; may be empty.
  package var title = ""
  /// The author, or empty.
  package var byline = ""
  /// The date of publication as written in the page (mostly ISO 8601), or that of the last change
  /// if there is none; or empty.
  package var date = ""
  /// The name of the site, or empty.
  package var site = ""
  /// The `date` without the time of day if it is in the format of ISO 8601, or of RFC 3339 with a
  /// space instead of `T`; else the whole `date`.
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
