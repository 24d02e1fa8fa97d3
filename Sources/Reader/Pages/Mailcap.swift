/// What programs show which media types, as mailcap files say it (RFC 1524).
package struct Mailcap: Sendable, Equatable {
  /// A line of the file.
  package struct Entry: Sendable, Equatable {
    /// The type in lower case; `image/*` and `image` are all images.
    package var type: String
    /// The command that shows it.
    package var command: String
    /// A command that has to succeed, or nil.
    package var test: String?
    /// The command talks to the person on the terminal.
    package var needsTerminal = false
    /// The command writes text, more than a screen of it.
    package var isCopious = false
  }

  /// The lines, in the order of the file: the first one that fits counts.
  package private(set) var entries: [Entry] = []

  /// Reads a file; what is no entry is passed over.
  package init(_ text: String) {
    var line = ""
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for part in lines {
      // A backslash at the end joins the next line.
      if part.hasSuffix("\\"), !part.hasPrefix("#") {
        line += part.dropLast()
        continue
      }
      add(line + part)
      line = ""
    }
    add(line)
  }

  private mutating func add(_ line: String) {
    let line = line.drop { $0 == " " || $0 == "\t" }
    guard !line.isEmpty, !line.hasPrefix("#") else { return }
    let fields = Self.fields(line)
    guard fields.count >= 2, !fields[0].isEmpty, !fields[1].isEmpty else { return }
    var entry = Entry(type: fields[0].lowercased(), command: fields[1])
    for field in fields.dropFirst(2) {
      let pair = field.split(separator: "=", maxSplits: 1).map { Self.trimmed($0) }
      switch pair.first?.lowercased() {
      case "needsterminal": entry.needsTerminal = true
      case "copiousoutput": entry.isCopious = true
      case "test" where pair.count > 1: entry.test = pair[1]
      default: break
      }
    }
    entries.append(entry)
  }

  /// The parts between semicolons; a backslash takes away what the next character means.
  private static func fields(_ line: Substring) -> [String] {
    var fields = [""]
    var isEscaped = false
    for character in line {
      if isEscaped {
        // What the shell is to see stays as it is.
        fields[fields.count - 1] += character == ";" || character == "\\" ? "" : "\\"
        fields[fields.count - 1].append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == ";" {
        fields.append("")
      } else {
        fields[fields.count - 1].append(character)
      }
    }
    return fields.map { trimmed($0[...]) }
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }

  /// The entries for a type, in their order.
  package func entries(for mediaType: String) -> some Sequence<Entry> {
    let type = mediaType.lowercased()
    let group = String(type.prefix { $0 != "/" })
    return entries.lazy.filter { [type, group, group + "/*", "*/*"].contains($0.type) }
  }

  /// The files to look at, in their order: `MAILCAPS`, or those of RFC 1524.
  package static func paths(_ environment: [String: String]) -> [String] {
    if let list = environment["MAILCAPS"], !list.isEmpty {
      return list.split(separator: ":").map(String.init)
    }
    let own = environment["HOME"].map { [$0 + "/.mailcap"] } ?? []
    return own + ["/etc/mailcap", "/usr/etc/mailcap", "/usr/local/etc/mailcap"]
  }
}
