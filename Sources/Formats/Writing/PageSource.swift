/// The origin of an exported page.
package struct PageSource: Sendable, Equatable {
  /// The absolute URL.
  package var url: String
  /// The date of the content in the format of ISO 8601; nil if it is unknown.
  package var date: String?

  package init(url: String, date: String?) {
    (self.url, self.date) = (url, date)
  }

  /// The text of an HTML comment by which programs that import the page recognize its origin.
  var comment: String {
    // A `>` could end the comment.
    let url = url.replacing(" ", with: "%20").replacing(">", with: "%3E")
    if let date { return "Saved from \(url) at \(date) using offread" }
    let digits = String(url.utf8.count)
    let count = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    // The format in which browsers write it ("mark of the web").
    return "saved from url=(\(count))\(url)"
  }
}
