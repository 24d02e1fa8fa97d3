/// Which texts were there, in a few bytes for each, however long they are: by digests of 64 bits whose
/// key is another one in each process. Of a million texts two are taken for the same with a chance of
/// one in forty million, and nobody can find such texts.
package struct SeenTexts: Sendable {
  private var digests: Set<Int> = []

  /// Makes a set of none.
  package init() {}

  /// How many there are.
  package var count: Int { digests.count }

  /// Whether a text is there.
  package func contains(_ text: some StringProtocol) -> Bool { digests.contains(Self.digest(text)) }

  /// Adds a text.
  /// - Returns: whether it is new.
  @discardableResult
  package mutating func insert(_ text: some StringProtocol) -> Bool {
    digests.insert(Self.digest(text)).inserted
  }

  /// What stands for a text in this process.
  static func digest(_ text: some StringProtocol) -> Int {
    var hasher = Hasher()
    var text = String(text)
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return hasher.finalize()
  }
}
