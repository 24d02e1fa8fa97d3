import Foundation

@testable import OfflineCache
@testable import WebArchive

/// A directory for the archive of one test, deleted with the last reference.
final class TemporaryArchive: Sendable {
  let directory: URL
  let location: ArchiveLocation

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("offread archive ü \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    location = ArchiveLocation(
      archive: directory.appendingPathComponent("archive"),
      index: directory.appendingPathComponent("cache/index.sqlite"))
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  func open(
    device: String = "m", mayRemove: @escaping @Sendable (String) -> Bool = { _ in true },
    readOnly: Bool = false, segmentLimit: Int64 = SegmentWriter.maxSegmentSize
  ) -> Archive {
    Archive(
      location: location, device: device, mayRemove: mayRemove, readOnly: readOnly,
      segmentLimit: segmentLimit)
  }

  /// The names of the segments, sorted.
  func segments() throws -> [String] {
    try SegmentDirectory(path: location.archive.path, files: LocalFileSystem()).list().map(\.name)
  }

  func segment(_ name: String) -> URL { location.archive.appendingPathComponent(name) }

  func bytes(of name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: segment(name))) }

  func write(_ bytes: [UInt8], to name: String) throws {
    try FileManager.default.createDirectory(
      at: location.archive, withIntermediateDirectories: true)
    try Data(bytes).write(to: segment(name))
  }

  func removeIndex() throws {
    try FileManager.default.removeItem(at: location.index.deletingLastPathComponent())
  }
}

extension Archive {
  static let start = Date(timeIntervalSince1970: 1_795_234_310)

  /// Saves a text at a number of seconds after `start`.
  @discardableResult
  func save(
    _ text: String, at seconds: Double, key: String = "https://example.org/",
    status: Int = 200, fields: [(String, String)] = [("Content-Type", "text/html")],
    varying: [VaryingField] = [], rejectionReason: RejectionReason? = nil
  ) throws(ArchiveError) -> StoredResponse {
    let spool = makeSpool()
    spool.write(Array(text.utf8))
    let head = FieldLines(fields.map { FieldLines.Field($0.0, $0.1) })
    let time = Self.start.addingTimeInterval(seconds)
    let capture = Capture(
      key: key, url: key, response: ResponseHead(status: status, reason: "Any", fields: head),
      requestTime: time.addingTimeInterval(-0.25), responseTime: time, varying: varying,
      rejectionReason: rejectionReason)
    return try append(capture, body: spool)
  }

  /// Returns the content of a version as text.
  func text(_ stored: StoredResponse) throws(ArchiveError) -> String {
    String(decoding: try body(of: stored).rest(), as: UTF8.self)
  }

  /// Returns every version of the keys without the imported flag, for comparing archives of
  /// different devices.
  func snapshot(_ keys: [String]) throws -> [[StoredResponse]] {
    try keys.map { key in
      try captures(of: key).map { stored in
        var stored = stored
        stored.importedFile = nil
        return stored
      }
    }
  }
}
