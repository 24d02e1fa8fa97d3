import Document
import Foundation
package import Logging
import Platform
import Synchronization

/// A log handler that appends each event of the cache to a file, one line per event.
package struct RequestLog: LogHandler {
  package var metadata: Logger.Metadata = [:]
  package var logLevel = Logger.Level.debug

  private let file: LogFile

  private init(_ file: LogFile) {
    self.file = file
  }

  /// Creates a logger that appends to a file.
  static func logger(to file: LogFile) -> Logger { Logger(label: "offread") { _ in Self(file) } }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let merged = metadata.merging(event.metadata ?? [:]) { $1 }
    let details = merged.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    let date = Date().formatted(.iso8601)
    let text = SafeText.line(SafeText.withoutCredentials(inText: "\(event.message)\(details)"))
    file.append("\(date) \(event.level) \(text)\n")
  }

  /// The open file. Its lock ensures that each line is written as a whole.
  final class LogFile: Sendable {
    private struct State {
      /// The reason why a line could not be written; nil if there is none.
      var failure: String?
      var isFailureReported = false
    }

    private let descriptor: Int32
    private let state: Mutex<State>

    /// Opens a file, and creates it if it does not exist.
    init(_ path: String) {
      descriptor = path.withPath { open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
      state = Mutex(State(failure: descriptor < 0 ? String(cString: strerror(errno)) : nil))
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func append(_ line: String) {
      guard descriptor >= 0 else { return }
      state.withLock { state in
        var rest = Array(line.utf8)[...]
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
          if count < 0, errno == EINTR { continue }
          guard count > 0 else {
            state.failure = String(cString: strerror(errno))
            return
          }
          rest = rest.dropFirst(count)
        }
      }
    }

    /// Returns, once, the reason why a line is missing; nil if there is none.
    func takeFailure() -> String? {
      state.withLock { state in
        guard let failure = state.failure, !state.isFailureReported else { return nil }
        state.isFailureReported = true
        return failure
      }
    }
  }
}
