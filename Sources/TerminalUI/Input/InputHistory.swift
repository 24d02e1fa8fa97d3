import Commands
import OfflineCache
import Pages

/// The history of the texts entered in prompts.
struct InputHistory: Sendable {
  /// The maximum number of texts that are remembered for each kind of prompt.
  private static let maxTexts = 100

  private var texts: [InputContexts: [String]] = [:]
  /// The last authentication challenge and the user name entered for it, until a page without a
  /// challenge is loaded.
  private var lastSignIn: (question: SignIn, user: String)?

  /// Records an entered text unless it is blank or its kind has no history.
  mutating func record(_ text: String, in context: InputContexts) {
    guard InputContexts.recallablePrompts.contains(context), text.contains(where: { $0 != " " })
    else { return }
    let others = texts[context, default: []].filter { $0 != text }
    texts[context] = others.suffix(Self.maxTexts - 1) + [text]
  }

  /// Returns the text entered some steps ago, counted from 1; nil if there are fewer.
  func entry(_ steps: Int, in context: InputContexts) -> String? {
    let known = texts[context, default: []]
    return (1...).prefix(known.count).contains(steps) ? known[known.count - steps] : nil
  }

  /// Records the user name that was entered for a challenge.
  mutating func recordUser(_ user: String, for question: SignIn) {
    lastSignIn = (question, user)
  }

  /// Removes the last user name, and returns it if it was entered for the same challenge; nil
  /// otherwise.
  mutating func consumeUser(for question: SignIn) -> String? {
    defer { lastSignIn = nil }
    return lastSignIn.flatMap { $0.question == question ? $0.user : nil }
  }

  /// Removes the last user name.
  mutating func forgetUser() { lastSignIn = nil }
}
