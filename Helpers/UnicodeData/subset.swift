// Writes a part of the data of ICU: subset DATA ITEMS OUTPUT
//
// DATA is the content of `icudtNN_dat` ("common data format" of ICU, source/common/ucmndata.h): a
// header, the number of items, for each item the offsets of its name and of its content, sorted by
// name, and then the names and contents. ITEMS lists names without the prefix `icudtNNl/`, one on
// each line; a line that starts with # is a comment. An item that DATA does not have is left out,
// because versions of ICU differ.

import Glibc

func fail(_ message: String) -> Never {
  fputs("subset: \(message)\n", stderr)
  exit(1)
}

func bytes(of path: String) -> [UInt8] {
  guard let file = fopen(path, "rb") else { fail("cannot read \(path)") }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  let size = ftell(file)
  rewind(file)
  return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    count = fread(buffer.baseAddress, 1, size, file)
  }
}

func write(_ bytes: [UInt8], to path: String) {
  guard let file = fopen(path, "wb"), fwrite(bytes, 1, bytes.count, file) == bytes.count,
    fclose(file) == 0
  else { fail("cannot write \(path)") }
}

struct CommonData {
  struct Item {
    var name: [UInt8]
    var content: ArraySlice<UInt8>
  }

  var header: ArraySlice<UInt8>
  var items: [Item] = []

  init(_ bytes: [UInt8]) {
    func number(at offset: Int) -> Int {
      guard offset >= 0, offset + 4 <= bytes.count else { fail("the data is truncated") }
      return (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    // The format is little-endian if byte 8 is zero.
    guard bytes.count > 32, bytes[2...3] == [0xDA, 0x27], bytes[8] == 0,
      bytes[12..<16].elementsEqual("CmnD".utf8)
    else { fail("the data is not in the common data format of ICU") }
    let table = Int(bytes[0]) | Int(bytes[1]) << 8
    let count = number(at: table)
    guard table < bytes.count else { fail("the data is truncated") }
    header = bytes[..<table]
    let starts = (0..<count).map { table + number(at: table + 8 + 8 * $0) } + [bytes.count]
    for index in 0..<count {
      let name = bytes.dropFirst(table + number(at: table + 4 + 8 * index)).prefix { $0 != 0 }
      guard starts[index] <= starts[index + 1], starts[index + 1] <= bytes.count else {
        fail("the data is truncated")
      }
      items.append(Item(name: Array(name), content: bytes[starts[index]..<starts[index + 1]]))
    }
  }

  /// The same format with the items of this value. Contents start at multiples of 16.
  var encoded: [UInt8] {
    var result = Array(header)
    let table = result.count
    func append(_ number: Int) {
      result += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    append(items.count)
    var name = 4 + 8 * items.count
    let names = items.reduce(name) { $0 + $1.name.count + 1 }
    var content = padded(table + names) - table
    for item in items {
      append(name)
      append(content)
      name += item.name.count + 1
      content = padded(table + content + item.content.count) - table
    }
    for item in items { result += item.name + [0] }
    for item in items {
      result += [UInt8](repeating: 0, count: padded(result.count) - result.count)
      result += item.content
    }
    return result
  }

  private func padded(_ length: Int) -> Int { (length + 15) & ~15 }
}

let arguments = CommandLine.arguments
guard arguments.count == 4 else { fail("usage: subset DATA ITEMS OUTPUT") }
var data = CommonData(bytes(of: arguments[1]))
let wanted = Set(
  bytes(of: arguments[2]).split(separator: UInt8(ascii: "\n"))
    .filter { $0.first != UInt8(ascii: "#") }.map(Array.init))
data.items.removeAll { item in
  !wanted.contains(Array(item.name.drop { $0 != UInt8(ascii: "/") }.dropFirst()))
}
write(data.encoded, to: arguments[3])
