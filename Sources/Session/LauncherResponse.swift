/// A response of the launcher.
enum LauncherResponse: Equatable {
  /// The request is done; descriptors may be attached.
  case done
  /// The request failed with this `errno` value; `EPERM` if it is not permitted, 0 if the reason is
  /// unknown.
  case failed(Int32)
  /// A program was started in the background.
  case startedInBackground(program: String)
  /// A command line must be run in the terminal (with `LauncherRequest.preparedCommand`).
  case runInTerminal(line: String)
  /// There is no program for the request, or the user declined it.
  case notStarted
  /// The program in the terminal has stopped. The job must stop, and another response follows when
  /// it continues.
  case stopped
  /// The started process has ended. The value is its exit status, or the negated number of the
  /// signal that ended it.
  case ended(Int32)

  /// The encoded message.
  var bytes: [UInt8] {
    switch self {
    case .done: LauncherCoding.encode(1, [])
    case .failed(let error): LauncherCoding.encode(2, ["\(error)"])
    case .startedInBackground(let program): LauncherCoding.encode(3, [program])
    case .runInTerminal(let line): LauncherCoding.encode(4, [line])
    case .notStarted: LauncherCoding.encode(5, [])
    case .stopped: LauncherCoding.encode(6, [])
    case .ended(let status): LauncherCoding.encode(7, ["\(status)"])
    }
  }

  /// Parses a message; returns nil if it is malformed.
  init?(_ bytes: [UInt8]) {
    guard let (kind, strings) = LauncherCoding.decode(bytes) else { return nil }
    switch (kind, strings.count) {
    case (1, 0): self = .done
    case (2, 1): self = .failed(Int32(strings[0]) ?? 0)
    case (3, 1): self = .startedInBackground(program: strings[0])
    case (4, 1): self = .runInTerminal(line: strings[0])
    case (5, 0): self = .notStarted
    case (6, 0): self = .stopped
    case (7, 1): self = .ended(Int32(strings[0]) ?? -1)
    default: return nil
    }
  }
}
