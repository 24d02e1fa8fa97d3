import DOM
import Document

/// Shows the contacts in a file (vCard 2.1, 3.0 and 4.0, RFC 6350).
enum ContactFormatter {
  /// Creates the document of a file with contacts.
  /// - Parameters:
  ///   - text: Valid UTF-8.
  ///   - url: The URL of the file, or empty.
  /// - Returns: The document; nil if the text has no contacts.
  static func document(of text: [UInt8], url: String) -> Document? {
    var page = EntryPage(title: "")
    var hasContacts = false
    var contact: Contact?
    for line in ContentLine.all(in: String(decoding: text, as: UTF8.self)) {
      switch (line.name, line.value.uppercased()) {
      case ("BEGIN", "VCARD"): contact = Contact()
      case ("END", "VCARD"):
        guard let ended = contact else { break }
        page.add(heading: ended.name, rows: ended.rows, text: ended.note)
        hasContacts = true
        contact = nil
      default: contact?.add(line)
      }
    }
    return hasContacts ? page.document(url: url) : nil
  }

  /// The facts about a person or an organization.
  private struct Contact {
    private(set) var rows: [(String, String)] = []
    private(set) var note = ""
    private var formattedName = ""
    private var composedName = ""

    /// The name, or else the first fact.
    var name: String {
      let names = [formattedName, composedName, rows.first?.1 ?? ""]
      return names.first { !$0.isEmpty } ?? "Contact"
    }

    mutating func add(_ line: ContentLine) {
      let value = ContactFormatter.value(of: line)
      switch line.name {
      case "FN": if formattedName.isEmpty { formattedName = text(value) }
      case "N":
        // The family name precedes the given name, the others and the prefix.
        let parts = components(value)
        let order = [3, 1, 2, 0, 4].filter(parts.indices.contains).map { parts[$0] }
        composedName = order.filter { !$0.isEmpty }.joined(separator: " ")
      case "NOTE": note = ContentLine.unescaped(value, lineBreak: "\n")
      case let name:
        guard let title = titles[name] else { return }
        var text =
          switch name {
          case "ADR", "ORG": components(value).filter { !$0.isEmpty }.joined(separator: ", ")
          case "BDAY", "ANNIVERSARY": CalendarSummary.time(value[...])
          default: self.text(value)
          }
        for scheme in ["tel:", "mailto:"] where text.lowercased().hasPrefix(scheme) {
          text.removeFirst(scheme.count)
        }
        guard !text.isEmpty else { return }
        let kinds = ContactFormatter.kinds(of: line)
        rows.append((title, kinds.isEmpty ? text : "\(text) (\(kinds.joined(separator: ", ")))"))
      }
    }

    private func text(_ value: String) -> String { ContentLine.unescaped(value) }

    /// Returns the parts of a value between semicolons.
    private func components(_ value: String) -> [String] {
      var parts = [""]
      var isEscaped = false
      for character in value {
        if character == ";", !isEscaped {
          parts.append("")
        } else {
          parts[parts.count - 1].append(character)
        }
        isEscaped = character == "\\" && !isEscaped
      }
      return parts.map { ContentLine.unescaped($0) }
    }
  }

  /// The properties that are shown, with their titles.
  private static let titles = [
    "NICKNAME": "Nickname", "ORG": "Organization", "TITLE": "Title", "ROLE": "Role",
    "TEL": "Phone", "EMAIL": "Email", "IMPP": "Chat", "ADR": "Address", "URL": "Link",
    "BDAY": "Birthday", "ANNIVERSARY": "Anniversary", "CATEGORIES": "Categories",
  ]

  /// Returns the kinds of an address or number, such as `work`, in lower case. In vCard 2.1, they
  /// are parameters without a name.
  private static func kinds(of line: ContentLine) -> [String] {
    let types = line.parameters.flatMap { parameter in
      let pair = parameter.split(separator: "=", maxSplits: 1)
      let isType = pair.count == 1 || pair.first?.uppercased() == "TYPE"
      return isType ? (pair.last ?? "").filter { $0 != "\"" }.split(separator: ",") : []
    }
    return types.map { $0.lowercased() }.filter { !hiddenKinds.contains($0) }
  }

  private static let hiddenKinds: Set<String> = [
    "pref", "internet", "voice", "quoted-printable", "base64", "8bit", "7bit", "x400",
  ]

  /// Returns the value of a line, decoded.
  private static func value(of line: ContentLine) -> String {
    guard line.parameters.contains(where: { $0.uppercased().hasSuffix("QUOTED-PRINTABLE") }) else {
      return String(line.value)
    }
    var bytes: [UInt8] = []
    var rest = Array(line.value.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "="), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    let charset = CharacterEncoding(label: (line.parameter("CHARSET") ?? "").utf8) ?? .utf8
    return String(decoding: charset.decode(bytes), as: UTF8.self)
  }
}
