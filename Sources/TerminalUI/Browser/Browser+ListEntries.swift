import Pages
import Configuration
import Saving
import Feeds
import Library
import Foundation
import Document
import Layout
import Terminal

extension Browser {
  /// Returns the entries of a list from the data loaded so far.
  func entries(for list: ListScreen) -> [ListEntry] {
    switch list.kind {
    case .library: libraryEntries(order: list.order)
    case .history: historyEntries
    case .queue: queueEntries
    case .search: searchEntries
    case .highlights: highlightEntries
    case .collection(let id): collectionEntries(id)
    case .feeds: feedEntries
    case .feed(let feed): itemEntries(of: feed)
    case .unread: unreadEntries
    case .outline: outlineEntries
    case .links: linkEntries
    case .choices(let control): choiceEntries(of: control)
    case .downloads: downloadEntries
    case .messages: notices.log.reversed().flatMap(messageEntries)
    case .information: informationEntries
    case .tabs: tabEntries
    case .help(.menu(let screen, let subject)): menuEntries(for: screen, about: subject)
    case .help(let subject): helpEntries(for: subject)
    }
  }

  private func libraryEntries(order: ListScreen.Order) -> [ListEntry] {
    let all = listData.visiblePages
    let books = bookRows(in: all, order: order)
    let bookKeys = Set(books.map(\.key))
    let rows = books.isEmpty ? all : all.filter { !bookKeys.contains($0.key) }
    let begun = begunRows(in: rows).prefix(Self.maxContinuedPages)
    let begunKeys = Set(begun.map(\.key))
    let others = rows.filter { !begunKeys.contains($0.key) && !listData.isInCollection($0) }
    let rest = others.filter { $0.date != nil }
    let sections = [
      ("Continue reading", Array(begun)),
      ("Kept", sorted(rest.filter(\.isPinned), by: order)),
      ("Queued for the next sync", others.filter(\.isQueued)),
      ("Saved", sorted(rest.filter { !$0.isPinned }, by: order)),
    ]
    let pages = sections.map { title, rows in
      rows.isEmpty
        ? []
        : [ListEntry.heading(title)]
          + rows.map { pageEntry(for: $0, showsProgressBar: title == "Continue reading") }
    }
    return unreadFeedRows + collectionRows + bookEntries(for: books) + pages.joined()
  }

  private static let maxContinuedPages = 12

  /// Returns the rows of the pages that were read in part, the latest first.
  private func begunRows(in rows: [LibraryContents.Row]) -> [LibraryContents.Row] {
    rows.filter { row in
      (row.reading?.percent).map { $0 < ReadingPositions.minFinishedPercent } ?? false
    }
    .sorted { ($0.reading?.date ?? .distantPast) > ($1.reading?.date ?? .distantPast) }
  }

  /// Returns the rows of the books: those that were read in part, then the other imported ones.
  private func bookRows(
    in rows: [LibraryContents.Row], order: ListScreen.Order
  ) -> [LibraryContents.Row] {
    let books = rows.filter(\.isBook)
    let begun = begunRows(in: books)
    let begunKeys = Set(begun.map(\.key))
    let others = books.filter { $0.date != nil && !begunKeys.contains($0.key) }
    return begun + sorted(others, by: order)
  }

  /// Returns the entries of books, below a heading, with the progress in each whole book.
  private func bookEntries(for rows: [LibraryContents.Row]) -> [ListEntry] {
    guard !rows.isEmpty else { return [] }
    return [ListEntry.heading("Books")]
      + rows.map { row -> ListEntry in
        var entry = pageEntry(for: row, showsProgressBar: true)
        entry.readPercent = row.reading?.percent ?? 0
        return entry
      }
  }

  private func sorted(
    _ rows: [LibraryContents.Row], by order: ListScreen.Order
  ) -> [LibraryContents.Row] {
    let positions = rows.map { row in
      ListScreen.Order.SortKeys(
        title: order == .title ? title(of: row) : row.title, url: row.key, date: row.date,
        size: row.size, readPercent: row.reading?.percent)
    }
    return rows.indices.sorted { order.precedes(positions[$0], positions[$1]) }.map { rows[$0] }
  }

  private func title(of row: LibraryContents.Row) -> String {
    row.title.isEmpty ? displayURL(row.key) : SafeText.line(row.title)
  }

