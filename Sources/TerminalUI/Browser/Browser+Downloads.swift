import Commands
import Document
import Formats
import Foundation
import OfflineCache
import Pages
import Terminal
import Layout

extension Browser {
  /// Saves the content of a URL to a file.
  /// - Parameters:
  ///   - url: The URL.
  ///   - attachment: The content if it is on the screen; nil to load it.
  ///   - name: The path of the file.
  /// - Returns: The resulting effects.
  mutating func download(_ url: String, _ attachment: Attachment?, to name: String) -> [Effect] {
    let name = name.trimmingCharacters(in: .whitespaces)
    guard !name.isEmpty else { return [] }
    let effects = downloads.add(url, attachment, to: name, loading.options)
    notify("writing \(SafeText.line(name)); \(key(of: .downloads)) lists downloads")
    return downloadsChanged(effects)
  }

  // MARK: Files instead of pages

  /// Adds a file that a load found instead of a page to the downloads. The screen no longer waits
  /// for the load, which may go on receiving the file for the download.
  mutating func offer(_ file: OfferedFile, by load: Load) {
    loading.end()
    downloads.add(file, by: load.id, loading.options)
  }

  /// Asks where to save a file that has no name yet, once no other input mode is active.
  mutating func askWhereToSave() {
    guard layers.input == nil, list?.isFiltering != true, let download = downloads.unnamed,
      case .unnamed(let existing) = download.state
    else { return }
    if let existing {
      let name = existing.split(separator: "/").last.map(String.init) ?? existing
      openPrompt(
        .file(download.id, label: "\(SafeText.line(name)) exists. Save as: "),
        text: DownloadName.next(after: download.path))
    } else {
      let size = download.length.map { " (\(ByteCount.text($0)))" } ?? ""
      openPrompt(.file(download.id, label: "Save file\(size) as: "), text: download.defaultName)
    }
  }

  /// Saves a file under the name that the user chose; an empty name cancels.
  mutating func save(_ id: DownloadID, as name: String) -> [Effect] {
    let name = name.trimmingCharacters(in: .whitespaces)
    guard !name.isEmpty else { return remove(id) }
    let effects = downloads.name(id, name)
    // The status line shows the progress.
    if downloads[id]?.load == nil {
      notify("writing \(SafeText.line(name)); \(key(of: .downloads)) lists downloads")
    }
    return downloadsChanged(effects + openDownloadsOnEmptyScreen())
  }

  /// Opens the list of downloads if no page is open.
  private mutating func openDownloadsOnEmptyScreen() -> [Effect] {
    view == nil && list == nil && loading.load == nil ? open(.downloads) : []
  }

  /// Handles the report of a load whose content is saved to a file; returns nil for every other
  /// load.
  mutating func handleFile(_ event: LoadEvent, of id: LoadID) -> [Effect]? {
    guard let (download, effects) = downloads.handle(event, of: id) else { return nil }
    queue.recordOutcome(event, of: download.url)
    if case .failed(let message) = download.state {
      if case .prompt(let prompt) = layers.input, case .file(download.id, _) = prompt.kind {
        layers.close()
      }
      reportError("not written: \(SafeText.line(message))")
      return downloadsChanged(effects + openDownloadsOnEmptyScreen())
    }
    return downloadsChanged(effects)
  }

  /// The progress of the latest running download, or nil.
  var downloadProgress: String? {
    guard
      let download = downloads.all.last(where: {
        if case .running = $0.state { true } else { false }
      }), case .running(let received, let expected) = download.state
    else { return nil }
    let name = widths.truncatedInside(download.name, to: 24, ellipsis: glyphs.ellipsis)
    guard let expected, expected > 0 else {
      return "saving \(name)  \(ByteCount.text(received))"
    }
    let percent = min(100, received * 100 / expected)
    return "saving \(name)  \(percent)% of \(ByteCount.text(expected))"
  }

