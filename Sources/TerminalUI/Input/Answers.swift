import Commands
import OfflineCache
import Reader

/// What was answered in prompts, to be had again.
struct Answers: Sendable {
  /// How many answers of a kind are remembered.
  private static let limit = 100

  private var texts: [Typing: [String]] = [:]
  /// Which question was answered last, and as whom, until a page comes that does not ask.
  private var signedIn: (question: SignIn, user: String)?

  /// Remembers an answer, unless it is blank or of a kind that is not to be had again.
  mutating func remember(_ text: String, in typing: Typing) {
    guard Typing.recalled.contains(typing), text.contains(where: { $0 != " " }) else { return }
    let others = texts[typing, default: []].filter { $0 != text }
    texts[typing] = others.suffix(Self.limit - 1) + [text]
  }

  /// The answer some steps back, from 1; nil when so many are not remembered.
  func answer(_ steps: Int, in typing: Typing) -> String? {
    let known = texts[typing, default: []]
    return (1...).prefix(known.count).contains(steps) ? known[known.count - steps] : nil
  }

  /// Remembers as whom a question was answered.
  mutating func remember(user: String, for question: SignIn) {
    signedIn = (question, user)
  }

  /// As whom the same question was answered just before, or nil; that is told once.
  mutating func takeUser(for question: SignIn) -> String? {
    defer { signedIn = nil }
    return signedIn.flatMap { $0.question == question ? $0.user : nil }
  }

  /// Forgets as whom a question was answered.
  mutating func forgetUser() { signedIn = nil }
}
