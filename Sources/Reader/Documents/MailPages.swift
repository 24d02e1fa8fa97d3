import Containers
import DOM
import Document
import Formats
import ReaderMode
import Foundation

/// Mail as one page: of each message who wrote it, when and about what, its texts in their order, and the names of
/// what is attached. Of several forms of one text the page has one, HTML where there is that.
struct MailPages {
  /// What it is called where it has no subject.
  let name: String
  let mailbox: Mailbox
  /// The address of a path in it; nil where what is attached has none.
  let address: ((String) -> String)?

  /// Messages forwarded in one another are opened at most so deep.
  private static let mostLevels = 8

  /// What is shown for a path in the file.
  /// - Parameter inner: empty for all messages, else the number of a part, counted through all of them.
  /// - Returns: the item.
  /// - Throws: `ContainerError`.
  func item(at inner: String) throws(ContainerError) -> DocumentFile.Item {
    guard inner.isEmpty else {
      let path = inner.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard var number = Int(path[0]), number >= 0 else { throw .missing(path: inner) }
      for message in mailbox.messages {
        if message.parts.indices.contains(number) {
          let part = message.parts[number]
          let level = inner.utf8.count { $0 == UInt8(ascii: "/") }
          if Self.isMessage(part), level < Self.mostLevels,
            let forwarded = try? MIMEMessage(message.content(of: part)), !forwarded.mail.isEmpty
          {
            let outer = address
            return try MailPages(name: name, mailbox: Mailbox(forwarded)) {
              outer?("\(path[0])/\($0)") ?? ""
            }.item(at: path.count > 1 ? String(path[1]) : "")
          }
          guard path.count == 1 else { throw .missing(path: inner) }
          return DocumentFile.Item(bytes: message.content(of: part), type: MediaType(part.type))
        }
        number -= message.parts.count
      }
      throw .missing(path: inner)
    }
    var html = "<!DOCTYPE html>"
    var first = 0
    for message in mailbox.messages {
      write(message, parts: first, to: &html)
      first += message.parts.count
    }
    var notices: [String] = []
    if mailbox.messages.contains(where: \.isCut) {
      notices.append("the file ends in the middle: what could be read of it is shown")
    }
    if mailbox.messages.contains(where: \.isUndivided) {
      notices.append("the parts of the mail cannot be told apart: its text is shown as it is")
    }
    return DocumentFile.Item(
      bytes: Array(html.utf8), type: MediaType("text/html; charset=utf-8"),
      notices: notices)
  }

  private func write(_ message: MIMEMessage, parts first: Int, to html: inout String) {
    let subject = message.mail.first { $0.name == "Subject" }.map { Self.words($0.value) } ?? ""
    let title = Markup.line(subject.isEmpty ? name : subject)
    if first == 0 { html += "<title>\(title)</title>" }
    html += "<h1>\(title)</h1><p>"
    html += message.mail.filter { $0.name != "Subject" }.map {
      "\($0.name): \(Markup.line(Self.words($0.value)))"
    }.joined(separator: "<br>")
    html += "</p><hr>"
    let shown = Self.shown(of: message)
    var isNamed: Set<Int> = []
    for index in shown {
      let part = message.parts[index]
      let text = Self.text(of: part, in: message)
      if Self.isHTML(part) {
        html += "<div>" + text + Self.end(of: text) + "</div>"
        for (other, each) in message.parts.enumerated()
        where !each.id.isEmpty && text.contains("cid:" + each.id) {
          isNamed.insert(other)
        }
      } else {
        let rule = LineFlow(dropsSpace: part.dropsSpace)
        html += Self.paragraphs(
          of: part.isFlowed
            ? String(decoding: FlowedText.plain(Array(text.utf8), by: rule), as: UTF8.self) : text)
      }
    }
    let groups = Set(shown.map { message.parts[$0].alternatives })
    let rest = message.parts.indices.filter { index in
      let part = message.parts[index]
      // Another form of a text that is shown is none of what is attached.
      let isForm = part.alternatives > 0 && groups.contains(part.alternatives)
      return !shown.contains(index) && !isNamed.contains(index)
        && !(isForm && !part.isAttachment && Self.isOtherForm(part))
    }
    guard !rest.isEmpty else { return }
    html += "<hr><p>Attached:</p><ul>"
    for index in rest {
      let part = message.parts[index]
      let type = MediaType(part.type).essence
      let content = message.content(of: part)
      let name = SafeText.line(Self.words(Self.name(of: part, content)))
      let words = Markup.line(name.isEmpty ? type : name)
      let url = address?(String(first + index))
      let link = url.map { "<a href=\"\(Markup.escaped($0))\">\(words)</a>" }
      html += "<li>\(link ?? words) "
      let size = ByteCount.text(content.count)
      html += Markup.line(name.isEmpty ? "(\(size))" : "(\(type), \(size))") + "</li>"
    }
    html += "</ul>"
  }

  /// What an attached part is called: as it says, or, of a message, what that is about.
  private static func name(of part: MIMEMessage.Part, _ content: [UInt8]) -> String {
    guard part.fileName.isEmpty, isMessage(part) else { return part.fileName }
    let mail = (try? MIMEMessage(content))?.mail
    return mail?.first { $0.name == "Subject" }?.value ?? ""
  }

  private static func isMessage(_ part: MIMEMessage.Part) -> Bool {
    ["message/rfc822", "message/global"].contains(MediaType(part.type).essence)
  }

