import Platform
package import OfflineCache

/// Sorts any number of lines by their bytes in bounded memory (external merge sort): sorted runs
/// are written to temporary files and merged at the end. Duplicate lines are dropped.
package struct LineSorter {
  private let maxBufferedBytes: Int
  private let makeSpool: () -> Spool
  /// The lines in memory, which are not in a run yet.
  private var bytes: [UInt8] = []
  /// The ranges of the lines in `bytes`.
  private var lineRanges: [Range<Int>] = []
  /// The sorted runs in temporary storage.
  private var runs: [Spool] = []

  /// Creates an empty sorter.
  /// - Parameters:
  ///   - maxBufferedBytes: The maximum number of bytes of lines in memory.
  ///   - makeSpool: Creates temporary storage for a sorted run.
  package init(maxBufferedBytes: Int = 24 << 20, makeSpool: @escaping () -> Spool) {
    self.maxBufferedBytes = maxBufferedBytes
    self.makeSpool = makeSpool
  }

  /// Adds a line.
  /// - Parameter line: The bytes, including the line feed.
  /// - Throws: `ArchiveError` if a sorted run cannot be written.
  package mutating func add(_ line: [UInt8]) throws(ArchiveError) {
    if bytes.count + line.count > maxBufferedBytes, !lineRanges.isEmpty { try spill() }
    // Otherwise the array would grow to twice the limit.
    if bytes.capacity < maxBufferedBytes, bytes.count > maxBufferedBytes / 8 {
      bytes.reserveCapacity(maxBufferedBytes)
    }
    lineRanges.append(bytes.count..<(bytes.count + line.count))
    bytes += line
  }

  /// Passes the lines in sorted order.
  /// - Parameter sink: Receives a line including its line feed.
  /// - Throws: `ArchiveError` if a run cannot be read, and errors that `sink` throws.
  package consuming func finish(into sink: (ArraySlice<UInt8>) throws -> Void) throws {
    if runs.isEmpty {
      var last: ArraySlice<UInt8> = []
      for line in sorted() {
        let next = bytes[line]
        if next != last { try sink(next) }
        last = next
      }
      return
    }
    if !lineRanges.isEmpty { try spill() }
    bytes = []
    try Self.merge(runs, into: sink)
  }

  private func sorted() -> [Range<Int>] {
    bytes.withUnsafeBytes { all in
      lineRanges.sorted { Self.isLess(all[$0], all[$1]) }
    }
  }

  /// Writes the lines in memory to temporary storage as a sorted run.
  private mutating func spill() throws(ArchiveError) {
    let spool = makeSpool()
    var buffered: [UInt8] = []
    for line in sorted() {
      buffered += bytes[line]
      guard buffered.count >= 1 << 18 else { continue }
      spool.write(buffered)
      buffered.removeAll(keepingCapacity: true)
    }
    spool.write(buffered)
    if let failure = spool.failure { throw failure }
    runs.append(spool)
    bytes.removeAll(keepingCapacity: true)
    lineRanges.removeAll(keepingCapacity: true)
  }

  private static func isLess(
    _ one: Slice<UnsafeRawBufferPointer>, _ other: Slice<UnsafeRawBufferPointer>
  ) -> Bool {
    let (one, other) = (
      UnsafeRawBufferPointer(rebasing: one), UnsafeRawBufferPointer(rebasing: other)
    )
    guard let first = one.baseAddress, let second = other.baseAddress else {
      return one.count < other.count
    }
    let order = memcmp(first, second, min(one.count, other.count))
    return order == 0 ? one.count < other.count : order < 0
  }

  private static func isLess(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    one.withUnsafeBytes { one in other.withUnsafeBytes { isLess(one[...], $0[...]) } }
  }

  /// A sorted run that is being read.
  private struct Run {
    let spool: Spool
    var offset: Int64 = 0
    var buffer: [UInt8] = []
    var start = 0
    /// The current line.
    var line: ArraySlice<UInt8> = []

    /// Advances to the next line.
    /// - Returns: Whether there is another line.
    mutating func advance() throws(ArchiveError) -> Bool {
      line = []
      while true {
        if let end = buffer[start...].firstIndex(of: 0x0A) {
          line = buffer[start...end]
          start = end + 1
          return true
        }
        guard let chunk = try spool.chunk(at: offset) else { return false }
        offset += Int64(chunk.count)
        buffer = Array(buffer[start...]) + chunk
        start = 0
      }
    }
  }

  /// Merges sorted runs, using a heap of their current lines.
  private static func merge(
    _ parts: [Spool], into sink: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    var heap: [Run] = []
    func siftDown(_ position: Int) {
      var position = position
      while true {
        var smallest = position
        for child in [2 * position + 1, 2 * position + 2] where child < heap.count {
          if isLess(heap[child].line, heap[smallest].line) { smallest = child }
        }
        guard smallest != position else { return }
        heap.swapAt(position, smallest)
        position = smallest
      }
    }
    for part in parts {
      var run = Run(spool: part)
      if try run.advance() { heap.append(run) }
    }
    for position in heap.indices.reversed() { siftDown(position) }
    var last: ArraySlice<UInt8> = []
    while let line = heap.first?.line {
      if line != last { try sink(line) }
      last = line
      if try !heap[0].advance() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
      }
      siftDown(0)
    }
  }
}
