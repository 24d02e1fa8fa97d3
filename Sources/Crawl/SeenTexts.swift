/// A set of texts that stores only a 64-bit digest of each, with a random key per process. For a
/// million texts, the probability of any collision is about one in forty million, and a server
/// cannot construct collisions on purpose.
package struct SeenTexts: Sendable {
  private var digests: Set<Int> = []

  package init() {}

  package var count: Int { digests.count }

  /// Returns whether the set contains a text.
  package func contains(_ text: some StringProtocol) -> Bool { digests.contains(Self.digest(text)) }

  /// Adds a text.
  /// - Returns: whether the text is new.
  @discardableResult
  package mutating func insert(_ text: some StringProtocol) -> Bool {
    digests.insert(Self.digest(text)).inserted
  }

  /// Returns the digest of a text, which is only valid in this process.
  package static func digest(_ text: some StringProtocol) -> Int {
    var hasher = Hasher()
    var text = String(text)
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return hasher.finalize()
  }
}
