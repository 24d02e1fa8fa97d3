/// A request field that took part in the selection of a response (RFC 9111 §4.1).
public struct VaryingField: Sendable, Equatable {
  /// The name in lower case.
  public var name: String
  /// The normalized value, a keyed hash of it if it is secret, or nil if the field was absent.
  public var value: String?

  /// Creates a varying field.
  /// - Parameters:
  ///   - name: The name in lower case.
  ///   - value: The value of the field in the request; nil if absent.
  public init(name: String, value: String?) {
    self.name = name
    self.value = value
  }
}
