import Foundation

/// A compiled terminfo entry (term(5)) that can be modified to use direct colour.
///
/// Most terminals can show 24-bit colours, but their installed entries specify 256. ncurses relies
/// on the entry, and accepts one from the environment (`TERMINFO=hex:…`), so the installed entry is
/// read, modified and passed that way.
struct TerminfoEntry: Sendable, Equatable {
  private var names: [UInt8]
  private var flags: [UInt8]
  private var numbers: [Int32]
  private var capabilityStrings: [[UInt8]?]

  private static let legacyMagic = 0o432
  private static let extendedNumberMagic = 0o1036
  /// Indices in the tables of term(5).
  private static let canChangeColorIndex = 27
  private static let maxColorsIndex = 13
  private static let maxPairsIndex = 14
  private static let setForegroundIndex = 359
  private static let setBackgroundIndex = 360

  /// Parses an entry; nil if it is invalid. Extended capabilities are ignored.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes: bytes)
    guard let magic = reader.readInt16(),
      magic == Self.legacyMagic || magic == Self.extendedNumberMagic,
      let nameSize = reader.readInt16(), let flagCount = reader.readInt16(),
      let numberCount = reader.readInt16(), let stringCount = reader.readInt16(),
      let tableSize = reader.readInt16(), let names = reader.read(nameSize),
      let flags = reader.read(flagCount)
    else { return nil }
    self.names = names
    self.flags = flags
    reader.align()
    numbers = []
    for _ in 0..<numberCount {
      let number = magic == Self.extendedNumberMagic ? reader.readInt32() : reader.readSignedInt16()
      guard let number else { return nil }
      numbers.append(number)
    }
    var offsets: [Int] = []
    for _ in 0..<stringCount {
      guard let offset = reader.readSignedInt16() else { return nil }
      offsets.append(Int(offset))
    }
    guard let table = reader.read(tableSize) else { return nil }
    capabilityStrings = offsets.map { offset in
      guard table.indices.contains(offset) else { return nil }
      return Array(table[offset...].prefix { $0 != 0 })
    }
  }

  /// Makes colours 24-bit numbers, except that 0 to 15 remain palette entries.
  mutating func useDirectColors() {
    while numbers.count <= Self.maxPairsIndex { numbers.append(-1) }
    numbers[Self.maxColorsIndex] = 1 << 24
    numbers[Self.maxPairsIndex] = 1 << 16
    if flags.count > Self.canChangeColorIndex { flags[Self.canChangeColorIndex] = 0 }
    while capabilityStrings.count <= Self.setBackgroundIndex { capabilityStrings.append(nil) }
    capabilityStrings[Self.setForegroundIndex] = Self.colorSequence(
      dim: "3", bright: "9", direct: "38")
    capabilityStrings[Self.setBackgroundIndex] = Self.colorSequence(
      dim: "4", bright: "10", direct: "48")
  }

  private static func colorSequence(dim: String, bright: String, direct: String) -> [UInt8] {
    let palette = "%?%p1%{8}%<%t\(dim)%p1%d%e%p1%{16}%<%t\(bright)%p1%{8}%-%d"
    let components = "%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d"
    return Array("\u{1B}[\(palette)%e\(direct);2;\(components)%;m".utf8)
  }

  /// The compiled entry, with 32-bit numbers. `RGB` is its only extended capability.
  var bytes: [UInt8] {
    var offsets: [Int] = []
    var table: [UInt8] = []
    for string in capabilityStrings {
      guard let string else {
        offsets.append(0xFFFF)
        continue
      }
      offsets.append(table.count)
      table += string + [0]
    }
    var result: [UInt8] = []
    func short(_ value: Int) -> [UInt8] {
      [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
    for value in [
      Self.extendedNumberMagic, names.count, flags.count, numbers.count, capabilityStrings.count,
      table.count,
    ] { result += short(value) }
    result += names + flags
    if result.count % 2 == 1 { result.append(0) }
    for number in numbers {
      for shift in [0, 8, 16, 24] {
        result.append(UInt8(truncatingIfNeeded: number >> Int32(shift)))
      }
    }
    for offset in offsets { result += short(offset) }
    result += table
    if result.count % 2 == 1 { result.append(0) }
    // The extended header: one flag, no numbers, no strings; one name, whose table is four bytes
    // long.
    for value in [1, 0, 0, 1, 4] { result += short(value) }
    result += [1, 0] + short(0) + Array("RGB".utf8) + [0]
    return result
  }

  /// Returns the installed entry of a terminal; nil if there is none, or it is invalid.
  static func installedEntry(_ term: String, environment: [String: String]) -> TerminfoEntry? {
    guard let first = term.utf8.first, !term.contains("/") else { return nil }
    var directories = [environment["TERMINFO"], environment["HOME"].map { $0 + "/.terminfo" }]
      .compactMap { $0 }
    directories += (environment["TERMINFO_DIRS"] ?? "").split(separator: ":").map(String.init)
    directories += ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo"]
    for directory in directories {
      for letter in [String(Unicode.Scalar(first)), String(first, radix: 16)] {
        let file = "\(directory)/\(letter)/\(term)"
        if let data = FileManager.default.contents(atPath: file) {
          return TerminfoEntry([UInt8](data))
        }
      }
    }
    return nil
  }

  /// The entry as the value of `TERMINFO`.
  var environmentValue: String {
    let digits = Array("0123456789abcdef".utf8)
    var text = Array("hex:".utf8)
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Reads little-endian numbers from bytes.
private struct ByteReader {
  let bytes: [UInt8]
  var position = 0

  mutating func read(_ count: Int) -> [UInt8]? {
    guard count >= 0, position + count <= bytes.count else { return nil }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  mutating func readInt16() -> Int? {
    read(2).map { Int($0[0]) | Int($0[1]) << 8 }
  }

  mutating func readSignedInt16() -> Int32? {
    read(2).map { Int32(Int16(bitPattern: UInt16($0[0]) | UInt16($0[1]) << 8)) }
  }

  mutating func readInt32() -> Int32? {
    read(4).map { Int32(bitPattern: $0.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) }
  }

  mutating func align() {
    if position % 2 == 1 { position += 1 }
  }
}
