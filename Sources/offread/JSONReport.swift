import Foundation

/// The format of every JSON report: an object with a version number.
///
/// Members may be added at any time. The version number is increased when a member is removed or
/// its meaning changes.
enum JSONReport {
  /// The version number of the format.
  static let version = 1

  /// Encodes an object with the version number added to its members.
  /// - Parameter value: a value that is encoded as an object.
  /// - Returns: the JSON text with a line feed.
  /// - Throws: `EncodingError` if the value is not encoded as an object.
  static func text(_ value: some Encodable) throws -> String {
    try JSONText.encode(Versioned(value: value))
  }

  /// Encodes an object with an array and the version number.
  /// - Parameters:
  ///   - name: the name of the array.
  ///   - members: its members.
  /// - Returns: the JSON text with a line feed.
  /// - Throws: `EncodingError`.
  static func text(_ name: String, _ members: [some Encodable]) throws -> String {
    try text([name: members])
  }

  /// Returns the text before the members of an array that is written incrementally.
  static func arrayStart(_ name: String) -> String { "{\n  \"\(name)\" : [" }

  /// The text after the members of an array that is written incrementally.
  static let arrayEnd = "\n  ],\n  \"version\" : \(version)\n}\n"

  /// Encodes one member of an array that is written incrementally, indented.
  /// - Parameters:
  ///   - value: the member.
  ///   - isFirst: whether it is the first member.
  /// - Returns: the JSON text, after a comma unless it is the first.
  /// - Throws: `EncodingError`.
  static func member(_ value: some Encodable, isFirst: Bool) throws -> String {
    let lines = try JSONText.encode(value).split(separator: "\n").map { "    " + $0 }
    return (isFirst ? "\n" : ",\n") + lines.joined(separator: "\n")
  }

  private struct Versioned<Value: Encodable>: Encodable {
    var value: Value

    private enum CodingKeys: String, CodingKey { case version = "version" }

    func encode(to encoder: any Encoder) throws {
      try value.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(JSONReport.version, forKey: .version)
    }
  }
}
