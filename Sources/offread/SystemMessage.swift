import Foundation

/// The message of the operating system for the last error.
enum SystemMessage {
  static var last: String { String(cString: strerror(errno)) }
}