  /// Returns an entry such as `string — Common string operations   #python  docs.python.org  18 d
  /// 96 KB  ●`.
  func pageEntry(for row: LibraryContents.Row, showsProgressBar: Bool) -> ListEntry {
    var entry = ListEntry(
      title(of: row), to: .page(row.key),
      extraFilterText: row.key + " " + row.tags.map { "#" + $0 }.joined(separator: " "))
    let retryTime = row.retryAfter.flatMap { $0 > now ? $0 : nil }
      .map { "next attempt " + DateTexts.futureTimeText($0, now: now, in: timeZone) }
    let goneText = row.goneSince.map { "gone since " + DateTexts.dayText($0, in: timeZone) }
    if row.isPinned { entry.details[.extraText] = "kept" }
    let tags = row.tags.map { "#" + SafeText.line($0) }.joined(separator: " ")
    entry.note = [goneText, retryTime, tags].compactMap(\.self).filter { !$0.isEmpty }
      .joined(separator: "  ")
    // An entry without a title shows its URL, which contains the host. The URL of an item of a feed
    // without a page of its own has no host.
    if !row.title.isEmpty, !Address.isFeedItem(row.key) {
      entry.details[.host] = Self.host(of: displayURL(row.key))
    }
    if let date = row.date {
      entry.details[.age] = DateTexts.shortAgeText(of: date, now: now)
      entry.details[.size] = CountFormatter.byteCountText(row.size)
    } else if row.isQueued, !settings.isLinear {
      entry.details[.age] = "queued"
    }
    entry.details[.status] =
      row.date != nil ? glyphs.saved : row.isQueued ? glyphs.queued : glyphs.notSaved
    if showsProgressBar { entry.readPercent = row.reading?.percent }
    return entry
  }

  private var historyEntries: [ListEntry] {
    var day = ""
    return listData.visiblePages.compactMap { row in
      (row.reading?.date ?? row.fromProgram).map { (row, $0) }
    }
    .sorted { $0.1 > $1.1 }
    .flatMap { row, date -> [ListEntry] in
      let dateText = DateTexts.relativeDay(date, now: now, in: timeZone)
      var entry = pageEntry(for: row, showsProgressBar: true)
      entry.readPercent = row.reading?.percent
      if row.fromProgram != nil {
        entry.details[.extraText] = nil
        entry.note = "added by another program"
      }
      entry.details[.time] = DateTexts.timeOfDayText(date, in: timeZone)
      defer { day = dateText }
      let title = dateText.hasPrefix("on ") ? String(dateText.dropFirst(3)) : dateText.capitalized
      return (dateText == day ? [] : [.heading(title)]) + [entry]
    }
  }

  /// Returns the rows of an error with its time, wrapped to the list's width. An error of an
  /// earlier day has its date.
  private func messageEntries(_ error: Notices.LogEntry) -> [ListEntry] {
    let isToday = DateTexts.relativeDay(error.date, now: now, in: timeZone) == "today"
    let time =
      isToday
      ? DateTexts.timeOfDayText(error.date, in: timeZone)
      : DateTexts.dayAndTimeText(error.date, in: timeZone)
    let message = "\(time)  \(error.text)"
    let indent = 4
    let rows = displayWidth.wrapped(message, to: max(10, listArea.columns.count - 3 - indent))
    return rows.enumerated().map { index, row in
      var entry = ListEntry(row, to: .nowhere, extraFilterText: message)
      entry.isContinuation = index > 0
      entry.indentation = entry.isContinuation ? indent : 0
      return entry
    }
  }

  private var queueEntries: [ListEntry] {
    listData.visiblePages.filter(\.isQueued).map { pageEntry(for: $0, showsProgressBar: false) }
  }

  private var searchEntries: [ListEntry] {
    listData.visibleHits.map { hit in
      let title = hit.title.isEmpty ? displayURL(hit.key) : SafeText.line(hit.title)
      var entry = ListEntry(title, to: .page(hit.key), extraFilterText: hit.key)
      let host = hit.file.isEmpty ? Self.host(of: displayURL(hit.key)) : SafeText.line(hit.file)
      if !hit.title.isEmpty { entry.details[.host] = host }
      entry.details[.age] = DateTexts.shortAgeText(of: hit.date, now: now)
      entry.details[.status] = glyphs.saved
      (entry.secondRowText, entry.matchRanges) = (hit.snippet, hit.matches)
      return entry
    }
  }

