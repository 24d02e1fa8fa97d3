import Reader
import Terminal

/// Something that is done only when a person says yes.
package struct Question: Sendable, Equatable {
  /// What is asked, for one line.
  package var words: String
  /// What is done.
  var act: Act

  /// What can be done.
  enum Act: Sendable, Equatable {
    /// A form is sent that stands on a page with this address.
    case send(OutgoingForm, from: String)
    /// What was sent for the page on screen is sent again.
    case sendAgain
  }
}
