/// Mail with several parts: one message (`.eml`), or several separated by lines that begin with
/// `From ` (mbox, RFC 4155).
package struct Mailbox: Sendable {
  package private(set) var messages: [MIMEMessage] = []

  private static let separator = Array("From ".utf8)

  /// Returns whether bytes begin like a mailbox whose first message has several parts.
  package static func isBegun(by bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: separator), let end = bytes.firstIndex(of: 0x0A) else { return false }
    let head = MIMEHeader(bytes[(end + 1)...].prefix(1 << 14))
    return head.type.hasPrefix("multipart/") && head.boundary != nil && !head.mail.isEmpty
  }

  /// Creates a mailbox with one message.
  package init(_ message: MIMEMessage) {
    messages = [message]
  }

  /// Parses a mailbox, reading each line once.
  /// - Parameters:
  ///   - bytes: the mailbox.
  ///   - bounds: the limits.
  /// - Throws: the error of an exceeded limit.
  package init(
    mailbox bytes: [UInt8], bounds: ContainerBounds = ContainerBounds()
  ) throws(ContainerError) {
    guard Int64(bytes.count) <= bounds.size else {
      throw .tooLarge(path: "", limit: bounds.size)
    }
    var starts: [Int] = []
    var line = 0
    var isAfterBlank = true
    while line < bytes.count {
      let end = bytes[line...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
      if isAfterBlank, bytes[line..<end].starts(with: Self.separator) { starts.append(line) }
      isAfterBlank = bytes[line] == 0x0A || bytes[line] == 0x0D
      line = end
    }
    guard starts.count <= bounds.entries else { throw .tooManyEntries(limit: bounds.entries) }
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
      let first = bytes[start..<end].firstIndex(of: 0x0A).map { $0 + 1 } ?? end
      let message = Array(bytes[first..<end])
      do throws(ContainerError) {
        messages.append(try MIMEMessage(message, bounds: bounds))
      } catch {
        messages.append(MIMEMessage(text: message))
      }
    }
  }
}
