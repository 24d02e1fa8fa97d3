// Lets the linker remove unused public functions of static libraries: discardable LIBRARY...
//
// In the libraries of the toolchain each public function and each public constant has a section of
// its own with the flag SHF_GNU_RETAIN, which makes `--gc-sections` keep the section. This program
// clears the flag in the given files. The sections that the Swift runtime enumerates (`swift5_...`)
// keep it.

import Glibc

func fail(_ message: String) -> Never {
  fputs("discardable: \(message)\n", stderr)
  exit(1)
}

/// A file as bytes, in which numbers are little-endian.
struct File {
  let path: String
  var bytes: [UInt8]

  init(path: String) {
    guard let file = fopen(path, "rb") else { fail("cannot read \(path)") }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let size = ftell(file)
    rewind(file)
    self.path = path
    bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = fread(buffer.baseAddress, 1, size, file)
    }
  }

  func write() {
    guard let file = fopen(path, "wb"), fwrite(bytes, 1, bytes.count, file) == bytes.count,
      fclose(file) == 0
    else { fail("cannot write \(path)") }
  }

  func number(at offset: Int, bytes count: Int) -> Int {
    guard offset >= 0, offset <= bytes.count - count else { fail("\(path) is truncated") }
    return (0..<count).reduce(0) {
      $0 | Int(truncatingIfNeeded: UInt64(bytes[offset + $1]) << (8 * $1))
    }
  }

  func hasText(_ text: StaticString, at offset: Int) -> Bool {
    let size = text.utf8CodeUnitCount
    guard offset >= 0, offset <= bytes.count - size else { return false }
    return UnsafeBufferPointer(start: text.utf8Start, count: size)
      .elementsEqual(bytes[offset..<offset + size])
  }
}

/// The names of the sections in which the flag is cleared begin with these.
let prefixes: [StaticString] = [".text", ".rodata", ".data", ".bss"]
let retain = 0x200000

extension File {
  /// Clears the flag in the sections of an object file (ELF, 64 bits, little-endian).
  /// - Parameter start: The offset of the object file.
  /// - Returns: The number of changed sections.
  mutating func clearFlags(ofObjectAt start: Int) -> Int {
    let table = start + number(at: start + 40, bytes: 8)
    func field(_ offset: Int, _ size: Int, ofSection index: Int) -> Int {
      number(at: table + 64 * index + offset, bytes: size)
    }
    // Numbers that do not fit into the header are in the first section.
    var (count, names) = (number(at: start + 60, bytes: 2), number(at: start + 62, bytes: 2))
    if count == 0 { count = field(32, 8, ofSection: 0) }
    if names == 0xFFFF { names = field(40, 4, ofSection: 0) }
    let nameTable = start + field(24, 8, ofSection: names)
    var changedCount = 0
    for index in 0..<count where field(8, 8, ofSection: index) & retain != 0 {
      let name = nameTable + field(0, 4, ofSection: index)
      guard prefixes.contains(where: { hasText($0, at: name) }) else { continue }
      bytes[table + 64 * index + 8 + 2] &= ~UInt8(retain >> 16)
      changedCount += 1
    }
    return changedCount
  }

  /// Clears the flag in all object files of the library.
  /// - Returns: The number of changed sections.
  mutating func clearFlagsOfMembers() -> Int {
    guard hasText("!<arch>\n", at: 0) else { fail("\(path) is not a library") }
    var changedCount = 0
    var header = 8
    while header < bytes.count {
      guard header + 60 <= bytes.count,
        let size = Int(
          String(
            decoding: bytes[header + 48..<header + 58].prefix { $0 != UInt8(ascii: " ") },
            as: UTF8.self))
      else { fail("\(path) is truncated") }
      // Magic number, 64 bits, little-endian.
      if hasText("\u{7F}ELF\u{2}\u{1}", at: header + 60) {
        changedCount += clearFlags(ofObjectAt: header + 60)
      }
      header += 60 + size + size % 2
    }
    return changedCount
  }
}

var changedCount = 0
for path in CommandLine.arguments.dropFirst() {
  var library = File(path: path)
  let changedSections = library.clearFlagsOfMembers()
  if changedSections > 0 { library.write() }
  changedCount += changedSections
}
guard changedCount > 0 else { fail("the libraries have no such sections") }
