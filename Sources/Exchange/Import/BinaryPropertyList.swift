import DOM
import Foundation

/// A reader for binary property lists (`bplist00`). Objects refer to each other by number; a table
/// at the end of the file contains the offset of each object.
struct BinaryPropertyList {
  static let signature = Array("bplist00".utf8)
  private static let trailerLength = 32
  /// The cost of a value in addition to its text; see `bytesLeft`.
  private static let valueCost = 16
  private static let maxCost = 1 << 25
  private static let secondsFrom1970To2001 = 978_307_200.0

  private let bytes: [UInt8]
  /// The number of bytes of an offset in the table.
  private let offsetSize: Int
  /// The number of bytes of a reference to an object.
  private let referenceSize: Int
  private let objectCount: Int
  private let offsetTableStart: Int
  /// The offsets of the objects of a truncated file, which has no table.
  private var scannedOffsets: [Int] = []
  /// The text of the data within which a truncated file ends; nil if there is none.
  private(set) var incompleteText: String?
  private let rootIndex: Int
  /// The approximate number of bytes that may still be decoded, at least twice the length of the
  /// file: objects that are referred to repeatedly could be far longer together than the file.
  private var bytesLeft: Int

  /// Parses the trailer; fails if the file is not a binary property list.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.signature), bytes.count >= 8 + Self.trailerLength else {
      return nil
    }
    let trailer = Array(bytes.suffix(Self.trailerLength))
    guard let count = Self.number(trailer[8..<16]), let top = Self.number(trailer[16..<24]),
      let table = Self.number(trailer[24..<32]),
      (1...8).contains(trailer[6]), (1...8).contains(trailer[7]), count <= bytes.count,
      table <= bytes.count
    else { return nil }
    self.bytes = bytes
    (offsetSize, referenceSize) = (Int(trailer[6]), Int(trailer[7]))
    (self.objectCount, self.rootIndex, self.offsetTableStart) = (count, top, table)
    bytesLeft = Self.maxBytes(of: bytes)
  }

  /// Scans the objects of a truncated file, which follow each other in the order of their numbers.
  /// The first one is the root. Fails if the file is not a binary property list.
  /// - Parameters:
  ///   - bytes: The beginning of the file.
  ///   - referenceSize: The number of bytes of a reference to an object.
  init?(truncated bytes: [UInt8], referenceSize: Int) {
    guard bytes.starts(with: Self.signature) else { return nil }
    self.bytes = bytes
    (self.offsetSize, self.referenceSize) = (0, referenceSize)
    (self.objectCount, self.rootIndex, self.offsetTableStart) = (bytes.count, 0, bytes.count)
    bytesLeft = Self.maxBytes(of: bytes)
    var offset: Int? = Self.signature.count
    // More objects could not be decoded.
    let maxObjectCount = bytesLeft / Self.valueCost
    while let start = offset, start < bytes.count, scannedOffsets.count < maxObjectCount {
      scannedOffsets.append(start)
      offset = end(ofObjectAt: start)
    }
  }

  /// Returns the initial value of `bytesLeft`.
  private static func maxBytes(of bytes: [UInt8]) -> Int {
    max(2 * bytes.count, min(maxCost, valueCost * bytes.count + 4096))
  }

  /// The root object. Data is text in base64, as in XML; values without a text are null.
  var root: JSONValue {
    mutating get { value(rootIndex, depth: 0) }
  }

  /// Returns a big-endian number; nil if it is too large.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    Int(exactly: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
  }

  private func integer(at index: Int, size: Int) -> Int? {
    guard index >= 0, index + size <= bytes.count else { return nil }
    return Self.number(bytes[index..<index + size])
  }

  private mutating func value(_ index: Int, depth: Int) -> JSONValue {
    bytesLeft -= Self.valueCost
    guard bytesLeft > 0, depth < PropertyList.maxDepth, index < objectCount,
      let offset = offset(ofObject: index), offset < bytes.count
    else { return .null }
    let marker = bytes[offset]
    switch marker >> 4 {
    case 1:
      guard let number = integer(at: offset + 1, size: 1 << Int(marker & 7)) else { return .null }
      return .number(Double(number))
    case 3: return date(at: offset + 1)
    case 4: return data(at: offset)
    case 5, 6: return text(at: offset, isUTF16: marker >> 4 == 6)
    case 0xA:
      guard let (start, length) = size(at: offset) else { return .null }
      return .array(elements(at: start, length, depth: depth + 1))
    case 0xD:
      guard let (start, length) = size(at: offset), length <= bytes.count else { return .null }
      let keys = elements(at: start, length, depth: depth + 1)
      let values = elements(at: start + length * referenceSize, length, depth: depth + 1)
      let members = zip(keys, values).compactMap { key, value in key.string.map { ($0, value) } }
      return .object(Dictionary(members) { first, _ in first })
    default: return .null
    }
  }

  /// Returns the offset of an object; nil if it is unknown.
  private func offset(ofObject index: Int) -> Int? {
    guard scannedOffsets.isEmpty else {
      return scannedOffsets.indices.contains(index) ? scannedOffsets[index] : nil
    }
    return integer(at: offsetTableStart + index * offsetSize, size: offsetSize)
  }

  /// Returns the offset after an object, which may be beyond the end of the file; nil if the object
  /// is damaged or of an unknown type.
  private func end(ofObjectAt offset: Int) -> Int? {
    let type = bytes[offset] >> 4
    let elementSize: Int
    switch type {
    case 0: return offset + 1
    case 1, 2: return offset + 1 + (1 << Int(bytes[offset] & 7))
    case 3: return offset + 9
    case 8: return offset + 2 + Int(bytes[offset] & 15)
    case 4, 5: elementSize = 1
    case 6: elementSize = 2
    case 0xA, 0xB, 0xC: elementSize = referenceSize
    case 0xD: elementSize = 2 * referenceSize
    default: return nil
    }
    guard let (start, length) = size(at: offset), length <= bytes.count else { return nil }
    return start + length * elementSize
  }

  /// Returns the number of elements of the object at an offset, and the offset of the first
  /// element; nil if the file is damaged.
  private func size(at offset: Int) -> (start: Int, length: Int)? {
    let length = Int(bytes[offset] & 15)
    guard length == 15 else { return (offset + 1, length) }
    guard offset + 1 < bytes.count, bytes[offset + 1] >> 4 == 1 else { return nil }
    let size = 1 << Int(bytes[offset + 1] & 7)
    return integer(at: offset + 2, size: size).map { (offset + 2 + size, $0) }
  }

  private mutating func elements(at start: Int, _ length: Int, depth: Int) -> [JSONValue] {
    var result: [JSONValue] = []
    for position in 0..<min(length, bytes.count) {
      guard bytesLeft > 0,
        let index = integer(at: start + position * referenceSize, size: referenceSize)
      else { break }
      result.append(value(index, depth: depth))
    }
    return result
  }

  private mutating func text(at offset: Int, isUTF16: Bool) -> JSONValue {
    guard let (start, length) = size(at: offset), length <= bytes.count else { return .null }
    let end = start + (isUTF16 ? 2 * length : length)
    guard end <= bytes.count else { return .null }
    bytesLeft -= end - start
    guard isUTF16 else { return .string(String(decoding: bytes[start..<end], as: UTF8.self)) }
    let units = stride(from: start, to: end, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    return .string(String(decoding: units, as: UTF16.self))
  }

  private mutating func data(at offset: Int) -> JSONValue {
    guard let (start, length) = size(at: offset) else { return .null }
    let isIncomplete = length > bytes.count - start
    guard !isIncomplete || !scannedOffsets.isEmpty else { return .null }
    let content = bytes[start...].prefix(length)
    bytesLeft -= content.count
    let text = Data(content).base64EncodedString()
    if isIncomplete { incompleteText = text }
    return .string(text)
  }

  /// Returns a date, stored as seconds since 2001, as the text of whole seconds since 1970.
  private func date(at offset: Int) -> JSONValue {
    guard offset + 8 <= bytes.count else { return .null }
    let bits = bytes[offset..<offset + 8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    let seconds = Double(bitPattern: bits) + Self.secondsFrom1970To2001
    return Int64(exactly: seconds.rounded(.down)).map { .string(String($0)) } ?? .null
  }
}
