/// The named references, searchable by name.
struct NamedCharacterReferences: Sendable {
  struct Entry {
    var firstCodePoint: UInt32 = 0
    var secondCodePoint: UInt32 = 0
    var isValidWithoutSemicolon = false
    var isInHTML4 = false
  }

  /// The offset of each entry in the table, sorted by name.
  private let entryOffsets: [UInt16]

  init() {
    let bytes = Self.tableBytes
    var offsets: [UInt16] = []
    offsets.reserveCapacity(2200)
    var atStart = true
    for index in bytes.indices {
      if atStart { offsets.append(UInt16(index)) }
      atStart = bytes[index] <= 0x20
    }
    self.entryOffsets = offsets
  }

  private static var tableBytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: CharacterReferences.entityTable.utf8Start,
      count: CharacterReferences.entityTable.utf8CodeUnitCount
    )
  }

  /// Returns the entry with a name, by binary search; nil if there is none.
  func find(_ name: UnsafeBufferPointer<UInt8>) -> Entry? {
    let bytes = Self.tableBytes
    var low = 0
    var high = entryOffsets.count
    while low < high {
      let middle = (low + high) / 2
      let start = Int(entryOffsets[middle])
      var index = 0
      var order = 0
      while order == 0 {
        let byte = bytes[start + index]
        let isEnd = !(byte.isLetter || byte.isDigit)
        if index == name.count || isEnd {
          order = index == name.count ? (isEnd ? 2 : -1) : 1
        } else if name[index] != byte {
          order = name[index] < byte ? -1 : 1
        }
        index += 1
      }
      if order == 2 { return entry(at: start + name.count) }
      if order < 0 { high = middle } else { low = middle + 1 }
    }
    return nil
  }

  private func entry(at start: Int) -> Entry {
    let bytes = Self.tableBytes
    let marker = bytes[start]
    var entry = Entry(
      isValidWithoutSemicolon: marker == UInt8(ascii: "!") || marker == UInt8(ascii: "?"),
      isInHTML4: marker == UInt8(ascii: "!") || marker == UInt8(ascii: ":"))
    var index = start + 1
    while index < bytes.count, bytes[index] > 0x20 {
      if bytes[index] == UInt8(ascii: "+") {
        entry.secondCodePoint = entry.firstCodePoint
        entry.firstCodePoint = 0
      } else {
        entry.firstCodePoint =
          entry.firstCodePoint << 4 | UInt32(bytes[index].digitValue(hexadecimal: true) ?? 0)
      }
      index += 1
    }
    if entry.secondCodePoint != 0 { swap(&entry.firstCodePoint, &entry.secondCodePoint) }
    return entry
  }
}
