import Reader
import Terminal

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
