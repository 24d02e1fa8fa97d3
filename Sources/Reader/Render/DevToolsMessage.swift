import DOM
import Foundation

/// A command to the browser, as its DevTools protocol has it.
struct DevToolsCommand: Sendable, Equatable {
  /// Domain and name: `Page.navigate`.
  var method: String
  /// What goes with it.
  var parameters: [String: JSONValue] = [:]
  /// To which target it goes; nil for the browser itself.
  var session: String?

  init(_ method: String, _ parameters: [String: JSONValue] = [:], to session: String? = nil) {
    (self.method, self.parameters, self.session) = (method, parameters, session)
  }

  /// The bytes of the message with a number, as they go through the pipe: JSON, and a NUL behind it.
  func bytes(id: Int) -> [UInt8] {
    var members: [String: JSONValue] = [
      "id": .number(Double(id)), "method": .string(method), "params": .object(parameters),
    ]
    members["sessionId"] = session.map(JSONValue.string)
    // What is made of such values can be encoded.
    let json = (try? JSONEncoder().encode(JSONText(members))) ?? Data()
    return Array(json) + [0]
  }

  /// JSON to be written.
  private struct JSONText: Encodable {
    var value: JSONValue

    init(_ members: [String: JSONValue]) { value = .object(members) }
    init(_ value: JSONValue) { self.value = value }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch value {
      case .null: try container.encodeNil()
      case .bool(let bool): try container.encode(bool)
      case .number(let number): try container.encode(Int64(number))
      case .string(let text): try container.encode(text)
      case .array(let values): try container.encode(values.map { JSONText($0) })
      case .object(let members): try container.encode(members.mapValues { JSONText($0) })
      }
    }
  }
}

/// What the browser says: the end of a command, or an event.
enum DevToolsMessage: Sendable, Equatable {
  /// What the command with this number gave.
  case result(id: Int, JSONValue)
  /// The command with this number was not carried out, with the browser's words.
  case refusal(id: Int, String)
  /// Something has happened in a target.
  case event(String, JSONValue, session: String?)

  /// Reads the bytes of a message, without the NUL; nil when they are none.
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
