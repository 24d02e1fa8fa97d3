import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file under a name of its own until it is complete; gone when that never happens, also when a
/// signal ends the program.
final class PartialFile {
  /// What the file is called for now.
  let path: String
  private let sources: [any DispatchSourceSignal]

  /// Watches over a file that is to be called `destination`.
  init(for destination: String) {
    let path = "\(destination).\(getpid()).part"
    self.path = path
    sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
      let previous = signal(number, SIG_IGN)
      // What was ignored from the start (nohup) stays so.
      guard unsafeBitCast(previous, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) else {
        return nil
      }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        unlink(path)
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
    // What is complete has another name by now.
    unlink(path)
  }

  /// Gives the complete file its name.
  /// - Returns: whether that worked; `errno` says why not.
  func complete(as destination: String) -> Bool {
    rename(path, destination) == 0
  }
}
