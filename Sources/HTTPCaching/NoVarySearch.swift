import Foundation
import RawStructuredFieldValues

/// The `No-Vary-Search` response field, which specifies the parts of a query that do not affect the
/// response (draft-ietf-httpbis-no-vary-search).
package struct NoVarySearch: Sendable, Equatable {
  /// The query parameters to ignore, as decoded names in UTF-8.
  package enum Ignored: Sendable, Equatable {
    /// The given parameters.
    case only(Set<[UInt8]>)
    /// All parameters except the given ones.
    case allExcept(Set<[UInt8]>)
  }

  /// The query parameters to ignore.
  package let ignored: Ignored
  /// Whether the order of parameters is significant.
  package let isOrderSignificant: Bool

  /// A decoded query parameter.
  private struct Parameter: Equatable {
    var name: [UInt8]
    var value: [UInt8]
  }

  /// Parses the field of a response. If it is absent or invalid, the whole query is significant.
  package init(_ fields: FieldLines) {
    let members = fields["No-Vary-Search"].flatMap(Self.dictionary)
    let ignored = members.flatMap(Self.ignored)
    self.ignored = ignored ?? .only([])
    isOrderSignificant = ignored == nil || members?["key-order"].flatMap(Self.boolean) != true
  }

  /// Whether two keys (normalized URLs without fragment) identify the same content.
  package func areEquivalent(_ first: String, _ second: String) -> Bool {
    guard Self.base(of: first) == Self.base(of: second) else { return false }
    return significantParameters(first) == significantParameters(second)
  }

  /// Returns a key without its query.
  package static func base(of key: String) -> String {
    String(decoding: key.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
  }

  private typealias Members = OrderedMap<String, ItemOrInnerList>

  /// Parses the field as a dictionary (RFC 9651 §4.2.2); nil if it is invalid.
  private static func dictionary(_ text: String) -> Members? {
    var parser = StructuredFieldValueParser(Array(text.utf8))
    return try? parser.parseDictionaryFieldValue()
  }

  private static func boolean(_ member: ItemOrInnerList) -> Bool? {
    guard case .item(let item) = member, case .bool(let value) = item.rfc9651BareItem else {
      return nil
    }
    return value
  }

  private static func strings(_ member: ItemOrInnerList) -> [String]? {
    guard case .innerList(let list) = member else { return nil }
    var strings: [String] = []
    for item in list.bareInnerList {
      guard case .string(let text) = item.rfc9651BareItem else { return nil }
      strings.append(text)
    }
    return strings
  }

  private static func ignored(_ members: Members) -> Ignored? {
    var listed: Set<[UInt8]>? = []
    if let parameters = members["params"] {
      if let names = strings(parameters) {
        listed = Set(names.map { decoded($0.utf8) })
      } else {
        guard let all = boolean(parameters) else { return nil }
        listed = all ? nil : []
      }
    }
    if let order = members["key-order"], boolean(order) == nil { return nil }
    guard let exception = members["except"] else {
      return listed.map { .only($0) } ?? .allExcept([])
    }
    // Exceptions are only valid if all other parameters are ignored.
    guard let names = strings(exception), listed == nil else { return nil }
    return .allExcept(Set(names.map { decoded($0.utf8) }))
  }

  /// Returns the significant parameters of a key, in the order in which they are compared.
  private func significantParameters(_ key: String) -> [Parameter] {
    let query = key.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()
    let parameters = query.split(separator: UInt8(ascii: "&")).map { pair in
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      let value = pair.dropFirst(name.count + 1)
      return Parameter(name: Self.decoded(name), value: Self.decoded(value))
    }.filter { parameter in
      switch ignored {
      case .only(let names): !names.contains(parameter.name)
      case .allExcept(let names): names.contains(parameter.name)
      }
    }
    guard !isOrderSignificant else { return parameters }
    // The sort is stable and uses only the name, so values of the same name keep their order.
    return parameters.enumerated().sorted { first, second in
      let (firstName, secondName) = (first.element.name, second.element.name)
      return firstName == secondName
        ? first.offset < second.offset : firstName.lexicographicallyPrecedes(secondName)
    }.map(\.element)
  }

  /// Decodes a name or value in application/x-www-form-urlencoded.
  private static func decoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    var pending = Array(bytes)[...]
    while let byte = pending.popFirst() {
      if byte == UInt8(ascii: "%"), pending.count >= 2,
        let value = UInt8(String(decoding: pending.prefix(2), as: UTF8.self), radix: 16),
        pending.prefix(2).allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") })
      {
        output.append(value)
        pending = pending.dropFirst(2)
      } else {
        output.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return output
  }
}
