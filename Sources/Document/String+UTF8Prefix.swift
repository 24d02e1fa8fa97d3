extension String {
  /// Returns the longest prefix of whole Unicode scalars that has at most `max` bytes in UTF-8. A
  /// grapheme cluster may be cut, because its length is not limited.
  package func prefix(maxUTF8Count max: Int) -> String {
    guard utf8.count > max else { return self }
    var count = 0
    var scalars = UnicodeScalarView()
    for scalar in unicodeScalars {
      count += UTF8.width(scalar)
      guard count <= max else { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }
}
