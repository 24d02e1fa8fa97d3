import Document

/// Shows the events, tasks and notes of a calendar (iCalendar, RFC 5545).
enum CalendarFormatter {
  /// The components that are shown, with the headings of those without a title.
  private static let components = ["VEVENT": "Event", "VTODO": "Task", "VJOURNAL": "Note"]

  /// Creates the document of a calendar.
  /// - Parameters:
  ///   - text: Valid UTF-8.
  ///   - url: The URL of the calendar, or empty.
  /// - Returns: The document; nil if the text has no events, tasks or notes.
  static func document(of text: [UInt8], url: String) -> Document? {
    let calendar = CalendarSummary.entries(
      of: String(decoding: text, as: UTF8.self), Set(components.keys))
    guard !calendar.entries.isEmpty else { return nil }
    var page = EntryPage(title: calendar.title)
    for entry in calendar.entries {
      page.add(
        heading: entry.summary ?? components[entry.component] ?? "",
        rows: (entry.status.map { [("Status", $0)] } ?? []) + entry.rows,
        text: entry.description ?? "")
    }
    return page.document(url: url)
  }
}
