import DOM

extension Document.Direction {
  /// Parses a `dir` attribute.
  /// - Returns: The direction, `.some(nil)` for `auto`, or `.none` for an invalid value.
  package static func parse(attribute value: ArraySlice<UInt8>) -> Document.Direction?? {
    let word = String(decoding: value.filter { !$0.isWhiteSpace }.map(\.lowercased), as: UTF8.self)
    return word == "auto" ? .some(nil) : Document.Direction(rawValue: word).map { .some($0) }
  }
}
