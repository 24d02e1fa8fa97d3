package import OfflineCache

/// The calls of the read hook that wait.
extension PageLibrary {
  /// Returns the calls that wait on any device, the oldest first.
  /// - Throws: `ArchiveError.unreadable`.
  package func hookCalls() throws(ArchiveError) -> [HookCall] {
    try using { store throws in
      try store.orderedKeys(with: .readCall).compactMap { key -> HookCall? in
        guard let fact = try store.fact(.readCall, of: key), let value = fact.value else {
          return nil
        }
        let page = try store.page(key)
        return HookCall(
          key: key, url: page.url, title: page.title, state: HookCall.State(text: value),
          isOwn: fact.device == directory.device)
      }
    }
  }

  /// Records the state of a call after an attempt.
  /// - Parameters:
  ///   - state: The state after the attempt; nil if the call is done.
  ///   - call: The call before the attempt. If another process has changed it since, nothing is
  ///     recorded.
  /// - Throws: `ArchiveError` if it cannot be recorded.
  package func record(_ state: HookCall.State?, of call: HookCall) throws(ArchiveError) {
    let value = try using { store throws in try store.fact(.readCall, of: call.key)?.value }
    guard let value, HookCall.State(text: value) == call.state, state != call.state else { return }
    try record([LibraryChange(call.key, .readCall, state?.text)])
  }

  /// Discards calls.
  /// - Throws: `ArchiveError` if the change cannot be recorded.
  package func discard(_ calls: [HookCall]) throws(ArchiveError) {
    try record(calls.map { LibraryChange($0.key, .readCall, nil) })
  }
}
