/// The candidates of a `srcset` attribute (HTML standard §4.8.4.2.1).
package struct SourceSet: Sequence, IteratorProtocol {
  /// The URL of one version of an image, with its descriptor.
  package struct Candidate {
    /// The URL as written in the attribute.
    package var url: ArraySlice<UInt8>
    /// The descriptor after the URL: `640w`, `2x`.
    package var descriptor: ArraySlice<UInt8>
  }

  private var remainingText: ArraySlice<UInt8>

  /// Creates a sequence of the candidates in an attribute.
  /// - Parameter value: The value of the attribute.
  package init(_ value: ArraySlice<UInt8>) { remainingText = value }

  package mutating func next() -> Candidate? {
    remainingText = remainingText.drop { $0.isWhiteSpace || $0 == UInt8(ascii: ",") }
    guard !remainingText.isEmpty else { return nil }
    var url = remainingText.prefix { !$0.isWhiteSpace }
    remainingText = remainingText[url.endIndex...]
    let isAlone = url.last == UInt8(ascii: ",")
    while url.last == UInt8(ascii: ",") { url.removeLast() }
    guard !isAlone else { return Candidate(url: url, descriptor: []) }
    var depth = 0
    let descriptor = remainingText.prefix { byte in
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth = Swift.max(0, depth - 1) }
      return byte != UInt8(ascii: ",") || depth > 0
    }
    remainingText = remainingText[descriptor.endIndex...]
    return Candidate(url: url, descriptor: descriptor)
  }
}

extension SourceSet.Candidate {
  /// The width of the image in pixels from a descriptor such as `640w`; nil for other descriptors.
  package var width: Int? { number(before: UInt8(ascii: "w")).flatMap { Int(exactly: $0) } }

  /// The pixel density from a descriptor such as `1.5x`; nil for other descriptors.
  package var density: Double? { number(before: UInt8(ascii: "x")) }

  private func number(before unit: UInt8) -> Double? {
    let token = descriptor.split(whereSeparator: \.isWhiteSpace).first { $0.last == unit }
    return token.flatMap { Double(String(decoding: $0.dropLast(), as: UTF8.self)) }
      .flatMap { (0...1_000_000).contains($0) ? $0 : nil }
  }
}
