import Dates
import Document

/// The events of an invitation (iCalendar, RFC 5545), as lines of text.
enum CalendarSummary {
  /// The number of lines after which further events are only counted.
  private static let maxLines = 200

  /// Returns the events of a calendar.
  /// - Parameters:
  ///   - calendar: the calendar.
  ///   - isDescribed: whether the descriptions of the events are included.
  /// - Returns: a line for each of the title, the times, the place and the organizer of all events;
  ///   nil if there is no event.
  static func text(of calendar: String, isDescribed: Bool) -> String? {
    var lines: [String] = []
    // The names of the open components.
    var open: [String] = []
    var isCancelled = false
    var event: Event?
    var omitted = 0
    func finishEvent() {
      guard let ended = event else { return }
      event = nil
      if lines.count < maxLines { lines += ended.lines } else { omitted += 1 }
    }
    for line in unfolded(calendar) {
      guard let colon = valueStart(in: line) else { continue }
      let head = line[..<colon].split(separator: ";", omittingEmptySubsequences: false)
      let value = line[line.index(after: colon)...]
      switch head[0].uppercased() {
      case "BEGIN":
        open.append(value.uppercased())
        guard open.last == "VEVENT" else { break }
        finishEvent()
        event = Event(isCancelled: isCancelled)
      case "END":
        if open.popLast() == "VEVENT" { finishEvent() }
      case "DESCRIPTION" where !isDescribed: break
      case let name where open.last == "VEVENT": event?.add(name, value, head.dropFirst())
      case "METHOD" where open.last == "VCALENDAR": isCancelled = value.uppercased() == "CANCEL"
      default: break
      }
    }
    finishEvent()
    if omitted > 0 { lines.append("and \(CountFormatter.countText(omitted, "more event"))") }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// An event.
  private struct Event {
    private var isCancelled: Bool
    /// The properties that are shown, each once.
    private var properties: [(name: String, text: String)] = []
    /// Whether the end is a day without a time.
    private var endsWithDay = false

    init(isCancelled: Bool) { self.isCancelled = isCancelled }

    mutating func add(_ name: String, _ value: Substring, _ parameters: ArraySlice<Substring>) {
      if name == "STATUS", value.uppercased() == "CANCELLED" { isCancelled = true }
      guard titles[name] != nil, !properties.contains(where: { $0.name == name }) else { return }
      var text =
        switch name {
        case "DTSTART", "DTEND": time(value, parameters)
        case "DURATION": duration(value)
        case "RRULE": repetition(value)
        case "ORGANIZER": CalendarSummary.name(value, parameters)
        case "DESCRIPTION": unescaped(value, lineBreak: "\n")
        default: unescaped(value)
        }
      if name == "DTEND", let day = dayBefore(value) {
        text = day
        endsWithDay = true
      }
      if !text.isEmpty { properties.append((name, text)) }
    }

    /// The lines about the event, its description last. An event of a single day has no end.
    var lines: [String] {
      let start = properties.first { $0.name == "DTSTART" }?.text ?? ""
      let shown =
        properties.filter {
          $0.name != "DESCRIPTION" && ($0.name != "DTEND" || !endsWithDay || $0.text > start)
        } + properties.filter { $0.name == "DESCRIPTION" }
      return (isCancelled ? ["Status: Cancelled"] : [])
        + shown.map { "\(titles[$0.name] ?? $0.name): \($0.text)" }
    }
  }

  /// The properties that are shown, with their titles.
  private static let titles = [
    "SUMMARY": "Event", "DTSTART": "Start", "DTEND": "End", "DURATION": "Duration",
    "RRULE": "Repeats", "LOCATION": "Location", "URL": "Link", "ORGANIZER": "Organizer",
    "DESCRIPTION": "Description",
  ]

  /// Returns the day before a date without a time, in a readable form; nil for any other value. An
  /// event ends before the date in its `DTEND` (RFC 5545 §3.6.1).
  private static func dayBefore(_ value: Substring) -> String? {
    guard value.utf8.count == 8, let number = Int(value), number > 0 else { return nil }
    var day = CivilTime(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    guard day.isDayOfCalendar else { return nil }
    day = CivilTime(secondsSince1970: day.secondsSince1970 - 86_400)
    return String(day.isoText.prefix(10))
  }

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

  /// Returns a duration (RFC 5545 §3.3.6) such as `PT1H30M` in words, or as it is if it is invalid.
  private static func duration(_ value: Substring) -> String {
    var parts: [String] = []
    var digits = ""
    for character in value.drop(while: { $0 == "+" }).uppercased().dropFirst() {
      if character.isNumber {
        digits.append(character)
      } else if character != "T" {
        guard let count = Int(digits), let unit = durationUnits[character] else {
          return String(value)
        }
        if count > 0 { parts.append(CountFormatter.countText(count, unit)) }
        digits = ""
      }
    }
    return parts.isEmpty || !digits.isEmpty ? String(value) : parts.joined(separator: ", ")
  }

  private static let durationUnits: [Character: String] = [
    "W": "week", "D": "day", "H": "hour", "M": "minute", "S": "second",
  ]

  /// Returns a recurrence rule (RFC 5545 §3.3.10) in words: how often an event takes place, and the
  /// end. The rule itself is returned if its frequency is unknown.
  private static func repetition(_ value: Substring) -> String {
    var parts: [String: Substring] = [:]
    for part in value.uppercased().split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { parts[String(pair[0])] = pair[1] }
    }
    guard let unit = parts["FREQ"].flatMap({ units[String($0)] }) else { return String(value) }
    let interval = parts["INTERVAL"].flatMap { Int($0) } ?? 1
    var text = interval == 1 ? "every \(unit)" : "every \(CountFormatter.countText(interval, unit))"
    let days = (parts["BYDAY"] ?? "").split(separator: ",")
    let position = parts["BYSETPOS"].map { Int($0) ?? 0 }
    let names = days.compactMap { dayName($0, position) }
    // A position among several days, such as the last working day, has no short form.
    if names.count == days.count, days.count == 1 || position == nil, !days.isEmpty {
      text += " on " + names.joined(separator: ", ")
    }
    if let count = parts["COUNT"].flatMap({ Int($0) }) {
      text += ", \(CountFormatter.countText(count, "time"))"
    }
    if let end = parts["UNTIL"] { text += ", until \(time(end, []))" }
    return text
  }

  /// Returns the name of a day such as `MO`, or of one with a number, such as `2MO` or `MO` with
  /// the position 2; nil if it is invalid or has another number.
  private static func dayName(_ day: Substring, _ position: Int?) -> String? {
    guard let name = dayNames[String(day.suffix(2))] else { return nil }
    let number = day.dropLast(2)
    guard let position = number.isEmpty ? position : Int(number) ?? 0 else { return name }
    return ordinals[position].map { "the \($0) \(name)" }
  }

  private static let ordinals = [
    1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last",
  ]
  private static let units = [
    "DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year",
  ]
  private static let dayNames = [
    "MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday",
    "SA": "Saturday", "SU": "Sunday",
  ]

  /// Returns the name (`CN`) of the person that a property is about, or else the address.
  private static func name(_ value: Substring, _ parameters: ArraySlice<Substring>) -> String {
    let name = parameters.first { $0.uppercased().hasPrefix("CN=") }?.dropFirst(3) ?? ""
    let address = value.lowercased().hasPrefix("mailto:") ? value.dropFirst(7) : value
    let shown = name.filter { $0 != "\"" }
    return shown.isEmpty ? String(address) : shown
  }

  /// Returns a text without the backslashes of its escapes (RFC 5545 §3.3.11).
  private static func unescaped(_ value: Substring, lineBreak: Character = " ") -> String {
    var text = ""
    var isEscaped = false
    for character in value {
      if isEscaped {
        text.append(character == "n" || character == "N" ? lineBreak : character)
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
