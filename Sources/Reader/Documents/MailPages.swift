import Containers
import DOM
import Document
import Formats
import Foundation

/// Mail as one page: of each message who wrote it, when and about what, its texts in their order, and the names of
/// what is attached. Of several forms of one text the page has one, HTML where there is that.
struct MailPages {
  let file: DocumentFile
  let mailbox: Mailbox

  /// What is shown for a path in the file.
  /// - Parameter inner: empty for all messages, else the number of a part, counted through all of them.
  /// - Returns: the item.
  /// - Throws: `ContainerError`.
  func item(at inner: String) throws(ContainerError) -> DocumentFile.Item {
    guard inner.isEmpty else {
      guard var number = Int(inner), number >= 0 else { throw .missing(path: inner) }
      for message in mailbox.messages {
        if message.parts.indices.contains(number) {
          let part = message.parts[number]
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
    let isCut = mailbox.messages.contains { $0.isCut }
    return DocumentFile.Item(
      bytes: Array(html.utf8), type: MediaType("text/html; charset=utf-8"),
      notices: isCut ? ["the file ends in the middle: what could be read of it is shown"] : [])
  }

  private func write(_ message: MIMEMessage, parts first: Int, to html: inout String) {
    let subject = message.mail.first { $0.name == "Subject" }.map { Self.words($0.value) } ?? ""
    let title = Markup.line(subject.isEmpty ? file.name : subject)
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
        html += Self.paragraphs(of: text)
      }
    }
    let groups = Set(shown.map { message.parts[$0].alternatives })
    let rest = message.parts.indices.filter { index in
      let part = message.parts[index]
      // Another form of a text that is shown is none of what is attached.
      let isForm = part.alternatives > 0 && groups.contains(part.alternatives)
      return !shown.contains(index) && !isNamed.contains(index)
        && !(isForm && part.type.lowercased().hasPrefix("text/") && !part.isAttachment)
    }
    guard !rest.isEmpty else { return }
    html += "<hr><p>Attached:</p><ul>"
    for index in rest {
      let part = message.parts[index]
      let name = SafeText.line(Self.words(part.fileName))
      let type = MediaType(part.type).essence
      let size = ByteCount.text(message.content(of: part).count)
      html += "<li><a href=\"\(Markup.escaped(file.url(of: String(first + index))))\">"
      html += "\(Markup.line(name.isEmpty ? type : name))</a> "
      html += Markup.line(name.isEmpty ? "(\(size))" : "(\(type), \(size))") + "</li>"
    }
    html += "</ul>"
  }

  /// The parts that are texts to be read, in their order: of alternatives HTML, else the last.
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
