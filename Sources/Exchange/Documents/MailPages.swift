package import Containers
import DOM
import Document
package import Formats
import Foundation
import ReaderMode

/// Writes mail as one HTML page: for each message the sender, the date and the subject, its texts
/// in their order, the names of the attachments, and the forwarded messages. If a text has several
/// forms, the page contains only one of them, which is HTML if there is an HTML form.
package struct MailPages {
  /// The page, or an attachment.
  package struct Item {
    /// The content.
    package var bytes: [UInt8]
    /// The media type of the content.
    package var type: MediaType
    /// Messages for the user.
    package var notices: [String] = []
  }

  /// The title of a message without a subject.
  private let name: String
  private let mailbox: Mailbox
  /// Returns the URL of a path in the mail; nil if attachments have no URLs.
  private let attachmentURL: ((String) -> String)?

  /// The notice for a file with more parts or messages than the limit.
  package static let limitNotice = "the file has too many parts: only the first ones are shown"

  /// Maximum depth of forwarded messages within one another.
  private static let maxDepth = 8

  /// Creates the page of a mailbox.
  /// - Parameters:
  ///   - name: the title of a message without a subject.
  ///   - mailbox: the messages.
  ///   - attachmentURL: returns the URL of a path in the mail; nil if attachments have no URLs.
  package init(name: String, mailbox: Mailbox, attachmentURL: ((String) -> String)?) {
    (self.name, self.mailbox, self.attachmentURL) = (name, mailbox, attachmentURL)
  }

  /// Returns the page, or an attachment.
  /// - Parameter partPath: empty for the page with all messages, otherwise the index of a part,
  ///   counted through all messages; for a part of a forwarded message, followed by a slash and its
  ///   path in that message.
  /// - Returns: the content with its media type.
  /// - Throws: `ContainerError.missing` if there is no such part.
  package func item(at partPath: String) throws(ContainerError) -> Item {
    guard partPath.isEmpty else { return try part(at: partPath) }
    var html = "<!DOCTYPE html>"
    if let message = mailbox.messages.first {
      let subject = Self.subject(of: message)
      html += "<title>\(Markup.escapedLine(subject.isEmpty ? name : subject))</title>"
    }
    var firstPartNumber = 0
    for message in mailbox.messages {
      write(message, parts: firstPartNumber, to: &html)
      firstPartNumber += message.parts.count
    }
    var notices: [String] = []
    if mailbox.messages.contains(where: \.isTruncated) {
      notices.append("the file is truncated: the part that could be read is shown")
    }
    if mailbox.hasTooManyMessages || mailbox.messages.contains(where: \.hasTooManyParts) {
      notices.append(Self.limitNotice)
    }
    if mailbox.messages.contains(where: \.isUndivided) {
      notices.append("the parts of the mail cannot be separated: its source text is shown")
    }
    return Item(
      bytes: Array(html.utf8), type: MediaType("text/html; charset=utf-8"),
      notices: notices)
  }

  private func part(at partPath: String) throws(ContainerError) -> Item {
    let components = partPath.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard var number = Int(components[0]), number >= 0 else { throw .missing(path: partPath) }
    for message in mailbox.messages {
      if message.parts.indices.contains(number) {
        let part = message.parts[number]
        let level = partPath.utf8.count { $0 == UInt8(ascii: "/") }
        if level < Self.maxDepth,
          let forwarded = Self.forwarded(part, message.content(of: part))
        {
          return try pages(of: forwarded, at: String(components[0]))
            .item(at: components.count > 1 ? String(components[1]) : "")
        }
        guard components.count == 1 else { throw .missing(path: partPath) }
        return Item(bytes: message.content(of: part), type: MediaType(part.type))
      }
      number -= message.parts.count
    }
    throw .missing(path: partPath)
  }

  /// Returns the pages of a forwarded message, whose path in this mail is `path`.
  private func pages(of message: MIMEMessage, at path: String) -> MailPages {
    MailPages(
      name: name, mailbox: Mailbox(message),
      attachmentURL: attachmentURL.map { outer in { outer("\(path)/\($0)") } })
  }

  /// Returns the subject of a message, decoded, or empty.
  private static func subject(of message: MIMEMessage) -> String {
    message.mail.first { $0.name == "Subject" }.map { decoded($0.value) } ?? ""
  }

  /// Writes a message.
  /// - Parameters:
  ///   - message: the message.
  ///   - firstNumber: the number of its first part among the parts of all messages.
  ///   - level: the number of messages that it is nested in.
  ///   - html: the page.
  private func write(
    _ message: MIMEMessage, parts firstNumber: Int, level: Int = 0, to html: inout String
  ) {
    let subject = Self.subject(of: message)
    if level == 0 || !subject.isEmpty {
      let element = "h\(min(6, level + 1))"
      html += "<\(element)>\(Markup.escapedLine(subject.isEmpty ? name : subject))</\(element)>"
    }
    let fields = message.mail.filter { $0.name != "Subject" }.map {
      "\($0.name): \(Markup.escapedLine(Self.decoded($0.value)))"
    }
    // The content of a signed message has no such header fields.
    if level == 0 || !fields.isEmpty { html += "<p>\(fields.joined(separator: "<br>"))</p><hr>" }
    let shownParts = Self.shownParts(of: message)
    let referencedContentIDs = writeText(of: shownParts, in: message, to: &html)
    if shownParts.isEmpty, message.parts.contains(where: Self.isEncrypted) {
      html += "<p><em>This message is encrypted.</em></p>"
    }
    let groups = Set(shownParts.map { message.parts[$0].alternativesGroup })
    let shownIndices = Set(shownParts)
    let attachmentIndices = message.parts.indices.filter { index in
      let part = message.parts[index]
      // Another form of a text that is shown is not an attachment.
      let isInShownGroup = part.alternativesGroup > 0 && groups.contains(part.alternativesGroup)
      return !shownIndices.contains(index) && !referencedContentIDs.contains(part.id)
        && !(isInShownGroup && !part.isAttachment && Self.isAlternative(part))
    }
    guard !attachmentIndices.isEmpty else { return }
    let attachments = writeAttachments(
      attachmentIndices, of: message, parts: firstNumber, hasText: !shownParts.isEmpty, to: &html)
    for (index, forwarded) in attachments where level < Self.maxDepth {
      html += "<hr>"
      pages(of: forwarded, at: String(firstNumber + index))
        .write(forwarded, parts: 0, level: level + 1, to: &html)
    }
  }

  /// Writes the text of parts of a message.
  /// - Returns: the content ids of the parts that the text refers to.
  private func writeText(
    of shownParts: [Int], in message: MIMEMessage, to html: inout String
  ) -> Set<String> {
    var referencedContentIDs: Set<String> = []
    for index in shownParts {
      let part = message.parts[index]
      var text = Self.text(of: part, in: message)
      if part.type.lowercased().hasPrefix("text/enriched") { text = EnrichedText.plainText(text) }
      if Self.isHTML(part) {
        html += "<div>" + text + Self.closingTags(of: text) + "</div>"
        referencedContentIDs.formUnion(Self.referencedContentIDs(in: text))
      } else {
        var plainText = ClearSignedText.unescaped(Array(text.utf8))
        if part.isFlowed {
          let flowedFormat = FlowedFormat(deletesTrailingSpace: part.dropsSpace)
          plainText = FlowedText.unwrapped(plainText, by: flowedFormat)
        }
        html += Self.paragraphs(of: String(decoding: plainText, as: UTF8.self))
      }
    }
    return referencedContentIDs
  }

  /// Writes the names of attachments, with the texts among them.
  /// - Parameters:
  ///   - indices: the indices of the attachments.
  ///   - message: the message.
  ///   - firstNumber: the number of its first part among the parts of all messages.
  ///   - hasText: whether the message itself has a text.
  ///   - html: the page.
  /// - Returns: the messages among the attachments.
  private func writeAttachments(
    _ indices: [Int], of message: MIMEMessage, parts firstNumber: Int, hasText: Bool,
    to html: inout String
  ) -> [(index: Int, message: MIMEMessage)] {
    var messages: [(index: Int, message: MIMEMessage)] = []
    html += "<hr><p>Attached:</p><ul>"
    var remainingTextLength = Self.maxAttachedTextLength
    for index in indices {
      let part = message.parts[index]
      let type = MediaType(part.type).essence
      let content = message.content(of: part)
      let forwarded = Self.forwarded(part, content)
      let name = SafeText.line(Self.decoded(Self.name(of: part, forwarded)))
      let label = Markup.escapedLine(name.isEmpty ? type : name)
      let url = attachmentURL?(String(firstNumber + index))
      let link = url.map { "<a href=\"\(Markup.escaped($0))\">\(label)</a>" }
      html += "<li>\(link ?? label) "
      let size = CountFormatter.byteCountText(content.count)
      html += Markup.escapedLine(name.isEmpty ? "(\(size))" : "(\(type), \(size))")
      if let forwarded {
        messages.append((index, forwarded))
      } else if Self.isShownText(part, type), content.count <= remainingTextLength {
        remainingTextLength -= content.count
        let text = Self.text(of: part, in: message)
        let shownText =
          switch type {
          // The text of an invitation usually repeats the description of the event.
          case "text/calendar": CalendarSummary.text(of: text, includesDescriptions: !hasText)
          case "text/rfc822-headers", "message/global-headers": Self.decoded(text)
          default: text
          }
        if let shownText { html += "<pre>\n" + Markup.escaped(shownText) + "</pre>" }
      }
      html += "</li>"
    }
    html += "</ul>"
    return messages
  }

  /// Returns the content IDs (RFC 2392) that HTML refers to, without empty ones.
  private static func referencedContentIDs(in html: String) -> Set<String> {
    var ids: Set<String> = []
    var rest = html.utf8[...]
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      let isReference = rest[..<colon].suffix(3).map { $0 | 0x20 }.elementsEqual("cid".utf8)
      rest = rest[rest.index(after: colon)...]
      guard isReference else { continue }
      let written = rest.prefix { $0 > 0x20 && !"\"'<>()".utf8.contains($0) }
      guard let id = String(written)?.withoutCharacterReferences, !id.isEmpty else { continue }
      ids.insert(id)
      if let decoded = id.removingPercentEncoding { ids.insert(decoded) }
    }
    return ids
  }

  /// Returns the name of an attachment: its file name, or the subject of a forwarded message.
  private static func name(of part: MIMEMessage.Part, _ forwarded: MIMEMessage?) -> String {
    guard part.fileName.isEmpty, let forwarded else { return part.fileName }
    return forwarded.mail.first { $0.name == "Subject" }?.value ?? ""
  }

  /// Maximum number of bytes of the attached texts that are shown with a message.
  private static let maxAttachedTextLength = 1 << 16

  /// Whether an attachment is text that is shown below its name, such as a patch or a report about
  /// the delivery of a mail.
  private static func isShownText(_ part: MIMEMessage.Part, _ type: String) -> Bool {
    shownMessageTypes.contains(type)
      || type.hasPrefix("text/") && !isHTML(part) && type != "text/rtf"
  }

  /// Types of messages whose content is text (RFC 3464, 8098, 5965, 6533). A message that cannot be
  /// parsed is shown as text too.
  private static let shownMessageTypes: Set<String> = [
    "message/delivery-status", "message/disposition-notification", "message/feedback-report",
    "message/global-delivery-status", "message/global-disposition-notification",
    "message/global-headers", "message/rfc822", "message/global",
  ]

  /// Whether a part announces or contains an encrypted message (RFC 3156, RFC 8551).
  private static func isEncrypted(_ part: MIMEMessage.Part) -> Bool {
    switch MediaType(part.type).essence {
    case "application/pgp-encrypted": true
    case "application/pkcs7-mime", "application/x-pkcs7-mime":
      part.type.lowercased().contains("enveloped-data")
    default: false
    }
  }

  /// Returns the message that a part contains: a forwarded message, or the content of a signed
  /// message (S/MIME, RFC 8551); nil if the part is not a message.
  private static func forwarded(_ part: MIMEMessage.Part, _ content: [UInt8]) -> MIMEMessage? {
    if ["application/pkcs7-mime", "application/x-pkcs7-mime"]
      .contains(MediaType(part.type).essence)
    {
      return SignedContent.content(of: content).flatMap { try? MIMEMessage($0, isMail: true) }
    }
    guard ["message/rfc822", "message/global"].contains(MediaType(part.type).essence),
      let message = try? MIMEMessage(content, isMail: true), !message.mail.isEmpty
    else { return nil }
    return message
  }

  /// Whether a part of `multipart/alternative` contains the same text as the other parts, in
  /// another format. An invitation (`text/calendar`), for example, does not.
  private static func isAlternative(_ part: MIMEMessage.Part) -> Bool {
    isHTML(part)
      || ["text/plain", "text/enriched", "text/richtext", "text/x-amp-html", "text/watch-html"]
        .contains(MediaType(part.type).essence)
      || isMarkdown(part)
  }

  /// Whether a part is Markdown, which is shown as plain text.
  private static func isMarkdown(_ part: MIMEMessage.Part) -> Bool {
    ["text/markdown", "text/x-markdown"].contains(MediaType(part.type).essence)
  }

  /// Whether a part has text or images. A long part is assumed to have some.
  private static func hasText(_ part: MIMEMessage.Part, in message: MIMEMessage) -> Bool {
    let bytes = message.content(of: part)
    guard bytes.count < 1 << 16 else { return true }
    guard isHTML(part) else { return bytes.contains(where: { $0 > 0x20 }) }
    let document = Document(bytes: bytes, mediaType: "text/html", charset: part.charset, url: "")
    return !document.images.isEmpty || document.text.contains(where: { $0 > 0x20 })
  }

  /// Returns the indices of the parts that are shown as text, in their order. Of several
  /// alternatives with text, only the one in HTML is shown, or else the last one, with the other
  /// texts of the `multipart/mixed` entity that it is in. A page that is the whole message is shown
  /// although it is an attachment.
  private static func shownParts(of message: MIMEMessage) -> [Int] {
    var chosen: [Int: Int] = [:]
    let texts = message.parts.indices.filter { index in
      let part = message.parts[index]
      let type = part.type.lowercased()
      return (!part.isAttachment || message.parts.count == 1 && isHTML(part))
        && (isHTML(part) || type.isEmpty || type.hasPrefix("text/plain")
          || type.hasPrefix("text/enriched") || isMarkdown(part))
    }
    for index in texts where message.parts[index].alternativesGroup > 0 {
      let group = message.parts[index].alternativesGroup
      if chosen[group] != nil, !hasText(message.parts[index], in: message) { continue }
      if let other = chosen[group], isHTML(message.parts[other]) { continue }
      chosen[group] = index
    }
    return texts.filter { index in
      let part = message.parts[index]
      guard part.alternativesGroup > 0, let choice = chosen[part.alternativesGroup] else {
        return true
      }
      return choice == index
        || part.mixedEntityNumber > 0
          && part.mixedEntityNumber == message.parts[choice].mixedEntityNumber
    }
  }

  private static func isHTML(_ part: MIMEMessage.Part) -> Bool {
    part.type.lowercased().hasPrefix("text/html")
  }

  private static func text(of part: MIMEMessage.Part, in message: MIMEMessage) -> String {
    let bytes = message.content(of: part)
    var encoding = CharacterEncoding.detect(bytes, charset: part.charset, isMarkup: isHTML(part))
    if let declared = part.charset.flatMap({ CharacterEncoding(mailCharset: $0) }),
      encoding != .utf8 || bytes.allSatisfy({ $0 < 0x80 })
    {
      encoding = declared
    }
    return String(decoding: encoding.decode(bytes), as: UTF8.self)
  }

  /// Returns end tags for the elements that may be left open at the end of an HTML text and would
  /// then contain the text that follows.
  private static func closingTags(of text: String) -> String {
    let comment = text.range(of: "<!--", options: .backwards)
    let isOpen = comment.map { text[$0.upperBound...].range(of: "-->") == nil } ?? false
    return (isOpen ? "-->" : "")
      + "</script></style></textarea></title></noscript></iframe></xmp></template></select></table>"
  }

  /// Returns plain text as HTML, with its paragraphs, lines and links.
  private static func paragraphs(of text: String) -> String {
    var html = "<p>"
    var isBlank = true
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: isLineBreak) {
      if line.allSatisfy(\.isWhitespace) {
        if !isBlank { html += "</p><p>" }
        isBlank = true
        continue
      }
      if !isBlank { html += "<br>" }
      isBlank = false
      html += markup(ofLine: line)
    }
    return html + "</p>"
  }

  /// Returns whether a character is a line break. CR LF, which ends the lines of mail, is a single
  /// character.
  private static func isLineBreak(_ character: Character) -> Bool {
    character == "\n" || character == "\r\n"
  }

  /// Returns a line as HTML. Its indentation and its columns, which are separated by tabs or
  /// several spaces, are kept; the wide space after a sentence is not.
  private static func markup(ofLine line: Substring) -> String {
    var html = ""
    var column = 0
    var spaceCount = 0
    var last: Character = " "
    var word = ""
    func writeWord() {
      guard !word.isEmpty else { return }
      if html.isEmpty {
        html += String(repeating: "&nbsp;", count: min(spaceCount, maxSpaceCount))
      } else {
        let isSentenceEnd = spaceCount == 2 && ".!?:".contains(last)
        let count = isSentenceEnd ? 0 : min(spaceCount, maxSpaceCount) - 1
        html += String(repeating: "&nbsp;", count: count) + " "
      }
      html += linked(word)
      last = word.last ?? " "
      word = ""
      spaceCount = 0
    }
    for character in line {
      let width = character == "\t" ? tabWidth - column % tabWidth : 1
      column += width
      if character == " " || character == "\t" {
        writeWord()
        spaceCount += width
      } else {
        word.append(character)
      }
    }
    writeWord()
    return html
  }

  private static let tabWidth = 8
  /// The maximum number of successive spaces that are kept. A tab, which is one byte in the mail,
  /// would otherwise become 48 bytes.
  private static let maxSpaceCount = 200

  /// Returns a word with its web URLs as links.
  private static func linked(_ word: String) -> String {
    let bytes = Array(word.utf8)
    func text(_ range: Range<Int>) -> String {
      Markup.escaped(String(decoding: bytes[range], as: UTF8.self))
    }
    var html = ""
    var start = 0
    while let link = PlainTextURLs.nextLink(in: bytes, start..<bytes.count) {
      html += text(start..<link.range.lowerBound)
      html += "<a href=\"\(Markup.escaped(link.target))\">\(text(link.range))</a>"
      start = link.range.upperBound
    }
    return html + text(start..<bytes.count)
  }

  /// Returns the value of a header field with its encoded words (RFC 2047) decoded.
  package static func decoded(_ value: String) -> String {
    var result = ""
    var rest = Substring(value)
    // The bytes of the encoded words before `rest`. A character may be divided between two words,
    // although it must not be.
    var openWords: (encoding: CharacterEncoding, bytes: [UInt8])?
    func closed() -> String {
      defer { openWords = nil }
      return openWords.map { String(decoding: $0.encoding.decode($0.bytes), as: UTF8.self) } ?? ""
    }
    while let start = rest.range(of: "=?") {
      let textBeforeWord = rest[..<start.lowerBound]
      let parts = rest[start.upperBound...].split(
        separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
      guard parts.count == 4, parts[3].hasPrefix("="), let word = parseEncodedWord(parts) else {
        result += closed() + textBeforeWord + "=?"
        rest = rest[start.upperBound...]
        continue
      }
      // White space between two encoded words is not part of the text.
      let isAdjacent = openWords != nil && textBeforeWord.allSatisfy(\.isWhitespace)
      if isAdjacent, openWords?.encoding == word.encoding {
        openWords?.bytes += word.bytes
      } else {
        result += closed() + (isAdjacent ? "" : textBeforeWord)
        openWords = word
      }
      rest = parts[3].dropFirst()
    }
    return result + closed() + rest
  }

  /// Parses the parts of an encoded word (RFC 2047); nil if the transfer encoding is neither `B`
  /// nor `Q`. The encoding of an unknown charset is detected from the bytes.
  private static func parseEncodedWord(
    _ parts: [Substring]
  ) -> (encoding: CharacterEncoding, bytes: [UInt8])? {
    let label = parts[0].prefix { $0 != "*" }
    let written = Array(parts[2].utf8)
    let bytes: [UInt8]
    switch parts[1].lowercased() {
    case "b": bytes = TransferEncoding.base64(written[...])
    case "q":
      bytes = TransferEncoding.quotedPrintable(
        written.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }[...])
    default: return nil
    }
    // Programs write labels such as `x-unknown` and `unknown-8bit`.
    let encoding =
      CharacterEncoding(mailCharset: label) ?? CharacterEncoding(label: label.utf8)
      ?? CharacterEncoding.detect(bytes, charset: nil, isMarkup: false)
    return (encoding, bytes)
  }
}
