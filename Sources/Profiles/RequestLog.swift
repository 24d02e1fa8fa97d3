import Document
import Foundation
package import Logging
import Synchronization

/// A log handler that appends each event of the cache to a file, one line per event.
package struct RequestLog: LogHandler {
  package var metadata: Logger.Metadata = [:]
  package var logLevel = Logger.Level.debug

  private let file: LogFile

  private init(_ file: LogFile) {
    self.file = file
  }

  /// Creates a logger that appends to a file. If the file cannot be opened, nothing is logged.
  package static func logger(path: String) -> Logger {
    let file = LogFile(path)
    return Logger(label: "offread") { _ in RequestLog(file) }
  }

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
  private final class LogFile: Sendable {
    private let handle: Mutex<FileHandle?>

    init(_ path: String) {
      let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      handle = Mutex(
        descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    func append(_ line: String) {
      handle.withLock { try? $0?.write(contentsOf: Data(line.utf8)) }
    }
  }
}