  /// Whether a part is a form of a text as which nothing but its look is lost: an invitation, say, is none.
  private static func isOtherForm(_ part: MIMEMessage.Part) -> Bool {
    isHTML(part)
      || ["text/plain", "text/enriched", "text/richtext", "text/x-amp-html", "text/watch-html"]
        .contains(MediaType(part.type).essence)
  }

  /// Whether there is anything to be read in a part. What is long is not read for that.
  private static func hasText(_ part: MIMEMessage.Part, in message: MIMEMessage) -> Bool {
    let bytes = message.content(of: part)
    guard bytes.count < 1 << 16 else { return true }
    guard isHTML(part) else { return bytes.contains(where: { $0 > 0x20 }) }
    let document = Document(bytes: bytes, mediaType: "text/html", charset: part.charset, url: "")
    return !document.images.isEmpty || document.text.contains(where: { $0 > 0x20 })
  }

  /// The parts that are texts to be read, in their order: of alternatives that have text HTML, else the last.
  private static func shown(of message: MIMEMessage) -> [Int] {
    var chosen: [Int: Int] = [:]
    let texts = message.parts.indices.filter { index in
      let part = message.parts[index]
      let type = part.type.lowercased()
      return !part.isAttachment
        && (isHTML(part) || type.isEmpty || type.hasPrefix("text/plain")
          || type.hasPrefix("text/enriched"))
    }
    for index in texts where message.parts[index].alternatives > 0 {
      let group = message.parts[index].alternatives
      if chosen[group] != nil, !hasText(message.parts[index], in: message) { continue }
      if let other = chosen[group], isHTML(message.parts[other]) { continue }
      chosen[group] = index
    }
    return texts.filter { index in
      let group = message.parts[index].alternatives
      return group == 0 || chosen[group] == index
    }
  }

  private static func isHTML(_ part: MIMEMessage.Part) -> Bool {
    part.type.lowercased().hasPrefix("text/html")
  }

  private static func text(of part: MIMEMessage.Part, in message: MIMEMessage) -> String {
    let bytes = message.content(of: part)
    let encoding = CharacterEncoding.detect(bytes, charset: part.charset, isMarkup: isHTML(part))
    return String(decoding: encoding.decode(bytes), as: UTF8.self)
  }

  /// What ends all that a page may leave open around the text that follows.
  private static func end(of text: String) -> String {
    let comment = text.range(of: "<!--", options: .backwards)
    let isOpen = comment.map { text[$0.upperBound...].range(of: "-->") == nil } ?? false
    return (isOpen ? "-->" : "")
      + "</script></style></textarea></title></noscript></iframe></xmp></template></select></table>"
  }

  /// A text without markup as paragraphs with its lines and its links.
  private static func paragraphs(of text: String) -> String {
    var html = "<p>"
    var isBlank = true
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let line = line.hasSuffix("\r") ? line.dropLast() : line
      if line.allSatisfy(\.isWhitespace) {
        if !isBlank { html += "</p><p>" }
        isBlank = true
        continue
      }
      if !isBlank { html += "<br>" }
      isBlank = false
      let indentation = line.prefix { $0 == " " }.count
      html += String(repeating: "&nbsp;", count: indentation)
      html += line.dropFirst(indentation).split(separator: " ", omittingEmptySubsequences: false)
        .map { linked($0) }.joined(separator: " ")
    }
    return html + "</p>"
  }

  /// A word, as a link where it is an address of the web.
  private static func linked(_ word: Substring) -> String {
    let start = word.prefix { "<([\"".contains($0) }
    let address = word.dropFirst(start.count)
    guard address.hasPrefix("https://") || address.hasPrefix("http://") else {
      return Markup.escaped(String(word))
    }
    var end = address
    while let last = end.last, ">)].,;:!?\"'".contains(last) { end = end.dropLast() }
    let url = Markup.escaped(String(end))
    let rest = address.dropFirst(end.count)
    return Markup.escaped(String(start)) + "<a href=\"\(url)\">\(url)</a>"
      + Markup.escaped(String(rest))
  }

  /// The value of a field with its encoded words (RFC 2047) decoded.
  static func words(_ value: String) -> String {
    var result = ""
    var rest = Substring(value)
    var isAfterWord = false
    while let start = rest.range(of: "=?") {
      let before = rest[..<start.lowerBound]
      let parts = rest[start.upperBound...].split(
        separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
      guard parts.count == 4, parts[3].hasPrefix("="), let text = word(parts) else {
        result += before + "=?"
        rest = rest[start.upperBound...]
        isAfterWord = false
        continue
      }
      // Space between two of them is none of the text.
      if !(isAfterWord && before.allSatisfy(\.isWhitespace)) { result += before }
      result += text
      rest = parts[3].dropFirst()
      isAfterWord = true
    }
    return result + rest
  }

  private static func word(_ parts: [Substring]) -> String? {
    let label = parts[0].prefix { $0 != "*" }
    guard let encoding = CharacterEncoding(label: label.utf8) else { return nil }
    let written = Array(parts[2].utf8)
    let bytes: [UInt8]
    switch parts[1].lowercased() {
    case "b": bytes = TransferEncoding.base64(written[...])
    case "q":
      bytes = TransferEncoding.quotedPrintable(
        written.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }[...])
    default: return nil
    }
    return String(decoding: encoding.decode(bytes), as: UTF8.self)
  }
}
