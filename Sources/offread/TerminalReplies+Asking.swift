import Platform
import Foundation
import Terminal

extension TerminalReplies {
  /// Queries the terminal of the process.
  /// - Parameter seconds: maximum time to wait for the responses.
  /// - Returns: the responses received in time; nil if there is no terminal.
  static func queryTerminal(within seconds: Double = 1) -> TerminalReplies? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    var old = termios()
    guard tcgetattr(terminal, &old) == 0 else { return nil }
    var raw = old
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard tcsetattr(terminal, TCSAFLUSH, &raw) == 0 else { return nil }
    defer { tcsetattr(terminal, TCSAFLUSH, &old) }
    guard OutputDescriptor(terminal).write(Array(queries.utf8)) == 0 else { return nil }
    var bytes: [UInt8] = []
    let end = Date() + seconds
    while !TerminalReplies(bytes).isComplete, bytes.count < maxLength {
      var polled = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      let left = end.timeIntervalSinceNow
      guard left > 0, poll(&polled, 1, Int32(left * 1000)) > 0 else { break }
      var buffer = [UInt8](repeating: 0, count: 512)
      let count = read(terminal, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return TerminalReplies(bytes)
  }
}
