import DOM
import Foundation

/// A command of the Chrome DevTools protocol.
struct DevToolsCommand: Sendable, Equatable {
  /// The domain and name: `Page.navigate`.
  var method: String
  var parameters: [String: JSONValue] = [:]
  /// The session of the target; nil for the browser itself.
  var session: String?

  init(_ method: String, _ parameters: [String: JSONValue] = [:], to session: String? = nil) {
    (self.method, self.parameters, self.session) = (method, parameters, session)
  }

  /// Returns the message with its number as it is sent through the pipe: JSON, terminated by NUL.
  func bytes(id: Int) -> [UInt8] {
    var members: [String: JSONValue] = [
      "id": .number(Double(id)), "method": .string(method), "params": .object(parameters),
    ]
    members["sessionId"] = session.map(JSONValue.string)
    // Encoding cannot fail for these values.
    let json = (try? JSONEncoder().encode(JSONText(members))) ?? Data()
    return Array(json) + [0]
  }

  /// An encodable JSON value.
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