  private mutating func downloadsChanged(_ effects: [Effect]) -> [Effect] {
    if list?.kind == .downloads { refreshList() }
    return effects
  }

  /// Handles the report of a download.
  mutating func process(_ event: DownloadEvent, of id: DownloadID) -> [Effect] {
    guard let effects = downloads.handle(event, of: id) else { return [] }
    switch event {
    // If the file exists, `askWhereToSave` asks for another name.
    case .began, .progressed, .exists: break
    case .done(let path, let length, _):
      let copy = downloads[id]?.savedDate.map {
        " (saved copy, \(DateTexts.plainAge(of: $0, now: now)))"
      }
      notify("wrote \(SafeText.line(path)), \(ByteCount.text(length))\(copy ?? "")")
    case .failed(let message):
      reportError("not written: \(SafeText.line(message))")
    }
    return downloadsChanged(effects)
  }

  /// The entries of the list of downloads, the latest first.
  var downloadEntries: [ListEntry] {
    downloads.all.reversed().map { download in
      var entry = ListEntry(
        download.name, to: .download(download.id), alsoFoundBy: download.url)
      switch download.state {
      case .unnamed, .waiting: entry.details[.note] = "waiting"
      case .running(let received, let expected):
        entry.details[.note] = ByteCount.text(received)
        if let expected, expected > 0 {
          entry.details[.note]? += " of \(ByteCount.text(expected))"
          entry.percent = min(100, received * 100 / expected)
        }
      case .done(_, let length, _):
        entry.details[.note] = "done  \(ByteCount.text(length))"
      case .failed(let message):
        let reason = widths.truncated(
          SafeText.line(message), to: max(10, size.columns / 2 - 8), ellipsis: glyphs.ellipsis)
        entry.details[.note] = "failed: \(reason)"
      }
      return entry
    }
  }

  /// Opens the file of a download.
  mutating func open(_ id: DownloadID) -> [Effect] {
    guard let download = downloads[id] else { return [] }
    switch download.state {
    case .unnamed, .waiting, .running:
      notify("still downloading; \(key(of: .remove)) cancels")
    case .failed(let message): reportError(SafeText.line(message))
    case .done(let path, let length, let mediaType):
      let type = MediaType(mediaType)
      let absolute = path.hasPrefix("/") || path.hasPrefix("~/") ? path : "./" + path
      if type.isHTML || type.isText { return openTyped(absolute) }
      return [
        .open(
          Attachment(
            url: Address.fileURL(path: path), mediaType: type.essence, length: length))
      ]
    }
    return []
  }

  /// Cancels a download, or removes it from the list; a complete file is not deleted.
  mutating func remove(_ id: DownloadID) -> [Effect] {
    guard let (download, effects) = downloads.remove(id) else { return [] }
    notify(
      download.isActive
        ? "cancelled \(download.name); no file was written"
        : "removed \(download.name) from the list; its file stays")
    if case .failed = download.state { notify("removed \(download.name) from the list") }
    return downloadsChanged(effects + openDownloadsOnEmptyScreen())
  }

  /// Quits, unless downloads are running: then the user has to confirm once.
  mutating func quitByKey() -> [Effect] {
    let isAsked = hasAskedToQuit
    hasAskedToQuit = true
    let running = downloads.activeCount
    guard !isAsked, running > 0 else { return quit(0) }
    notify("\(DateTexts.count(running, "download")) not complete; \(quitKey) again cancels them")
    return []
  }

  /// Withdraws the question of `quitByKey` if the event is not a repeated request to quit.
  mutating func withdrawQuitQuestion(at event: InputEvent) {
    switch event {
    case .background, .reply: return
    case .key(let key):
      // If no key is bound to the command, it is typed by name, with several keys.
      if keymap[key] == .quit || keymap.keys(of: .quit).isEmpty { return }
    case .paste, .mouse: break
    }
    hasAskedToQuit = false
  }
}
