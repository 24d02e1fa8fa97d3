/// The events of an invitation (iCalendar, RFC 5545), as lines of text.
enum CalendarSummary {
  /// Maximum number of lines.
  private static let maxLines = 200

  /// Returns a line for each of the title, the times and the place of all events; nil if there is
  /// no event.
  static func text(of calendar: String) -> String? {
    var lines: [String] = []
    // The names of the open components.
    var open: [String] = []
    for line in unfolded(calendar) {
      guard lines.count < maxLines, let colon = valueStart(in: line) else { continue }
      let head = line[..<colon].split(separator: ";", omittingEmptySubsequences: false)
      let value = line[line.index(after: colon)...]
      switch head[0].uppercased() {
      case "BEGIN": open.append(value.uppercased())
      case "END": _ = open.popLast()
      case let name where open.last == "VEVENT":
        guard let title = titles[name] else { continue }
        let isTime = name.hasPrefix("DT")
        let text = isTime ? time(value, head.dropFirst()) : unescaped(value)
        if !text.isEmpty { lines.append("\(title): \(text)") }
      default: break
      }
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// The properties that are shown, with their titles.
  private static let titles = [
    "SUMMARY": "Event", "DTSTART": "Start", "DTEND": "End", "LOCATION": "Location",
  ]

  /// Returns the lines, of which a line that begins with white space continues the one before it.
  private static func unfolded(_ calendar: String) -> [String] {
    var lines: [String] = []
    for line in calendar.split(whereSeparator: \.isNewline) {
      if let first = line.first, first == " " || first == "\t", !lines.isEmpty {
        lines[lines.count - 1] += line.dropFirst()
      } else {
        lines.append(String(line))
      }
    }
    return lines
  }

  /// Returns the index of the colon before the value of a property: the first one outside quotation
  /// marks.
  private static func valueStart(in line: String) -> String.Index? {
    var isQuoted = false
    return line.indices.first { index in
      if line[index] == "\"" { isQuoted.toggle() }
      return line[index] == ":" && !isQuoted
    }
  }

  /// Returns a date or a time such as `20260303T100000Z` in a readable form, with its time zone.
  private static func time(_ value: Substring, _ parameters: ArraySlice<Substring>) -> String {
    let digits = value.prefix { $0.isASCII && $0.isNumber }
    guard digits.count == 8 else { return String(value) }
    let date = "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
    let rest = value.dropFirst(8)
    guard rest.first == "T" else { return date }
    let clock = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
    guard clock.count == 6 else { return String(value) }
    let zone =
      rest.hasSuffix("Z")
      ? "UTC"
      : parameters.first { $0.uppercased().hasPrefix("TZID=") }
        .map { $0.dropFirst(5).filter { $0 != "\"" } } ?? ""
    return "\(date) \(clock.prefix(2)):\(clock.dropFirst(2).prefix(2))"
      + (zone.isEmpty ? "" : " (\(zone))")
  }

  /// Returns a text on one line without the backslashes of its escapes (RFC 5545 §3.3.11).
  private static func unescaped(_ value: Substring) -> String {
    var text = ""
    var isEscaped = false
    for character in value {
      if isEscaped {
        text.append(character == "n" || character == "N" ? " " : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        text.append(character)
      }
    }
    return text
  }
}
