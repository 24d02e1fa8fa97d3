import Platform
import Foundation

/// The file that a signal's handler removes. Unsafe, because a handler may take no lock: it is set
/// before the handlers are installed, and never freed while they are.
private nonisolated(unsafe) var pathToRemove: UnsafeMutablePointer<CChar>?

/// A file under a name of its own until it is complete; gone when that never happens, also when a
/// signal ends the program. There is one at a time.
final class PartialFile {
  /// What the file is called for now.
  let path: String
  private var previous: [(signal: Int32, action: sigaction)] = []

  /// Watches over a file that is to be called `destination`.
  init(for destination: String) {
    path = "\(destination).\(getpid()).part"
    pathToRemove = strdup(path)
    var action = sigaction()
    action.handler = Self.removeAndEnd
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var former = sigaction()
      sigaction(number, nil, &former)
      // What was ignored from the start (nohup) stays so.
      if Interruption.isIgnored(former) { continue }
      sigaction(number, &action, nil)
      previous.append((number, former))
    }
  }

  deinit {
    for (number, action) in previous {
      var action = action
      sigaction(number, &action, nil)
    }
    // What is complete has another name by now.
    unlink(path)
    free(pathToRemove)
    pathToRemove = nil
  }

  /// Gives the complete file its name.
  /// - Returns: whether that worked; `errno` says why not.
  func complete(as destination: String) -> Bool {
    rename(path, destination) == 0
  }

  /// Only async-signal-safe calls: the signal ends the process when the handler returns.
  private static let removeAndEnd: @convention(c) (Int32) -> Void = { number in
    if let pathToRemove { unlink(pathToRemove) }
    signal(number, SIG_DFL)
    raise(number)
  }
}
