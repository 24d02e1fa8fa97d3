/// Mail: one message (`.eml`), or several separated by lines that begin with `From ` (mbox, RFC
/// 4155).
package struct Mailbox: Sendable {
  package private(set) var messages: [MIMEMessage] = []
  /// Whether the file has more messages than the limit; only the first ones are in `messages`.
  package private(set) var hasTooManyMessages = false

  private static let separator = Array("From ".utf8)

  /// The date in the first line of every patch that git writes (git-format-patch(1)). A file that
  /// begins with such a line is read as plain text, not as a mailbox.
  private static let patchDate = Array(" Mon Sep 17 00:00:00 2001".utf8)

  /// Returns whether bytes begin like a mailbox.
  package static func isFormat(of bytes: [UInt8]) -> Bool {
    let bytes = bytes.drop { $0 == 0x0A || $0 == 0x0D }
    guard let end = bytes.prefix(maxLineLength).firstIndex(of: 0x0A) else { return false }
    let head = MIMEHeader(bytes[(end + 1)...].prefix(1 << 14))
    if head.type.hasPrefix("multipart/"), head.boundary == nil { return false }
    if isPatchStart(bytes[..<end]), !head.type.hasPrefix("multipart/") { return false }
    return isSeparator(bytes[..<end], before: head)
  }

  /// Maximum length of a line that separates messages, in bytes.
  private static let maxLineLength = 1000

  /// Returns whether a line that begins with `From ` begins a message. A header of mail must follow
  /// the line, with at least one common field of mail if the line has a date, and otherwise with at
  /// least two. This is required because programs do not agree on the format of the line, and some
  /// do not escape such lines in the text of a message.
  private static func isSeparator(_ line: ArraySlice<UInt8>, before head: MIMEHeader) -> Bool {
    guard line.starts(with: separator), line.count <= maxLineLength else { return false }
    return head.mailFieldCount >= (hasDate(line) ? 1 : 2)
  }

  /// Returns whether a line begins a message although no empty line precedes it: it has a date or
  /// nothing after its first word, and a header with at least two common fields of mail follows
  /// directly.
  private static func isSeparator(
    _ line: ArraySlice<UInt8>, directlyBefore rest: ArraySlice<UInt8>
  ) -> Bool {
    guard line.count <= maxLineLength, isBareSeparator(line) || hasDate(line) else { return false }
    // The first 2 KB are enough, and limit the time for a text with many such lines.
    let start = rest.prefix(1 << 11)
    return MIMEHeader.isPossible(start.prefix { $0 != 0x0A })
      && MIMEHeader(start).mailFieldCount >= 2
  }

  /// Returns whether a line that begins with `From ` has neither a sender nor a date, as in some
  /// exports of Gmail.
  private static func isBareSeparator(_ line: ArraySlice<UInt8>) -> Bool {
    line.dropFirst(separator.count).allSatisfy { [0x20, 0x0A, 0x0D].contains($0) }
  }

  /// Returns whether a line begins a patch that git wrote.
  private static func isPatchStart(_ line: ArraySlice<UInt8>) -> Bool {
    var line = line
    while let last = line.last, last == 0x0A || last == 0x0D { line.removeLast() }
    return line.suffix(patchDate.count).elementsEqual(patchDate)
  }

  /// Returns whether a line has a time, a month and a year as in `Mon Jun  1 10:00:00 2026`.
  private static func hasDate(_ line: ArraySlice<UInt8>) -> Bool {
    let tokens = line.split { [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ",")].contains($0) }
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    return tokens.contains { months.contains(Array($0.prefix(3))) }
      && tokens.contains { $0.count == 4 && $0.allSatisfy(isDigit) }
      && tokens.contains { word in
        word.contains(UInt8(ascii: ":")) && word.allSatisfy { isDigit($0) || $0 == 0x3A }
      }
  }

  /// Returns a message without the first `>` of each line that begins with one or more `>` and
  /// `From `. Programs insert this character so that the line does not begin a message (mboxrd).
  private static func unquoted(_ message: ArraySlice<UInt8>) -> [UInt8] {
    let mark = UInt8(ascii: ">")
    var result: [UInt8] = []
    result.reserveCapacity(message.count)
    var line = message.startIndex
    while line < message.endIndex {
      let end = message[line...].firstIndex(of: 0x0A).map { $0 + 1 } ?? message.endIndex
      let isQuoted =
        message[line] == mark
        && message[line..<end].drop { $0 == mark }.starts(with: separator)
      result += message[(isQuoted ? line + 1 : line)..<end]
      line = end
    }
    return result
  }

  private static let months = Set(
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
      .map { Array($0.utf8) })

  /// Creates a mailbox with one message.
  package init(_ message: MIMEMessage) {
    messages = [message]
  }

  /// Parses a mailbox, reading each line once.
  /// - Parameters:
  ///   - bytes: the mailbox.
  ///   - bounds: the limits.
  /// - Throws: `ContainerError.tooLarge`.
  package init(
    mailbox bytes: [UInt8], bounds: ContainerBounds = ContainerBounds()
  ) throws(ContainerError) {
    guard Int64(bytes.count) <= bounds.maxSize else {
      throw .tooLarge(path: "", limit: bounds.maxSize)
    }
    let (starts, lastEnd) = messageStarts(in: bytes, maxCount: bounds.maxEntries)
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : lastEnd
      let first = bytes[start..<end].firstIndex(of: 0x0A).map { $0 + 1 } ?? end
      let message = Self.unquoted(bytes[first..<end])
      do throws(ContainerError) {
        messages.append(try MIMEMessage(message, bounds: bounds, isMail: true))
      } catch {
        messages.append(MIMEMessage(text: message))
      }
    }
  }

  /// Returns the offsets of the separator lines, and the end of the last message, where reading
  /// stopped. Sets `hasTooManyMessages`.
  private mutating func messageStarts(
    in bytes: [UInt8], maxCount: Int
  ) -> (starts: [Int], end: Int) {
    var starts: [Int] = []
    var line = 0
    var isAfterBlank = true
    // In a mailbox that does not begin with a patch, patches are parts of messages.
    var isPatchSeries = true
    while line < bytes.count {
      let end = bytes[line...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
      let text = bytes[line..<end]
      if text.starts(with: Self.separator), isPatchSeries || !Self.isPatchStart(text) {
        // A file that is declared as a mailbox has a message at its beginning.
        let beginsMessage =
          isAfterBlank
          ? starts.isEmpty || Self.isSeparator(text, before: MIMEHeader(bytes[end...]))
          : !starts.isEmpty && Self.isSeparator(text, directlyBefore: bytes[end...])
        if beginsMessage {
          if starts.isEmpty { isPatchSeries = Self.isPatchStart(text) }
          hasTooManyMessages = starts.count == maxCount
          if hasTooManyMessages { break }
          starts.append(line)
        }
      }
      isAfterBlank = bytes[line] == 0x0A || bytes[line] == 0x0D
      line = end
    }
    return (starts, line)
  }
}
