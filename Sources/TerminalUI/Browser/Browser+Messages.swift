import Commands

/// Messages that several commands show.
extension Browser {
  /// The message if a command needs a selected link.
  var noSelectedLinkMessage: String {
    "no link is selected; \(keyName(of: .nextLink)) selects one"
  }

  /// The message if a command needs the network.
  var offlineModeMessage: String {
    "not possible in offline mode; \(keyName(of: .offline)) leaves it"
  }

  /// The message if a command needs the URL of a page that was loaded by sending a form.
  static let formResponseMessage =
    "this page is the response to a form and cannot be requested again by its URL"

  /// Returns the message if a link number that the user entered is too large.
  static func missingLinkMessage(_ number: Int, linkCount: Int) -> String {
    "no link \(number): the page has \(DateTexts.countText(linkCount, "link"))"
  }

  /// Returns the message if the page does not contain the target of a fragment.
  func missingSectionMessage(_ fragment: String) -> String {
    "the page has no section #\(displayURL(fragment))"
  }
}
