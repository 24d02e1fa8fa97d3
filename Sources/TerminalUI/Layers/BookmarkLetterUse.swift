/// The purpose for which the letter of a bookmark is requested.
package enum BookmarkLetterUse: Sendable, Equatable {
  case setBookmark, goToBookmark
}
