import WARC

/// A strict reader of ZIP archives by their central directory, used to validate ZIP writers.
public enum ZIPContents {
  /// A file of an archive.
  public struct File: Equatable {
    /// The path of the file.
    public var path: String
    /// The content of the file.
    public var bytes: [UInt8]
    /// Whether the content is not compressed.
    public var isStored: Bool

    /// Creates a file.
    public init(path: String, bytes: [UInt8], isStored: Bool) {
      (self.path, self.bytes, self.isStored) = (path, bytes, isStored)
    }
  }

  /// A structural error.
  public struct Fault: Error {
    /// The error message.
    public var message: String
  }

  /// Reads an archive.
  /// - Parameter archive: The bytes of the archive.
  /// - Returns: The files in the order of the central directory.
  /// - Throws: `Fault`, or `DeflateError`.
  public static func read(_ archive: [UInt8]) throws -> [File] {
    func check(_ isRight: Bool, _ text: String) throws {
      if !isRight { throw Fault(message: text) }
    }
    func number(_ position: Int, _ count: Int) -> Int {
      (0..<count).reversed().reduce(0) { $0 << 8 | Int(archive[position + $1]) }
    }
    let end = archive.count - 22
    try check(end >= 0 && number(end, 4) == 0x0605_4B50, "no end")
    var (count, size, position) = (number(end + 10, 2), number(end + 12, 4), number(end + 16, 4))
    var last = end
    if count == 0xFFFF || size == 0xFFFF_FFFF || position == 0xFFFF_FFFF {
      try check(number(end - 20, 4) == 0x0706_4B50, "no locator")
      let wide = number(end - 12, 8)
      try check(number(wide, 4) == 0x0606_4B50 && wide + 56 == end - 20, "no end of 64 bits")
      (count, size, position) = (number(wide + 32, 8), number(wide + 40, 8), number(wide + 48, 8))
      last = wide
    }
    try check(position + size == last, "the directory has another size")
    var files: [File] = []
    for _ in 0..<count {
      try check(number(position, 4) == 0x0201_4B50, "no entry")
      let (nameLength, extraLength) = (number(position + 28, 2), number(position + 30, 2))
      let name = archive[(position + 46)..<(position + 46 + nameLength)]
      var (packed, size, local) = (
        number(position + 20, 4), number(position + 24, 4), number(position + 42, 4)
      )
      var extra = position + 46 + nameLength + 4
      try check(
        extraLength == 0 || number(extra - 4, 2) == 1 && number(extra - 2, 2) == extraLength - 4,
        "an unknown field")
      func widen(_ value: inout Int) {
        guard value == 0xFFFF_FFFF else { return }
        value = number(extra, 8)
        extra += 8
      }
      widen(&size)
      widen(&packed)
      widen(&local)
      try check(
        extra == position + 46 + nameLength + max(4, extraLength), "a field has another length")
      try check(number(local, 4) == 0x0403_4B50, "no header")
      let start = local + 30 + number(local + 26, 2) + number(local + 28, 2)
      try check(archive[(local + 30)...].starts(with: name), "another name")
      let isStreamed = number(position + 8, 2) & 8 != 0
      if isStreamed {
        let descriptor = start + packed
        try check(
          number(descriptor, 4) == 0x0807_4B50
            && number(descriptor + 4, 4) == number(position + 16, 4)
            && number(descriptor + 8, 8) == packed && number(descriptor + 16, 8) == size,
          "what stands behind the content is something else")
      } else if extraLength == 0 {
        let same = archive[(local + 4)..<(local + 30)].elementsEqual(
          archive[(position + 6)..<(position + 32)])
        try check(same, "both headers do not say the same")
      }
      let content = Array(archive[start..<(start + packed)])
      var bytes = content
      let isStored = number(position + 10, 2) == 0
      if !isStored {
        bytes = []
        try Inflater(format: .raw).inflate(content) { bytes += $0 }
      }
      try check(bytes.count == size, "another size")
      try check(Int(CRC32.checksum(bytes)) == number(position + 16, 4), "another checksum")
      files.append(
        File(path: String(decoding: name, as: UTF8.self), bytes: bytes, isStored: isStored))
      position += 46 + nameLength + extraLength
    }
    try check(position == last, "something between directory and end")
    return files
  }
}
