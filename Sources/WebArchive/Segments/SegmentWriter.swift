import Foundation
import WARC

/// Finds, locks and extends the current segment of this device.
package struct SegmentWriter {
  /// The size in bytes at which a segment is not extended any more.
  package static let maxSegmentSize: Int64 = 256 << 20

  /// A locked segment, and the offset of its next record.
  struct Locked {
    let file: OpenFile
    let name: String
    let inode: UInt64
    var end: Int64
    /// Whether this process has just created the segment, so that it is still empty.
    var isNew = false

    /// Creates the current state of a segment whose lock is held.
    init(_ file: OpenFile, _ name: String) throws(ArchiveError) {
      self.init(file, name, try file.status())
    }

    fileprivate init(_ file: OpenFile, _ name: String, _ status: OpenFile.Status) {
      (self.file, self.name) = (file, name)
      (inode, end) = (status.inode, status.size)
    }
  }

  /// The state that was last passed to the index, and the `generation` of the index at that time.
  struct Indexed {
    let state: SegmentState
    let generation: Int
  }

  let directory: SegmentDirectory
  let device: String
  /// The last state that was passed to the index; nil if it must be looked up.
  var indexed: Indexed?
  private var currentSegment: (file: OpenFile, name: String)?
  /// The last segment that this process created.
  private var lastCreatedName: String?
  /// Segments that could not be flushed to the disk.
  private var unreliableSegments: Set<String> = []

  init(directory: SegmentDirectory, device: String) {
    self.directory = directory
    self.device = device
  }

  /// Opens and locks the segment for the next record; begins a new one if necessary.
  mutating func lock(now: Date, maxSegmentSize: Int64) throws(ArchiveError) -> Locked {
    while true {
      let (file, name) = try open(now: now)
      guard !unreliableSegments.contains(name) else {
        currentSegment = nil
        try begin(after: SegmentName(name), now: now)
        continue
      }
      try file.lock()
      // While this process waited, the segment may have been replaced or filled.
      let status = try file.status()
      guard try directory.files.status(of: file.path)?.inode == status.inode else {
        file.unlock()
        currentSegment = nil
        continue
      }
      guard status.size < maxSegmentSize || status.size == 0 else {
        file.unlock()
        currentSegment = nil
        try begin(after: SegmentName(name), now: now)
        continue
      }
      var locked = Locked(file, name, status)
      locked.isNew = status.size == 0 && lastCreatedName == name
      lastCreatedName = nil
      return locked
    }
  }

  /// Stops writing to a segment that could not be flushed. The system reports lost data only once,
  /// so a later flush would succeed although the data is not on the disk.
  mutating func abandon(_ name: String) {
    unreliableSegments.insert(name)
    currentSegment = nil
  }

  private mutating func open(now: Date) throws(ArchiveError) -> (file: OpenFile, name: String) {
    if let currentSegment { return currentSegment }
    let latest = try directory.latest(of: device)
    let name = (latest ?? SegmentName(after: nil, device: device, now: now)).text
    if latest == nil { lastCreatedName = name }
    let opened = (try directory.files.openForWriting("\(directory.path)/\(name)"), name)
    currentSegment = opened
    return opened
  }

  private mutating func begin(after full: SegmentName?, now: Date) throws(ArchiveError) {
    let latest = try directory.latest(of: device)
    // Another process may have begun the next one already.
    if let latest, let full, full < latest { return }
    let name = SegmentName(after: latest ?? full, device: device, now: now).text
    lastCreatedName = name
    currentSegment = (try directory.files.openForWriting("\(directory.path)/\(name)"), name)
  }

  /// Appends a whole record to a locked segment, or nothing. `write` provides the bytes in pieces.
  /// - Parameters:
  ///   - segment: the segment.
  ///   - recent: receives a backup copy of the record; nil if none is kept.
  ///   - write: called with a closure that receives the bytes.
  /// - Throws: `ArchiveError`; nothing was written then.
  static func append(
    to segment: inout Locked, copying recent: RecentAppends?,
    _ write: (([UInt8]) throws -> Void) throws -> Void
  ) throws(ArchiveError) {
    var buffer: [UInt8] = []
    var end = segment.end
    let file = segment.file
    var run = recent?.begin(segment.name, at: segment.end)
    func flush(isLast: Bool) throws {
      recent?.add(buffer, to: &run, isLast: isLast)
      try buffer.withUnsafeBytes { try file.write($0, at: end) }
      end += Int64(buffer.count)
      buffer.removeAll(keepingCapacity: true)
    }
    do {
      try write { piece in
        buffer.append(contentsOf: piece)
        if buffer.count >= 1 << 18 { try flush(isLast: false) }
      }
      try flush(isLast: true)
      segment.end = end
    } catch {
      recent?.cancel(run)
      // The written part of the record is removed. If that fails, it is an incomplete record at the
      // end.
      try? file.truncate(to: segment.end)
      throw (error as? ArchiveError) ?? .unwritable("\(file.path): \(ErrorMessage.text(error))")
    }
  }

  /// Returns the `warcinfo` record that is written at the beginning of each segment.
  static func description(of name: String, now: Date) -> (WARCRecord, block: [UInt8]) {
    var record = WARCRecord(.warcinfo, date: now, contentType: "application/warc-fields")
    record.fields.append("WARC-Filename", name)
    let block = WARCFields([
      WARCFields.Field("software", Software.product),
      WARCFields.Field("format", "WARC File Format 1.1"),
      WARCFields.Field(
        "conformsTo",
        "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
    ])
    return (record, block.bytes)
  }
}
