import Dates
import Document

/// The events of a calendar (iCalendar, RFC 5545), as texts.
package enum CalendarSummary {
  /// The number of lines after which further events are only counted.
  private static let maxLines = 200

  /// Returns the events of an invitation.
  /// - Parameters:
  ///   - calendar: The calendar.
  ///   - includesDescriptions: Whether the descriptions of the events are included.
  /// - Returns: A line for each of the title, the times, the place and the organizer of all events;
  ///   nil if there is no event.
  package static func text(of calendar: String, includesDescriptions: Bool) -> String? {
    var lines: [String] = []
    var omitted = 0
    for event in entries(of: calendar, ["VEVENT"]).entries {
      guard lines.count < maxLines else {
        omitted += 1
        continue
      }
      let rows = (event.summary.map { [("Event", $0)] } ?? []) + event.rows
      let description =
        includesDescriptions ? event.description.map { [("Description", plainText($0))] } ?? [] : []
      lines += event.status.map { ["Status: \($0)"] } ?? []
      lines += (rows + description).map { "\($0.0): \($0.1)" }
    }
    if omitted > 0 { lines.append("and \(CountFormatter.countText(omitted, "more event"))") }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// Returns a description without the markup that some programs write.
  private static func plainText(_ description: String) -> String {
    guard description.looksLikeHTML else { return description }
    let text = TextMarkup.document(ofHTMLText: description).plainText
    return text.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
      .joined(separator: "\n")
  }

  /// Returns the components of a calendar that have one of the given names.
  /// - Parameters:
  ///   - calendar: The calendar.
  ///   - names: The names, such as `VEVENT`.
  /// - Returns: The name of the calendar, or empty, and the components in their order.
  static func entries(
    of calendar: String, _ names: Set<String>
  ) -> (title: String, entries: [Entry]) {
    var title = ""
    var entries: [Entry] = []
    // The names of the open components.
    var openComponents: [String] = []
    var isCancelled = false
    var entry: Entry?
    func endEntry() {
      if let entry { entries.append(entry) }
      entry = nil
    }
    for line in ContentLine.all(in: calendar) {
      let isInEntry = openComponents.last.map(names.contains) ?? false
      switch line.name {
      case "BEGIN":
        openComponents.append(line.value.uppercased())
        guard let name = openComponents.last, names.contains(name) else { break }
        endEntry()
        entry = Entry(component: name, status: isCancelled ? statusTexts["CANCELLED"] : nil)
      case "END":
        openComponents.removeLast(openComponents.isEmpty ? 0 : 1)
        if isInEntry { endEntry() }
      case _ where isInEntry: entry?.add(line)
      case "METHOD" where openComponents.last == "VCALENDAR":
        isCancelled = line.value.uppercased() == "CANCEL"
      case "X-WR-CALNAME" where title.isEmpty, "NAME" where title.isEmpty:
        if openComponents.last == "VCALENDAR" { title = ContentLine.unescaped(line.value) }
      default: break
      }
    }
    endEntry()
    return (title, entries)
  }

  /// An event, a task or a note.
  struct Entry {
    /// The name of the component.
    let component: String
    /// The status as a text; nil for an event or a task that takes place as planned.
    fileprivate(set) var status: String?
    /// The properties that are shown, each once. Those of `listNames` have all of their values.
    private var properties: [(name: String, text: String)] = []
    /// Whether the end is a day without a time.
    private var endsWithDay = false

    fileprivate init(component: String, status: String?) {
      (self.component, self.status) = (component, status)
    }

    fileprivate mutating func add(_ line: ContentLine) {
      let (name, value) = (line.name, line.value)
      if name == "STATUS", let text = statusTexts[value.uppercased()] { status = status ?? text }
      let previous = properties.firstIndex { $0.name == name }
      guard titles[name] != nil, previous == nil || listNames.contains(name) else { return }
      var text =
        switch name {
        case "DTSTART", "DTEND", "DUE", "COMPLETED":
          time(value, inTimeZone: line.parameter("TZID") ?? "")
        case "DURATION": duration(value)
        case "RRULE": repetition(value)
        case "EXDATE", "RDATE":
          // Of a period (RFC 5545 §3.3.9), only the start is shown.
          value.split(separator: ",").map { date in
            time(date.prefix { $0 != "/" }, inTimeZone: line.parameter("TZID") ?? "")
          }.joined(separator: ", ")
        case "ORGANIZER": CalendarSummary.name(line)
        case "ATTENDEE":
          CalendarSummary.name(line)
            + (answerTexts[line.parameter("PARTSTAT")?.uppercased() ?? ""] ?? "")
        case "DESCRIPTION": ContentLine.unescaped(value, lineBreak: "\n")
        default: ContentLine.unescaped(value)
        }
      if name == "DTEND", let day = dayBefore(value) {
        text = day
        endsWithDay = true
      }
      guard !text.isEmpty else { return }
      if let previous {
        properties[previous].text += ", " + text
      } else {
        properties.append((name, text))
      }
    }

    /// The title; nil if there is none.
    var summary: String? { text("SUMMARY") }

    /// The description; nil if there is none.
    var description: String? { text("DESCRIPTION") }

    /// The other properties with their titles. An event of a single day has no end.
    var rows: [(String, String)] {
      let start = text("DTSTART") ?? ""
      return properties.filter {
        !["SUMMARY", "DESCRIPTION"].contains($0.name)
          && ($0.name != "DTEND" || !endsWithDay || $0.text > start)
      }.map { (titles[$0.name] ?? $0.name, $0.text) }
    }

    private func text(_ name: String) -> String? { properties.first { $0.name == name }?.text }
  }

  /// The properties that are shown, with their titles.
  private static let titles = [
    "SUMMARY": "Event", "DTSTART": "Start", "DTEND": "End", "DURATION": "Duration",
    "DUE": "Due", "COMPLETED": "Completed", "RRULE": "Repeats", "LOCATION": "Location",
    "URL": "Link", "ORGANIZER": "Organizer", "DESCRIPTION": "Description", "EXDATE": "Except",
    "RDATE": "Also on", "ATTENDEE": "Attendees",
  ]
  /// The properties that occur more than once.
  private static let listNames: Set = ["EXDATE", "RDATE", "ATTENDEE"]

  /// The texts for the answers of attendees (RFC 5545 §3.2.12) that are shown.
  private static let answerTexts = [
    "ACCEPTED": " (accepted)", "DECLINED": " (declined)", "TENTATIVE": " (tentative)",
    "DELEGATED": " (delegated)",
  ]

  /// The texts for the values of `STATUS` (RFC 5545 §3.8.1.11) that are shown; `CONFIRMED`, for
  /// example, is not.
  private static let statusTexts = [
    "CANCELLED": "Cancelled", "TENTATIVE": "Tentative", "COMPLETED": "Completed",
    "IN-PROCESS": "In progress", "DRAFT": "Draft",
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

  /// Returns a date or a time such as `20260303T100000Z` in a readable form, with its time zone.
  static func time(_ value: Substring, inTimeZone zone: String = "") -> String {
    let digits = value.prefix { $0.isASCII && $0.isNumber }
    guard digits.count == 8 else { return String(value) }
    let date = "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
    let rest = value.dropFirst(8)
    guard rest.first == "T" else { return date }
    let clock = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
    guard clock.count == 6 else { return String(value) }
    let zone = rest.hasSuffix("Z") ? "UTC" : zone
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
    if let end = parts["UNTIL"] { text += ", until \(time(end))" }
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
  private static func name(_ line: ContentLine) -> String {
    if let name = line.parameter("CN"), !name.isEmpty { return name }
    let isMail = line.value.lowercased().hasPrefix("mailto:")
    return String(isMail ? line.value.dropFirst(7) : line.value)
  }
}
