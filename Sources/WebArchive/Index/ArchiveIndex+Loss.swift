extension ArchiveIndex {
  /// Notices that a segment of ours is shorter than what is known of it.
  /// - Parameters:
  ///   - known: what is known, with every change of it that another process is making.
  ///   - size: how long it is now, 0 when it is gone.
  ///   - index: remembers it.
  /// - Throws: `IndexError`.
  func noticeLoss(
    of known: SegmentState, size: Int64, _ index: CaptureIndex
  ) throws(IndexError) {
    guard store.isOwn(known.name), known.seen > size else { return }
    notices.note(.shortened(file: known.name, known: known.seen, size: size))
    try index.note(SegmentLoss(name: known.name, known: known.seen, size: size))
  }
}
