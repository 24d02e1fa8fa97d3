package import Foundation

/// The description of a book, apart from its pages.
package struct BookMetadata: Sendable, Equatable {
  /// The title; the title of the first page is used if it is empty.
  package var title = ""
  /// The time of creation.
  package var date: Date
  /// The absolute URLs of the pages of the book, in the order in which they are added. Links
  /// between them become links within the book, with their fragments.
  package var urls: [String]
  /// The URLs of pages by the URLs that redirect to them. A link to a redirecting URL leads to the
  /// page, too.
  package var redirects: [String: String] = [:]

  package init(title: String = "", date: Date, urls: [String]) {
    self.title = title
    self.date = date
    self.urls = urls
  }
}
