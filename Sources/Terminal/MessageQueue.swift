import Platform
import Synchronization

/// A queue of messages from any thread for the main thread, which is woken by a byte in a pipe.
package final class MessageQueue<Message: Sendable>: Sendable {
  /// The read end of the pipe: readable if a message or a signal is pending.
  package let wakeReadDescriptor: Int32
  /// The write end of the pipe, to which signal handlers write signal numbers, and `post` writes 0.
  package let wakeWriteDescriptor: Int32
  private let messages = Mutex<[Message]>([])

  /// Creates a queue; nil if no file descriptors are available.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    wakeReadDescriptor = ends[0]
    wakeWriteDescriptor = ends[1]
  }

  deinit {
    close(wakeReadDescriptor)
    close(wakeWriteDescriptor)
  }

  /// Enqueues a message. May be called from any thread.
  package func post(_ message: Message) {
    let isFirst = messages.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    guard isFirst else { return }
    var byte: UInt8 = 0
    while write(wakeWriteDescriptor, &byte, 1) < 0, errno == EINTR {}
  }

  /// Removes and returns all messages and the numbers of the signals received.
  package func drain() -> (messages: [Message], signals: [Int32]) {
    var bytes = [UInt8](repeating: 0, count: 256)
    var signals: [Int32] = []
    while true {
      let count = read(wakeReadDescriptor, &bytes, bytes.count)
      if count > 0 {
        for byte in bytes[..<count] where byte != 0 && !signals.contains(Int32(byte)) {
          signals.append(Int32(byte))
        }
      } else if count == 0 || errno != EINTR {
        break
      }
    }
    let taken = messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
    return (taken, signals)
  }
}
