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

extension Browser {
  /// Takes the key that answers a question: `y`, or anything else for no.
  mutating func handle(_ key: Key, in question: Question) -> [Effect] {
    if let effects = openHelp(by: key, unless: { _ in false }) { return effects }
    mode = .page
    guard key == .character("y") || key == .character("Y") else {
      notice = Notice(text: "not sent")
      return []
    }
    switch question.act {
    case .send(let form, let page): return send(form, from: page)
    case .sendAgain: return reload(isConfirmed: true)
    }
  }
}
