import Foundation

/// Opening the index, or whatever takes its place.
extension ArchiveIndex {
  /// Opens the index, or whatever takes its place.
  func open() {
    var amount = BackgroundScan.Amount()
    let index = keepsFile ? writableIndex(&amount) : readOnlyIndex(&amount)
    install(index)
    arrivals.begin(amount) { [weak self] in
      guard let self else { return }
      let pace = ScanPace.behind { [arrivals] in arrivals.isStopped }
      _ = try? asItIs { index throws(IndexError) in try self.catchUp(index, pace: pace) }
    }
  }

  /// Builds an index from the segments, in its file if that is possible.
  /// - Parameters:
  ///   - damaged: the file that is to go; one that took its place meanwhile is used.
  ///   - reason: what is wrong with it.
  /// - Returns: the index, in memory when there is no file to be had, or nil when nothing can be read.
  func builtIndex(insteadOf damaged: OpenFile.Status?, reason: String) -> CaptureIndex? {
    if !keepsFile, let damaged, damaged != (try? store.files.status(of: path)) {
      // Not damaged: another process wrote to it, which a file opened to stay as it is does not stand.
      var nothing = BackgroundScan.Amount()
      return readOnlyIndex(&nothing, leavesNewFiles: false)
    }
    guard keepsFile else {
      notices.note(.indexRebuilt(reason: reason))
      return scannedIndex()
    }
    do throws(IndexError) {
      let (index, found) = try openedFile(insteadOf: damaged)
      if found != .older { notices.note(.indexRebuilt(reason: reason)) }
      try catchUp(index)
      return index
    } catch {
      notices.note(.indexInMemory(reason: error.description))
      return scannedIndex()
    }
  }

  /// An index in memory with what the given one has, for when that one cannot be written.
  func indexInMemory(insteadOf index: CaptureIndex?, reason: String) -> CaptureIndex? {
    // Who ends the waiting for it ends everything.
    if !DatabasePatience.isStopped { notices.note(.indexInMemory(reason: reason)) }
    guard let copy = try? index?.copyInMemory() else { return scannedIndex() }
    _ = try? catchUp(copy)
    return copy
  }

  /// Files of others are left to later, and told by `left`, unless all there is is theirs.
  private func writableIndex(_ left: inout BackgroundScan.Amount) -> CaptureIndex? {
    var opened: CaptureIndex?
    let file = try? store.files.status(of: path)
    do throws(IndexError) {
      let index = try openedFile().index
      opened = index
      left = try catchUp(index, leavesNewFiles: !store.isReadOnly)
      return index
    } catch .corrupt {
      opened?.close()
      return builtIndex(insteadOf: opened?.file ?? file, reason: "it was damaged")
    } catch {
      if opened == nil { opened = existingIndex() }
      return indexInMemory(insteadOf: opened, reason: error.description)
    }
  }

  /// An index for reading only: the file as it is when it is up to date, else a copy in memory. Files of others
  /// are left to later, and told by `left`: what is indexed answers first.
  private func readOnlyIndex(
    _ left: inout BackgroundScan.Amount, leavesNewFiles: Bool = true
  ) -> CaptureIndex? {
    guard let index = existingIndex() else { return scannedIndex() }
    if isLevel(index) { return index }
    guard let copy = try? index.copyInMemory() else { return scannedIndex() }
    index.close()
    do throws(IndexError) {
      left = try catchUp(copy, leavesNewFiles: leavesNewFiles)
      return copy
    } catch {
      return scannedIndex()
    }
  }

  /// The index file, opened for reading. Without a log of changes nobody is writing to it, so it is
  /// opened as a file that stays as it is, which leaves no trace and works on a read-only disk; should
  /// it change all the same, the checksums of its rows tell.
  private func existingIndex() -> CaptureIndex? {
    let path = path
    guard let status = try? store.files.status(of: path), status.isFile else { return nil }
    let hasLog = (try? store.files.status(of: path + "-wal")).map { $0.size > 0 } ?? false
    if !hasLog, let index = try? existing(path, .asItIs, status) {
      return index
    }
    return try? existing(path, .watching, nil)
  }

  private func existing(
    _ path: String, _ access: RebuildableDatabase.Access, _ file: OpenFile.Status?
  ) throws(IndexError) -> CaptureIndex {
    try CaptureIndex(path: path, machine: store.machine, mayRemove: mayRemove, access, file: file)
  }

  private func scannedIndex() -> CaptureIndex? {
    do throws(IndexError) {
      let index = try CaptureIndex(machine: store.machine, mayRemove: mayRemove)
      try catchUp(index)
      return index
    } catch {
      notices.note(.unreadable(error, of: "the index"))
      return nil
    }
  }

  /// Opens the index file; makes it when it is not there.
  ///
  /// The folder is locked meanwhile, so that two processes never make or replace it at once.
  /// - Parameter damaged: a file that is put aside before.
  /// - Returns: the index.
  /// - Throws: `IndexError.corrupt`, or `.unusable` when it cannot be made or opened.
  private func openedFile(
    insteadOf damaged: OpenFile.Status? = nil
  ) throws(IndexError) -> (index: CaptureIndex, putAside: RebuildableDatabase.PutAside?) {
    do {
      let uses = damaged == nil ? [:] : CaptureIndex.salvagedUses(of: path)
      let (index, found) = try RebuildableDatabase.opening(path, insteadOf: damaged, store.files) {
        try CaptureIndex(path: path, machine: store.machine, mayRemove: mayRemove, file: $0)
      }
      if found != nil { try index.note(uses: uses) }
      return (index, found)
    } catch let error as IndexError {
      throw error
    } catch {
      throw .unusable(ErrorWords.text(error))
    }
  }
}
