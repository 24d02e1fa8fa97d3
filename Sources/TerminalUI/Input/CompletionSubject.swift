/// What is looked up to complete a typed text.
package enum CompletionSubject: Sendable, Equatable {
  /// Saved pages, and files.
  case addresses
  /// Files only.
  case files
}
