import DOM

/// A message from the browser: the result of a command, or an event.
enum DevToolsMessage: Sendable, Equatable {
  /// The result of the command with this number.
  case result(id: Int, JSONValue)
  /// The command with this number failed, with this message.
  case refusal(id: Int, String)
  /// An event of a target, with its name and parameters.
  case event(String, JSONValue, session: String?)

  /// Parses a message without its NUL.
  /// - Returns: nil if the bytes are not a message.
  init?(_ bytes: [UInt8]) {
    guard let message = JSONValue(bytes) else { return nil }
    let id = message["id"]?.number.flatMap { Int(exactly: $0) }
    if let id, let error = message["error"] {
      self = .refusal(id: id, error["message"]?.string ?? "")
    } else if let id {
      self = .result(id: id, message["result"] ?? .null)
    } else if let method = message["method"]?.string {
      self = .event(
        method, message["params"] ?? .null, session: message["sessionId"]?.string)
    } else {
      return nil
    }
  }
}
