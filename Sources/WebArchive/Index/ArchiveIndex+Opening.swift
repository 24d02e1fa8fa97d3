import Foundation

/// Opening the index, or a replacement in memory.
extension ArchiveIndex {
  /// Opens the index, or a replacement in memory, and begins to read files of other devices in the
  /// background.
  func open() {
    var amount = BackgroundScan.Amount()
    let index = keepsFile ? writableIndex(&amount) : readOnlyIndex(&amount)
    install(index)
    arrivalScan.begin(amount) { [weak self] in
      guard let self else { return }
      let pace = ScanPace.forBackground { [arrivalScan] in arrivalScan.isStopped }
      _ = try? withCurrentIndex { index throws(IndexError) in try self.catchUp(index, pace: pace) }
    }
  }

  /// Builds an index from the segments, in its file if possible.
  /// - Parameters:
  ///   - damaged: the damaged file, which is set aside; if another file has replaced it, that one
  ///     is used.
  ///   - reason: the reason for a notice.
  /// - Returns: the index, in memory if there can be no file; nil if nothing can be read.
  func builtIndex(insteadOf damaged: OpenFile.Status?, reason: String) -> CaptureIndex? {
    if !keepsFile, let damaged, damaged != (try? store.files.status(of: path)) {
      // The file is not damaged: another process wrote to it, but it was opened as immutable.
      var nothing = BackgroundScan.Amount()
      return readOnlyIndex(&nothing, leavesNewFiles: false)
    }
    guard keepsFile else {
      notices.add(.indexRebuilt(reason: reason))
      return scannedIndex()
    }
    do throws(IndexError) {
      let (index, found) = try openedFile(insteadOf: damaged)
      if found != .older { notices.add(.indexRebuilt(reason: reason)) }
      try catchUp(index)
      return index
    } catch {
      notices.add(.indexInMemory(reason: error.description))
      return scannedIndex()
    }
  }

  /// Returns a copy in memory of an index that cannot be written. If it cannot be copied, returns
  /// an index in memory that is built from the segments; nil if that fails too.
  func indexInMemory(insteadOf index: CaptureIndex?, reason: String) -> CaptureIndex? {
    // If the user has stopped waiting for the locked index, a notice is not needed.
    if !DatabaseTimeout.isStopped { notices.add(.indexInMemory(reason: reason)) }
    guard let copy = try? index?.copyInMemory() else { return scannedIndex() }
    _ = try? catchUp(copy)
    return copy
  }

  /// Opens or builds the index for writing. Files of other devices are skipped, and their amount is
  /// stored in `remaining`. They are not skipped if the archive is read-only, like a seed, or if a
  /// damaged index is rebuilt.
  private func writableIndex(_ remaining: inout BackgroundScan.Amount) -> CaptureIndex? {
    var opened: CaptureIndex?
    let file = try? store.files.status(of: path)
    do throws(IndexError) {
      let index = try openedFile().index
      opened = index
      remaining = try catchUp(index, leavesNewFiles: !store.isReadOnly)
      return index
    } catch .corrupt {
      opened?.close()
      return builtIndex(insteadOf: opened?.file ?? file, reason: "it was damaged")
    } catch {
      if opened == nil { opened = existingIndex() }
      return indexInMemory(insteadOf: opened, reason: error.description)
    }
  }

  /// Returns a read-only index: the file itself if it is up to date, otherwise a copy in memory. If
  /// `leavesNewFiles` is true, files of other devices are skipped, so that pages in the index are
  /// available first; the amount of data in them is stored in `remaining`.
  private func readOnlyIndex(
    _ remaining: inout BackgroundScan.Amount, leavesNewFiles: Bool = true
  ) -> CaptureIndex? {
    guard let index = existingIndex() else { return scannedIndex() }
    if isUpToDate(index) { return index }
    guard let copy = try? index.copyInMemory() else { return scannedIndex() }
    index.close()
    do throws(IndexError) {
      remaining = try catchUp(copy, leavesNewFiles: leavesNewFiles)
      return copy
    } catch {
      return scannedIndex()
    }
  }

  /// Opens the index file for reading; returns nil if that is not possible. Without a write-ahead
  /// log, no process is writing to it, so it is opened as immutable, which leaves no trace and
  /// works on a read-only disk. If it changes nevertheless, the checksums of its rows reveal that.
  private func existingIndex() -> CaptureIndex? {
    let path = path
    guard let status = try? store.files.status(of: path), status.isFile else { return nil }
    let hasLog = (try? store.files.status(of: path + "-wal")).map { $0.size > 0 } ?? false
    if !hasLog, let index = try? openExisting(path, .immutable, status) {
      return index
    }
    return try? openExisting(path, .observing, nil)
  }

  private func openExisting(
    _ path: String, _ access: RebuildableDatabase.Access, _ file: OpenFile.Status?
  ) throws(IndexError) -> CaptureIndex {
    try CaptureIndex(path: path, device: store.device, mayRemove: mayRemove, access, file: file)
  }

  private func scannedIndex() -> CaptureIndex? {
    do throws(IndexError) {
      let index = try CaptureIndex(device: store.device, mayRemove: mayRemove)
      try catchUp(index)
      return index
    } catch {
      notices.add(.unreadable(error, of: "the index"))
      return nil
    }
  }

  /// Opens the index file, and creates it if it does not exist.
  ///
  /// The directory is locked meanwhile, so that no two processes create or replace it at once.
  /// - Parameter damaged: a damaged file, which is first set aside.
  /// - Returns: the index, and the reason why a file was set aside, if any was.
  /// - Throws: `IndexError.corrupt`, or `.unusable` if it cannot be created or opened.
  private func openedFile(
    insteadOf damaged: OpenFile.Status? = nil
  ) throws(IndexError) -> (index: CaptureIndex, setAside: RebuildableDatabase.SetAsideReason?) {
    do {
      let uses = damaged == nil ? [:] : CaptureIndex.salvagedUses(of: path)
      let dependencies = damaged == nil ? [:] : CaptureIndex.salvagedDependencies(of: path)
      let (index, found) = try RebuildableDatabase.opening(path, insteadOf: damaged, store.files) {
        try CaptureIndex(path: path, device: store.device, mayRemove: mayRemove, file: $0)
      }
      if found != nil {
        try index.record(uses: uses)
        try index.record(dependencies: dependencies)
      }
      return (index, found)
    } catch let error as IndexError {
      throw error
    } catch let error as ArchiveError {
      throw .unusable(error.reason)
    } catch {
      throw .unusable(ErrorMessage.text(error))
    }
  }
}
