import OfflineCache
import Pages
import Terminal

/// A question that the user answers with a key.
package struct Question: Sendable, Equatable {
  /// The text of the question.
  package var text: String
  /// The action that the question is about.
  var action: Action
  /// The keys that answer the question, shown after the text.
  var keysHint = "(y/n)"
  /// Whether the question has been drawn. If a page raised it, keys typed before do not answer it.
  var wasDrawn = false
  /// Whether the question was repeated to confirm an answer.
  var isConfirmation = false

  /// An action that needs the user's decision.
  enum Action: Sendable, Equatable {
    /// Submit a form of the page with this URL.
    case submitForm(OutgoingForm, from: DocumentAddress)
    /// Submit a form of the page with this URL after storing the cookies of a site, which the page
    /// set.
    case submitFormWithCookies(OutgoingForm, from: DocumentAddress, ChainCookies, site: String)
    /// Send the request of the page on the screen again.
    case resendRequest
    /// Remove the collection with this identifier.
    case removeCollection(String)
    /// Store the cookies of a site: for this session, always or never.
    case chooseCookies(site: String)
  }
}
