package import OfflineCache

/// The pending calls of the read hook.
extension PageLibrary {
  /// Returns the pending calls of all devices, oldest first.
  /// - Throws: `ArchiveError.unreadable`.
  package func hookCalls() throws(ArchiveError) -> [HookCall] {
    try withStore { store throws in
      try store.orderedKeys(with: .readCall).compactMap { try hookCall($0, in: store) }
    }
  }

  /// Returns the pending call of any device for the page with a cache key; nil if there is none.
  /// - Throws: `ArchiveError.unreadable`.
  package func hookCall(_ key: String) throws(ArchiveError) -> HookCall? {
    try withStore { store throws in try hookCall(key, in: store) }
  }

  private func hookCall(_ key: String, in store: LibraryStore) throws -> HookCall? {
    guard let fact = try store.fact(.readCall, of: key), let value = fact.value else { return nil }
    let page = try store.page(key)
    return HookCall(
      key: key, url: page.url, title: page.title, state: HookCall.State(text: value),
      isFromThisDevice: fact.device == directory.device)
  }

  /// Records the state of a call after an attempt.
  /// - Parameters:
  ///   - state: The state after the attempt; nil if the call is done.
  ///   - call: The call before the attempt. If another process has changed it since, or another
  ///     device has taken it over, nothing is recorded.
  /// - Throws: `ArchiveError` if it cannot be recorded.
  package func record(_ state: HookCall.State?, of call: HookCall) throws(ArchiveError) {
    guard let now = try hookCall(call.key), now.state == call.state,
      now.isFromThisDevice == call.isFromThisDevice,
      state != call.state
    else { return }
    try record([LibraryChange(call.key, .readCall, state?.text)])
  }

  /// Discards calls.
  /// - Throws: `ArchiveError` if the change cannot be recorded.
  package func discard(_ calls: [HookCall]) throws(ArchiveError) {
    try record(calls.map { LibraryChange($0.key, .readCall, nil) })
  }
}
