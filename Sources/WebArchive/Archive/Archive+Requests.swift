import WARC

/// Request records that follow response records.
extension Archive {
  /// Returns the head of the request of a version, if it was recorded, without secret fields. Its
  /// record directly follows the response record in the segment.
  /// - Parameter stored: the version.
  /// - Returns: the head of the request; nil if there is no such record or it cannot be read.
  package func request(of stored: StoredResponse) -> [UInt8]? {
    guard let location = try? versionStore.location(of: stored),
      location.record == stored.id,
      location.size > 0, let file = try? store.open(location.segment)
    else { return nil }
    let reader = WARCReader(at: WARCPosition(offset: location.position.offset + location.size)) {
      try file.read(at: $0, into: $1)
    }
    guard case .record(let record, _)? = try? reader.next(), record.kind == .request,
      RecordedRequests.concurrentIDs(record).contains(stored.id), let url = record.targetURI,
      let length = record.contentLength, length <= Int64(RecordedRequests.maxLength)
    else { return nil }
    var block: [UInt8] = []
    do throws(WARCError) {
      while let chunk = try reader.nextChunk() { block += chunk }
    } catch {
      return nil
    }
    return RecordedRequest.cleaned(block, url: url)
  }
}
