import Commands
import Document
import Pages
import Saving

/// Enclosures of feeds that are fetched in the background: the list of downloads shows their
/// progress and can stop them.
extension Browser {
  /// Starts to fetch the waiting enclosures. If an item or a feed is on the screen or selected, or
  /// is loading without a page on the screen, fetches the enclosures of the item first, then the
  /// others of its feed; otherwise fetches the enclosures of all feeds.
  mutating func fetchEnclosures() -> [Effect] {
    guard !isSavingRefusedWithNotice else { return [] }
    guard !isOffline else {
      notify(offlineModeMessage)
      return []
    }
    switch enclosureFetch {
    case .running, .stopping:
      notify("enclosures are being fetched; \(keyName(of: .downloads)) lists downloads")
      return []
    case .idle, .finished: break
    }
    let feed = list == nil ? opening.feed?.key : selectedFeed
    let name = list == nil ? opening.feed?.name : feed.map { feedName($0) }
    // The feed of a page that was opened just now may not have been found yet.
    let itemURLs: [String?] =
      if let list {
        [list.selectedEntry?.pageURL]
      } else if let page = view?.page {
        page.url == page.requestedURL ? [page.url.text] : [page.url.text, page.requestedURL.text]
      } else {
        [loading.load?.request.target]
      }
    enclosureFetch = .running(nil)
    notify(
      "fetching enclosures\(name.map { " of " + SafeText.line($0) } ?? ""); "
        + "\(keyName(of: .downloads)) lists downloads")
    let request = EnclosureRequest.fetch(
      feed: feed, itemURLs: itemURLs.compactMap(\.self), loading.options)
    return [.enclosures(request)]
  }

  /// Handles a report about the enclosures.
  mutating func handle(_ event: EnclosureEvent) -> [Effect] {
    var effects: [Effect] = []
    switch event {
    case .progressed(let progress):
      // The transfer may report once more after it was stopped.
      if case .running = enclosureFetch { enclosureFetch = .running(progress) }
    case .refused(let reason):
      enclosureFetch = .idle
      reportError("no enclosures were fetched: \(SafeText.line(reason))")
    case .finished(let report):
      enclosureFetch = .finished(report)
      for line in report.failureLines { reportError(line) }
      notifyResult(of: report)
      // Lists of items and the page information show which files can be played.
      findSequence()
      if list?.showsLibraryData == true { effects = reloadList() }
    }
    refreshDownloadList()
    return effects
  }

  /// Shows a notice about the fetched files and the number of errors, which the log of messages
  /// lists.
  private mutating func notifyResult(of report: EnclosureReport) {
    let failureCount = report.failureLines.count
    var lines = report.summaryLines
    if failureCount > 0 {
      let count = DateTexts.countText(failureCount, "error")
      lines.append("\(count), \(keyName(of: .messages)) lists them")
    }
    notify(
      lines.isEmpty
        ? "no enclosures are waiting to be fetched" : lines.joined(separator: glyphs.separator))
  }

  private mutating func refreshDownloadList() {
    if list?.kind == .downloads { refreshList() }
  }

  /// Stops fetching, or removes the result of the last run from the list of downloads.
  mutating func stopEnclosures() -> [Effect] {
    defer { refreshDownloadList() }
    switch enclosureFetch {
    case .running:
      enclosureFetch = .stopping
      notify("stopped; the file is continued when enclosures are fetched again")
      return [.enclosures(.stop)]
    case .finished:
      enclosureFetch = .idle
      notify("removed from the list; the files stay")
    case .idle, .stopping: break
    }
    return []
  }

  /// Shows a notice about the state of the enclosures when their entry in the list of downloads is
  /// opened.
  mutating func showEnclosureState() {
    switch enclosureFetch {
    case .running, .stopping:
      notify("still fetching; \(keyName(of: .remove)) stops it")
    case .finished(let report): notifyResult(of: report)
    case .idle: break
    }
  }

  /// The progress of the enclosures for the status line, or nil.
  var enclosureProgressText: String? {
    guard case .running(let progress?) = enclosureFetch else { return nil }
    let received = CountFormatter.byteCountText(progress.received)
    let amount =
      Self.percent(of: progress).map { percent in
        "\(percent)% of \(CountFormatter.byteCountText(progress.total ?? 0))"
      } ?? received
    return "enclosure \(progress.number) of \(progress.count)  \(amount)"
  }

  /// The entry of the enclosures in the list of downloads; empty if none were fetched.
  var enclosureEntries: [ListEntry] {
    var entry = ListEntry("Enclosures of feeds", to: .enclosures)
    switch enclosureFetch {
    case .idle: return []
    case .running(nil): entry.details[.extraText] = "waiting"
    case .running(let progress?):
      var amount = CountFormatter.byteCountText(progress.received)
      if let total = progress.total, total > 0 {
        amount += " of \(CountFormatter.byteCountText(total))"
      }
      entry.details[.extraText] = "\(progress.number) of \(progress.count)  \(amount)"
      entry.readPercent = Self.percent(of: progress)
      entry.note = SafeText.line(progress.title)
    case .stopping: entry.details[.extraText] = "stopping"
    case .finished(let report):
      let isFailed = !report.failureLines.isEmpty
      entry.details[.extraText] =
        report.isInterrupted ? "stopped" : isFailed ? "failed" : "done"
      entry.note = (report.summaryLines + report.failureLines).joined(separator: "; ")
    }
    return [entry]
  }

  /// Returns the progress of a file in percent; nil if its size is unknown.
  private static func percent(of progress: EnclosureProgress) -> Int? {
    guard let total = progress.total, total > 0 else { return nil }
    return Int(Double(min(progress.received, total)) / Double(total) * 100)
  }
}
