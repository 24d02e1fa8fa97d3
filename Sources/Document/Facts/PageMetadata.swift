/// The metadata that a page declares: title, author, date and site.
package struct PageMetadata: Sendable, Equatable {
  /// The title of the article without the name of the site, on one line; may be empty.
  package var title = ""
  /// The author, or empty.
  package var byline = ""
  /// The date of publication, or else of the last change, in the format of ISO 8601; or empty.
  package var date = ""
  /// The name of the site, or empty.
  package var siteName = ""
  /// The `date` without the time of day.
  package var day: String { String(date.prefix { $0 != "T" }) }

  package init() {}
}
