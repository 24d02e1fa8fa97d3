/// The programs that show media types, from a mailcap file (RFC 1524).
package struct Mailcap: Sendable, Equatable {
  /// An entry of the file.
  package struct Entry: Sendable, Equatable {
    /// The media type in lower case; `image/*` and `image` match all images.
    package var type: String
    /// The command that shows a file.
    package var command: String
    /// A command that must succeed for the entry to apply; nil for none.
    package var test: String?
    /// Whether the command uses the terminal interactively.
    package var needsTerminal = false
    /// Whether the command writes long text to standard output.
    package var isCopious = false
  }

  /// The entries in the order of the file; the first one that matches applies.
  package private(set) var entries: [Entry] = []

  /// Parses a mailcap file; invalid lines are ignored.
  package init(_ text: String) {
    var line = ""
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for part in lines {
      // A backslash at the end of a line continues it.
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

  /// Splits a line at semicolons; a backslash escapes the next character.
  private static func fields(_ line: Substring) -> [String] {
    var fields = [""]
    var isEscaped = false
    for character in line {
      if isEscaped {
        // Other escapes are left for the shell.
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

  /// Returns the entries that match a media type, in order.
  package func entries(for mediaType: String) -> some Sequence<Entry> {
    let type = mediaType.lowercased()
    let group = String(type.prefix { $0 != "/" })
    return entries.lazy.filter { [type, group, group + "/*", "*/*"].contains($0.type) }
  }

  /// Returns the paths of the mailcap files, in order: those in `MAILCAPS`, or those of RFC 1524.
  package static func paths(_ environment: [String: String]) -> [String] {
    if let list = environment["MAILCAPS"], !list.isEmpty {
      return list.split(separator: ":").map(String.init)
    }
    let own = environment["HOME"].map { [$0 + "/.mailcap"] } ?? []
    return own + ["/etc/mailcap", "/usr/etc/mailcap", "/usr/local/etc/mailcap"]
  }
}