  /// The headings of the page; in a book, within its table of contents, or else between the titles
  /// of the other chapters.
  private var outlineEntries: [ListEntry] {
    guard let view, let parts = view.page.parts else { return pageEntries(among: headingEntries) }
    if !parts.entries.isEmpty {
      let anchors = Dictionary(
        view.page.document.anchors.map { ($0.name, $0.offset) },
        uniquingKeysWith: { first, _ in first })
      let outline = BookOutline(parts: parts, shownPartHeadings: headingEntries) { fragment in
        anchors[fragment] ?? fragment.removingPercentEncoding.flatMap { anchors[$0] } ?? 0
      } detailText: { offset in
        "\(view.readPercent(of: view.line(of: offset), height: bodyHeight))%"
      }
      return outline.entries
    }
    return parts.parts.enumerated().flatMap { index, part in
      let headings = index == parts.index ? headingEntries : []
      return headings.isEmpty
        ? [ListEntry(SafeText.line(part.title), to: .page(part.url.text))] : headings
    }
  }

  /// Returns the headings interleaved with the page numbers of a paginated document, such as a PDF
  /// file.
  private func pageEntries(among headings: [ListEntry]) -> [ListEntry] {
    guard let view, case let starts = view.page.document.pageStarts, !starts.isEmpty else {
      return headings
    }
    var (entries, rest) = ([ListEntry](), headings[...])
    for start in starts {
      let before = rest.prefix { entry in
        guard case .offset(let offset) = entry.target else { return true }
        return offset < start.offset
      }
      entries += before
      rest = rest.dropFirst(before.count)
      var entry = ListEntry("Page \(start.number)", to: .offset(start.offset))
      let line = view.line(of: start.offset)
      entry.details[.extraText] = "\(view.readPercent(of: line, height: bodyHeight))%"
      entries.append(entry)
    }
    return entries + rest
  }

  private var headingEntries: [ListEntry] {
    guard let view else { return [] }
    let document = view.page.document
    return document.blocks.indices.compactMap { index in
      let block = document.blocks[index]
      guard case .heading(level: let level) = block.kind, !block.runs.isEmpty else { return nil }
      let offset = document.textOffset(ofBlock: Int32(index))
      var entry = ListEntry(SafeText.line(document.outlineText(of: block)), to: .offset(offset))
      entry.indentation = Int(level - 1) * 2
      entry.details[.extraText] =
        "\(view.readPercent(of: view.line(of: offset), height: bodyHeight))%"
      return entry
    }
  }

  private var linkEntries: [ListEntry] {
    guard let view else { return [] }
    let numbers = Dictionary(
      zip(view.numberedLinks, 1...), uniquingKeysWith: { first, _ in first })
    let linkTexts = view.linkTexts
    func entry(_ index: Int) -> ListEntry {
      let link = Int32(index)
      let url = view.page.document.url(ofLink: index) ?? view.page.document.links[index].target
      let text = SafeText.line(linkTexts[index])
      var entry = ListEntry(
        text.isEmpty ? shortURL(url) : text, to: .linkTarget(.link(link)), extraFilterText: url)
      entry.details = [
        .extraText: numbers[link].map { "[\($0)]" } ?? "", .status: linkStatusGlyph(of: link),
      ]
      return entry
    }
    let linkIndices = view.page.document.links.indices
    let foldedLinks = linkIndices.filter { numbers[Int32($0)] == nil }
    return linkIndices.filter { numbers[Int32($0)] != nil }.map(entry)
      + (foldedLinks.isEmpty ? [] : [.heading("Folded away")] + foldedLinks.map(entry))
      + imageEntries(of: view)
  }

  /// Returns the glyph for the saved state of a link's target; empty if it is unknown.
  func linkStatusGlyph(of link: Int32) -> String {
    guard let markers = view?.options.linkStatuses, markers.indices.contains(Int(link)) else {
      return ""
    }
    switch markers[Int(link)] {
    case .none: return ""
    case .saved: return glyphs.saved
    case .notSaved: return glyphs.notSaved
    case .queued: return glyphs.queued
    }
  }
}
