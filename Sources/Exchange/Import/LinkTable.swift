import Dates
import Feeds
import DOM
import Foundation
import Document
import OfflineCache

/// Lists of pages as tables: exports of Pocket and Instapaper, and any table with a column of URLs.
enum LinkTable {
  /// The number of rows that are examined to find the URLs of a table without a header.
  private static let maxExaminedRows = 50

  /// The minimum length in bytes of a date in a table without a header, so that years can be tags.
  private static let minDateLength = 8

  /// Detects the format by the header, or by the rows of a table without a header; returns nil if
  /// there is no column of URLs.
  static func format(of text: [UInt8]) -> ListFormat? {
    let rows = rows(text, limit: maxExaminedRows)
    guard let header = rows.first, header.count > 1 else { return nil }
    let names = header.map { $0.oneLine.lowercased() }
    guard names.contains(where: { LinkField($0) == .url }) else {
      let column =
        columnOfURLs(inRowsWithoutHeader: rows[...]) ?? columnOfURLs(belowHeaderOf: rows[...])
      return column == nil ? nil : .csv
    }
    if names.contains("time_added") { return .pocket }
    return names.contains("selection") && names.contains("folder") ? .instapaper : .csv
  }

  /// Returns the rows of a table without the comments above it: lines that begin with `#` and are
  /// directly above another line, or a description. A header may begin with `#`, too: its first
  /// cell is only that sign, or it names a column of URLs.
  private static func rows(_ text: [UInt8], limit: Int) -> [[String]] {
    var rest = text[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
    rest = table(below: rest)
    while rest.first == UInt8(ascii: "#"),
      let lineEnd = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D })
    {
      let cells = CSVTable(Array(rest[..<lineEnd]), limit: 1).rows.first ?? []
      let hasLineFeed = rest[lineEnd...].starts(with: [0x0D, 0x0A])
      let nextLine = rest[lineEnd...].dropFirst(hasLineFeed ? 2 : 1)
      let isComment =
        cells.first != "#" && !cells.contains { LinkField($0) == .url }
        && nextLine.first.map { $0 != 0x0A && $0 != 0x0D } ?? false
      guard isComment else { break }
      rest = nextLine
    }
    return CSVTable(Array(rest), limit: limit).rows
  }

  /// The maximum length in bytes of a description above a table.
  private static let maxDescriptionLength = 1 << 13

  /// Returns the table below a description, as Google writes it above a saved list: lines without a
  /// header or URL, an empty line, and a header that names a column of URLs. Returns any other text
  /// unchanged.
  private static func table(below text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isHeader(_ rows: ArraySlice<UInt8>) -> Bool {
      let cells = CSVTable(Array(rows.prefix { $0 != 0x0A && $0 != 0x0D }), limit: 1).rows.first
      return cells.map { $0.count > 1 && $0.contains { LinkField($0) == .url } } ?? false
    }
    let start = text.prefix(maxDescriptionLength)
    let emptyLine = [[0x0A, 0x0A], [0x0D, 0x0A, 0x0D, 0x0A]].compactMap { start.firstRange(of: $0) }
      .min { $0.lowerBound < $1.lowerBound }
    guard let emptyLine, !isHeader(text),
      text[..<emptyLine.lowerBound].firstRange(of: "://".utf8) == nil
    else { return text }
    let rows = text[emptyLine.upperBound...].drop { $0 == 0x0A || $0 == 0x0D }
    return isHeader(rows) ? rows : text
  }

  /// Returns the index of the column that has a URL in each row; nil if there is none, or if the
  /// table is more likely a list of URLs that contain commas, each perhaps followed by a title.
  /// That is assumed if no cell after the URL has white space, or if the first word of each of
  /// these cells has a digit, as the rest of a URL does.
  private static func columnOfURLs(inRowsWithoutHeader rows: ArraySlice<[String]>) -> Int? {
    guard let first = rows.first, rows.count > 1, rows.allSatisfy({ $0.count > 1 }) else {
      return nil
    }
    let column = first.indices.first { column in
      rows.allSatisfy { column < $0.count && isWebURL($0[column]) && !$0[column].contains(" ") }
    }
    guard let column, column == 0 else { return column }
    let hasTitles = rows.contains { $0[1].contains { $0.isWhitespace } }
    let continuesURL = rows.allSatisfy { row in
      row[1].prefix { !$0.isWhitespace }.contains { $0.isNumber }
    }
    return hasTitles && !continuesURL ? column : nil
  }

  /// The maximum length in bytes of the name of a column.
  private static let maxNameLength = 40

  /// Returns the index of the column with the URLs of a table whose header does not name it: the
  /// column has a URL in most rows, and is empty in the other rows. The header consists of names,
  /// without URLs; a line of running text with commas is not a header. Nil if there is no such
  /// column.
  private static func columnOfURLs(belowHeaderOf rows: ArraySlice<[String]>) -> Int? {
    guard let header = rows.first, header.count > 1, rows.count > 1,
      Set(header).count == header.count,
      header.allSatisfy({ name in
        name.first?.isWhitespace == false && name.utf8.count <= maxNameLength
          && !name.contains("://")
      })
    else { return nil }
    let entries = rows.dropFirst()
    guard entries.allSatisfy({ $0.count <= header.count }) else { return nil }
    return header.indices.first { column in
      let cells = entries.compactMap { row -> String? in
        column < row.count && !row[column].isEmpty ? row[column] : nil
      }
      return cells.count * 2 > entries.count
        && cells.allSatisfy { isWebURL($0) && !$0.contains(" ") }
    }
  }

  /// Adds the pages in the rows of a table to a list.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    let rows = rows(text, limit: ImportedList.maxEntries)
    var columns = columns(rows.first ?? [])
    if !columns.contains(where: { $0.field == .url }) {
      let examined = rows.prefix(maxExaminedRows)
      guard let column = columnOfURLs(belowHeaderOf: examined) else {
        let column = columnOfURLs(inRowsWithoutHeader: examined) ?? 0
        let order = DateText.order(of: rows.lazy.flatMap(\.self))
        for row in rows { read(row, urlColumn: column, order, into: &list) }
        return
      }
      columns.removeAll { $0.column == column }
      columns.append((column, .url))
    }
    let dateColumns = columns.filter { $0.field == .date }.map(\.column)
    let dateOrder = DateText.order(
      of: rows.dropFirst().lazy.flatMap { row in
        dateColumns.lazy.filter { $0 < row.count }.map { row[$0] }
      })
    for row in rows.dropFirst() {
      var (url, doi) = ("", "")
      var link = ImportedLink(url: "")
      for (position, field) in columns where position < row.count && !row[position].isEmpty {
        let value = row[position]
        switch field {
        // A column of higher rank may contain an incomplete URL.
        case .url: if url.isEmpty || isWebURL(value) && !isWebURL(url) { url = value }
        case .doi: doi = value
        case .title: if link.title.isEmpty { link.title = value }
        case .tags: link.tags += tags(value)
        case .folder: link.apply(folder: value)
        case .date: link.date = link.date ?? DateText.parse(value, order: dateOrder)
        case .note: link.add(note: value)
        case .archived: link.isArchived = link.isArchived || LinkField.isAffirmative(value)
        case .unread: link.isArchived = link.isArchived || !LinkField.isAffirmative(value)
        case .starred: link.isStarred = link.isStarred || LinkField.isAffirmative(value)
        }
      }
      list.add(url.isEmpty ? Reference.address(ofDOI: doi) : url, link)
    }
  }

  /// Reads a row of a table without a header. The first other cell that is not empty is the title;
  /// of the following ones, a date is recognized, text with spaces is the note, and the rest are
  /// tags.
  private static func read(
    _ row: [String], urlColumn: Int, _ dateOrder: WrittenDate.DayMonthOrder,
    into list: inout ImportedList
  ) {
    var link = ImportedLink(url: "")
    for (column, value) in row.enumerated() where column != urlColumn && !value.isEmpty {
      let names = tags(value)
      if link.title.isEmpty {
        link.title = value
      } else if link.date == nil, value.utf8.count >= minDateLength,
        let date = DateText.parse(value, order: dateOrder)
      {
        link.date = date
      } else if link.note.isEmpty, names.count == 1, value.oneLine.contains(" ") {
        link.note = value
      } else {
        link.tags += names
      }
    }
    list.add(urlColumn < row.count ? row[urlColumn] : "", link)
  }

  /// Returns the known columns, ordered by rank. Columns of which only the last word of the name is
  /// known, such as "Channel Title", come last.
  private static func columns(_ header: [String]) -> [(column: Int, field: LinkField)] {
    let names = header.map(\.oneLine)
    let order = names.indices.sorted {
      (LinkField.rank(of: names[$0]), $0) < (LinkField.rank(of: names[$1]), $1)
    }
    return order.compactMap { position in
      (LinkField(names[position]) ?? field(ofLastWordIn: names[position])).map { (position, $0) }
    }
  }

  /// Returns the field that the last of several words names, if that field is a text or a date;
  /// otherwise nil.
  private static func field(ofLastWordIn name: String) -> LinkField? {
    let words = name.split { !$0.isLetter }
    guard words.count > 1, let field = words.last.flatMap({ LinkField(String($0)) }),
      [.title, .tags, .date, .note].contains(field)
    else { return nil }
    return field
  }

  private static func isWebURL(_ text: String) -> Bool { WebURL(text)?.isWeb == true }

  /// Parses tags in the forms `a|b`, `a,b`, `a;b`, `a "b c"`, `["a","b"]` and `['a', 'b']`.
  private static func tags(_ value: String) -> [String] {
    if value.hasPrefix("["), value.hasSuffix("]") {
      let json = JSONValue(Array(value.utf8))?.array ?? []
      return json.contains { $0.string == nil } ? quoted(value) : json.compactMap(\.string)
    }
    let marker = ["|", ";", ","].first { value.contains($0) } ?? ","
    if value.contains("\""), let words = QuotedWords.split(value) { return words }
    return value.split(separator: marker).map(String.init)
  }

  /// Returns the texts between quotation marks of either kind, as Python writes them.
  private static func quoted(_ value: String) -> [String] {
    var result: [String] = []
    var rest = value[...]
    while let start = rest.firstIndex(where: { $0 == "'" || $0 == "\"" }) {
      let text = rest[rest.index(after: start)...]
      guard let end = text.firstIndex(of: rest[start]) else { break }
      result.append(String(text[..<end]))
      rest = text[text.index(after: end)...]
    }
    return result
  }
}
