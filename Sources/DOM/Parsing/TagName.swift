/// The name of an element in a tag.
struct TagName: Equatable {
  /// The element, or `other` if the name is unknown.
  let name: ElementName
  /// A hash that distinguishes unknown names; 0 for known ones.
  let unknownNameHash: UInt32

  init(_ name: ElementName) {
    self.name = name
    unknownNameHash = 0
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    name = ElementName.named(bytes)
    guard name == .other else {
      unknownNameHash = 0
      return
    }
    // FNV-1a
    var hash: UInt32 = 0x811C_9DC5
    for byte in bytes { hash = (hash ^ UInt32(byte.lowercased)) &* 0x0100_0193 }
    self.unknownNameHash = hash
  }
}
