import Foundation
import GRDB
import WARC

extension ArchivedVersion {
  /// The columns of a row, in order. The checksum follows them.
  static let columns = [
    "record", "key", "host", "good", "version", "segment", "offset", "inner", "holder", "head",
    "requestTime", "responseTime", "contentDate", "checkDate", "checkResult", "varying",
    "suspicion", "digest", "length", "foreignDigest", "damaged", "size", "family", "source",
    "origin",
  ]

  /// The columns as a list in SQL. The first call of `joined` in a process would look up
  /// conformances, which takes 0.4 million instructions.
  static let columnList = columns.dropFirst().reduce(columns[0]) { $0 + ", " + $1 }

  /// The values of a row, in the order of `columns`.
  var values: [DatabaseValue] {
    let stored = stored
    return [
      stored.id.databaseValue, stored.key.databaseValue,
      Self.host(of: stored.key).databaseValue, isUsable.databaseValue, order.databaseValue,
      location.segment.databaseValue, location.position.offset.databaseValue,
      location.position.memberOffset.databaseValue, location.record.databaseValue,
      Data(RecordedHead.bytes(stored.response)).databaseValue,
      stored.requestTime.milliseconds.databaseValue,
      stored.responseTime.milliseconds.databaseValue,
      stored.contentDate.milliseconds.databaseValue,
      (stored.lastCheck?.date.milliseconds).databaseValue,
      (stored.lastCheck?.result.text).databaseValue,
      stored.varying.map(\.text).joined(separator: "\n").databaseValue,
      (stored.rejectionReason?.rawValue).databaseValue, stored.payloadDigest.databaseValue,
      stored.length.databaseValue, recordedDigest.databaseValue, isDamaged.databaseValue,
      location.size.databaseValue, baseHash.databaseValue, source.databaseValue,
      origin.databaseValue,
    ]
  }

  /// The hash that URLs share if they differ only in their query; nil if the response has no
  /// `No-Vary-Search` field.
  private var baseHash: Int64? {
    guard stored.response.fields["No-Vary-Search"] != nil else { return nil }
    return CaptureIndex.keyHash(of: NoVarySearch.base(of: stored.key))
  }

  /// Creates a version from a row with the columns and the checksum.
  /// - Throws: `IndexError.corrupt` if the checksum is wrong.
  init(row: Row) throws {
    let values = Array(row.databaseValues)
    let count = Self.columns.count
    guard values.count == count + 1,
      Int64.fromDatabaseValue(values[count]) == checksum(values[..<count]),
      let head = Data.fromDatabaseValue(values[9]), let response = RecordedHead.parse([UInt8](head))
    else { throw IndexError.corrupt }
    let varying: String = try row.value(15)
    let check: StoredResponse.Check? =
      if let date = try row.value(13, as: Int64?.self),
        let text = try row.value(14, as: String?.self),
        let result = StoredResponse.Check.Result(text: text)
      { StoredResponse.Check(date: Date(milliseconds: date), result: result) } else { nil }
    stored = StoredResponse(
      id: try row.value(0), key: try row.value(1),
      // Rows and records of versions before 1.0.1 contain secret fields.
      response: RecordedHead.withoutSecrets(response),
      requestTime: Date(milliseconds: try row.value(10)),
      responseTime: Date(milliseconds: try row.value(11)),
      contentDate: Date(milliseconds: try row.value(12)),
      lastCheck: check,
      varying: varying.isEmpty
        ? []
        : varying.split(separator: "\n").map { VaryingField(text: String($0)) },
      rejectionReason: try row.value(16, as: String?.self).map { RejectionReason(stored: $0) },
      payloadDigest: try row.value(17),
      length: try row.value(18))
    order = try row.value(4)
    location = RecordReference(
      segment: try row.value(5),
      position: WARCPosition(offset: try row.value(6), memberOffset: try row.value(7)),
      record: try row.value(8), size: try row.value(21))
    recordedDigest = try row.value(19)
    source = try row.value(23)
    origin = try row.value(24)
    isDamaged = try row.value(20)
  }

  /// Returns the host of a key, without port.
  static func host(of key: String) -> String {
    guard let start = key.range(of: "://")?.upperBound else { return "" }
    var host = Array(key[start...].utf8.prefix { $0 != 0x2F && $0 != 0x3F })
    if let at = host.lastIndex(of: UInt8(ascii: "@")) { host.removeSubrange(...at) }
    if let colon = host.lastIndex(of: UInt8(ascii: ":")), !host[colon...].contains(0x5D) {
      host.removeSubrange(colon...)
    }
    return String(decoding: host, as: UTF8.self)
  }
}

/// Returns a checksum (FNV-1a) of the values of a row.
func checksum(_ values: some Sequence<DatabaseValue>) -> Int64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }
  for value in values {
    switch value.storage {
    case .null: add([0])
    case .int64(let number):
      add([1])
      withUnsafeBytes(of: number.littleEndian) { add($0) }
    case .double(let number):
      add([2])
      withUnsafeBytes(of: number.bitPattern.littleEndian) { add($0) }
    case .string(let text):
      add([3])
      add(text.utf8)
    case .blob(let data):
      add([4])
      data.withUnsafeBytes { add($0) }
    }
  }
  return Int64(bitPattern: hash)
}
