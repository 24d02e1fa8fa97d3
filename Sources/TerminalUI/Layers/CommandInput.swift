/// The count and the argument typed with a command.
struct CommandInput: Sendable {
  /// The number typed before the command; nil for none.
  var count: Int?
  /// The text after the name of the command; nil for none.
  var argument: String?

  /// The count, or 1.
  var times: Int { max(1, count ?? 1) }
}
