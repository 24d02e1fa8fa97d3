/// The search for the next record after damage.
struct Resynchronization {
  let source: ByteSource
  /// The framing of the damaged record. Only records with the same framing are found, so that
  /// records of a WARC file inside a record are not mistaken for records of this file.
  let framing: WARCReader.Framing

  /// Moves the source to the first record after an offset, or to the end.
  /// - Returns: whether a record was found.
  func nextRecord(after offset: Int64) throws(WARCError) -> Bool {
    source.seek(to: offset)
    let first = try source.peek(1)
    guard let byte = first.first else { return false }
    var previous = byte
    source.advance(1)
    while true {
      let window = try source.peek(8)
      guard !window.isEmpty else { return false }
      // The last 7 bytes are examined again together with the following ones, except at the end.
      let count = window.count < 8 ? window.count : window.count - 7
      var index = 0
      // Directly after the end of a record, even a damaged line break is accepted.
      while index < count {
        if source.position + Int64(index) - offset <= 4 { previous = 10 }
        if isCandidate(window, index, previous) { break }
        previous = window[index]
        index += 1
      }
      source.advance(index)
      guard index < count else { continue }
      let position = source.position
      if try isRecord() { return true }
      source.seek(to: position)
      previous = try source.peek(1).first ?? 0
      source.advance(1)
    }
  }

  private func isCandidate(
    _ window: UnsafeRawBufferPointer, _ index: Int, _ previous: UInt8
  ) -> Bool {
    let byte = window[index]
    if byte == 0x1F, framing != .plain {
      // RFC 1952 §2.3: magic number, method 8, reserved flags zero.
      return index + 3 < window.count && window[index + 1] == 0x8B && window[index + 2] == 8
        && window[index + 3] & 0xE0 == 0
    }
    guard byte == UInt8(ascii: "W"), previous == 10, framing != .gzip else { return false }
    return window.count >= index + 7
      && window[index..<index + 5].elementsEqual("WARC/".utf8)
      && (0x30...0x39).contains(window[index + 5]) && window[index + 6] == 0x2E
  }

  /// Returns whether a record begins at the source's position. If so, the position is not changed.
  private func isRecord() throws(WARCError) -> Bool {
    let position = source.position
    guard try source.peek(1).first == 0x1F else { return true }
    var decoder = RecordDecoder(source: source, isGzip: true)
    var start: [UInt8] = []
    do throws(WARCError) {
      try decoder.skipLineBreaks()
      while start.count < 5 {
        let piece = try decoder.read(5 - start.count)
        guard !piece.isEmpty else { break }
        start.append(contentsOf: piece)
      }
    } catch .unreadable(let reason) {
      throw .unreadable(reason)
    } catch {
      return false
    }
    source.seek(to: position)
    return start.elementsEqual("WARC/".utf8)
  }
}
