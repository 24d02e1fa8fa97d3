import Foundation

/// The form of every JSON report: an object with the number of its form.
///
/// Members may be added at any time; the number changes when one goes or means something else.
enum JSONReport {
  /// The number of the form.
  static let version = 1

  /// An object with the number beside its own members.
  /// - Parameter value: something that is written as an object.
  /// - Returns: the text with a line end.
  /// - Throws: `EncodingError` when the value is no object.
  static func text(_ value: some Encodable) throws -> String {
    try JSONText.of(Versioned(value: value))
  }

  /// An object with a list as its only other member.
  /// - Parameters:
  ///   - name: the name of the list.
  ///   - members: what is in it.
  /// - Returns: the text with a line end.
  /// - Throws: `EncodingError`.
  static func text(_ name: String, _ members: [some Encodable]) throws -> String {
    try text([name: members])
  }

  /// What stands before the members of a list that is written piece by piece.
  static func start(_ name: String) -> String { "{\n  \"\(name)\" : [" }

  /// What stands behind them.
  static let end = "\n  ],\n  \"version\" : \(version)\n}\n"

  /// One member of such a list, indented.
  /// - Parameters:
  ///   - value: the member.
  ///   - isFirst: whether none stands before it.
  /// - Returns: the text with the comma before it.
  /// - Throws: `EncodingError`.
  static func member(_ value: some Encodable, isFirst: Bool) throws -> String {
    let lines = try JSONText.of(value).split(separator: "\n").map { "    " + $0 }
    return (isFirst ? "\n" : ",\n") + lines.joined(separator: "\n")
  }

  private struct Versioned<Value: Encodable>: Encodable {
    var value: Value

    private enum CodingKeys: String, CodingKey { case version }

    func encode(to encoder: any Encoder) throws {
      try value.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(JSONReport.version, forKey: .version)
    }
  }
}
