/// The record of a process that ended while it was processing pages (see `PageWatch` and
/// Sources/CPageWatch/PageWatch.c).
struct WatchRecord: Equatable {
  /// The signal of the crash; 0 if the process ended in another way.
  var signal: Int32
  /// The version of the program.
  var version: String
  /// The keys, possibly truncated, of the pages that the crashed thread was processing. If that
  /// thread was processing no page, these are the keys of the pages that any thread was processing.
  var pages: [String]

  static let headLength = 128, slotLength = 1024, maxSlots = 64
  /// The maximum length of a key in bytes; longer keys are truncated.
  static let maxNameLength = 1016

  init(signal: Int32, version: String, pages: [String]) {
    (self.signal, self.version, self.pages) = (signal, version, pages)
  }

  /// Parses the content of a record file; returns nil if it does not begin with a complete header.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.headLength, bytes.starts(with: "offread1".utf8) else { return nil }
    signal = Int32(truncatingIfNeeded: Self.number(bytes, 8))
    version = String(decoding: bytes[16..<Self.headLength].prefix { $0 != 0 }, as: UTF8.self)
    var all: [String] = []
    var dead: [String] = []
    var start = Self.headLength
    while start + Self.slotLength <= bytes.count {
      let length = min(Int(Self.number(bytes, start)), Self.maxNameLength)
      if length > 0 {
        let name = String(decoding: bytes[(start + 8)...].prefix(length), as: UTF8.self)
        all.append(name)
        if Self.number(bytes, start + 4) != 0 { dead.append(name) }
      }
      start += Self.slotLength
    }
    pages = dead.isEmpty ? all : dead
  }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
