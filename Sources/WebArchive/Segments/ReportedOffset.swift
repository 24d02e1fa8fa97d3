/// The offset up to which the progress in a file was reported.
struct ReportedOffset {
  let meter: ProgressMeter
  private(set) var offset: Int64

  mutating func advance(to newOffset: Int64) throws(ArchiveError) {
    guard newOffset > offset else { return }
    try meter.advance(by: newOffset - offset)
    offset = newOffset
  }
}
