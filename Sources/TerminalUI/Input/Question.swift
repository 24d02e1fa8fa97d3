import Reader
import Terminal

/// A question that the user answers with a key.
package struct Question: Sendable, Equatable {
  /// What is asked, for one line.
  package var words: String
  /// What is done.
  var act: Act
  /// The keys that answer it, shown after the text.
  var keys = "(y/n)"
  /// Whether it has been drawn: keys that were typed before do not answer it if a page brought it.
  var isShown = false
  /// Whether it asks to confirm an answer.
  var isRepeated = false

  /// What can be done.
  enum Act: Sendable, Equatable {
    /// A form is sent that stands on a page with this address.
    case send(OutgoingForm, from: String)
    /// What was sent for the page on screen is sent again.
    case sendAgain
    /// Keep the cookies of a site: for this session, always or never.
    case keepCookies(site: String)
  }
}
