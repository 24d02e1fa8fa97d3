extension ArraySlice<UInt8> {
  /// Returns the index of the first occurrence of a text of ASCII characters; nil if there is none.
  func firstIndex(of text: StaticString) -> Int? {
    text.withUTF8Buffer { text in
      var rest = self
      while let start = rest.firstIndex(of: text[0]) {
        rest = rest[start...]
        if rest.starts(with: text) { return start }
        rest = rest.dropFirst()
      }
      return nil
    }
  }
}
