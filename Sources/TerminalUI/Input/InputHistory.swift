import Commands
import OfflineCache
import Pages

/// The history of the texts entered in prompts.
struct InputHistory: Sendable {
  /// The maximum number of texts of a kind that are remembered.
  private static let limit = 100

  private var texts: [Typing: [String]] = [:]
  /// The last authentication challenge and the user name entered for it, until a page without a
  /// challenge is loaded.
  private var signedIn: (question: SignIn, user: String)?

  /// Records an entered text unless it is blank or its kind has no history.
  mutating func remember(_ text: String, in typing: Typing) {
    guard Typing.recalled.contains(typing), text.contains(where: { $0 != " " }) else { return }
    let others = texts[typing, default: []].filter { $0 != text }
    texts[typing] = others.suffix(Self.limit - 1) + [text]
  }

  /// Returns the text entered some steps ago, counted from 1; nil if there are fewer.
  func entry(_ steps: Int, in typing: Typing) -> String? {
    let known = texts[typing, default: []]
    return (1...).prefix(known.count).contains(steps) ? known[known.count - steps] : nil
  }

  /// Records the user name that was entered for a challenge.
  mutating func remember(user: String, for question: SignIn) {
    signedIn = (question, user)
  }

  /// Removes the last user name, and returns it if it was entered for the same challenge; nil
  /// otherwise.
  mutating func removeUser(for question: SignIn) -> String? {
    defer { signedIn = nil }
    return signedIn.flatMap { $0.question == question ? $0.user : nil }
  }

  /// Removes the last user name.
  mutating func forgetUser() { signedIn = nil }
}
