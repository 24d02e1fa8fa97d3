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
    notify("writing \(SafeText.line(name)); \(keyName(of: .downloads)) lists downloads")
    return updateDownloads(effects)
  }

  // MARK: Files instead of pages

  /// Adds a file that a load found instead of a page to the downloads. The screen no longer waits
  /// for the load, which may go on receiving the file for the download.
  mutating func offer(_ file: OfferedFile, by load: Load) {
    loading.endLoad()
    downloads.add(file, by: load.id, loading.options)
  }

  /// Asks where to save a file that has no name yet, once no other input mode is active.
  mutating func askForFileName() {
    guard layers.topInput == nil, list?.isFiltering != true,
      let download = downloads.unnamedDownload,
      case .awaitingName(let existing) = download.state
    else { return }
    if let existing {
      let name = existing.split(separator: "/").last.map(String.init) ?? existing
      openPrompt(
        .fileName(download.id, label: "\(SafeText.line(name)) exists. Save as: "),
        text: DownloadName.numberedPath(after: download.path))
    } else {
      let size = download.byteCount.map { " (\(CountFormatter.byteCountText($0)))" } ?? ""
      openPrompt(
        .fileName(download.id, label: "Save file\(size) as: "), text: download.defaultFileName)
    }
  }

  /// Saves a file under the name that the user chose; an empty name cancels.
  mutating func save(_ id: DownloadID, as name: String) -> [Effect] {
    let name = name.trimmingCharacters(in: .whitespaces)
    guard !name.isEmpty else { return remove(id) }
    let effects = downloads.setPath(id, name)
    // The status line shows the progress.
    if downloads[id]?.receivingLoadID == nil {
      notify("writing \(SafeText.line(name)); \(keyName(of: .downloads)) lists downloads")
    }
    return updateDownloads(effects + openDownloadsOnEmptyScreen())
  }

  /// Opens the list of downloads if no page is open.
  private mutating func openDownloadsOnEmptyScreen() -> [Effect] {
    view == nil && list == nil && loading.load == nil ? openList(.downloads) : []
  }

  /// Handles the report of a load whose content is saved to a file; returns nil for every other
  /// load.
  mutating func handleFile(_ event: LoadEvent, of id: LoadID) -> [Effect]? {
    guard let (download, effects) = downloads.handle(event, of: id) else { return nil }
    queue.recordOutcome(event, of: download.url)
    if case .failed(let message) = download.state {
      if case .prompt(let prompt) = layers.topInput, case .fileName(download.id, _) = prompt.kind {
        layers.closeInput()
      }
      reportError("not written: \(SafeText.line(message))")
      return updateDownloads(effects + openDownloadsOnEmptyScreen())
    }
    return updateDownloads(effects)
  }

  /// The progress of the latest running download, or nil.
  var downloadProgressText: String? {
    guard
      let download = downloads.downloads.last(where: {
        if case .running = $0.state { true } else { false }
      }), case .running(let received, let expected) = download.state
    else { return nil }
    let name = displayWidth.truncatedInMiddle(download.fileName, to: 24, ellipsis: glyphs.ellipsis)
    guard let expected, expected > 0 else {
      return "saving \(name)  \(CountFormatter.byteCountText(received))"
    }
    let percent = min(100, received * 100 / expected)
    return "saving \(name)  \(percent)% of \(CountFormatter.byteCountText(expected))"
  }

  mutating func updateDownloads(_ effects: [Effect]) -> [Effect] {
    if list?.kind == .downloads { refreshList() }
    return effects
  }

  /// Handles the report of a download.
  mutating func process(_ event: DownloadEvent, of id: DownloadID) -> [Effect] {
    guard let effects = downloads.handle(event, of: id) else { return [] }
    switch event {
    // If the file exists, `askForFileName` asks for another name.
    case .began, .progressed, .exists: break
    case .done(let path, let length, _):
      let copy = downloads[id]?.savedDate.map {
        " (saved copy, \(DateTexts.plainAge(of: $0, now: now)))"
      }
      notify("wrote \(SafeText.line(path)), \(CountFormatter.byteCountText(length))\(copy ?? "")")
    case .failed(let message):
      reportError("not written: \(SafeText.line(message))")
    }
    return updateDownloads(effects)
  }

  /// The entries of the list of downloads: the enclosures of feeds, then the downloads, the latest
  /// first.
  var downloadEntries: [ListEntry] {
    enclosureEntries
      + downloads.downloads.reversed().map { download -> ListEntry in
        var entry = ListEntry(
          download.fileName, to: .download(download.id), extraFilterText: download.url)
        switch download.state {
        case .awaitingName, .waiting: entry.details[.extraText] = "waiting"
        case .running(let received, let expected):
          entry.details[.extraText] = CountFormatter.byteCountText(received)
          if let expected, expected > 0 {
            entry.details[.extraText]? += " of \(CountFormatter.byteCountText(expected))"
            entry.readPercent = min(100, received * 100 / expected)
          }
        case .done(_, let length, _):
          entry.details[.extraText] = "done  \(CountFormatter.byteCountText(length))"
        case .failed(let message):
          entry.note = "failed: \(SafeText.line(message))"
        }
        return entry
      }
  }

  /// Opens the file of a download.
  mutating func open(_ id: DownloadID) -> [Effect] {
    guard let download = downloads[id] else { return [] }
    switch download.state {
    case .awaitingName, .waiting, .running:
      notify("still downloading; \(keyName(of: .remove)) cancels")
    case .failed(let message): reportError(SafeText.line(message))
    case .done(let path, let length, let mediaType):
      let type = MediaType(mediaType)
      let absolute = path.hasPrefix("/") || path.hasPrefix("~/") ? path : "./" + path
      if type.isHTML || type.isText { return openTypedURL(absolute) }
      return [
        .openAttachment(
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
        ? "cancelled \(download.fileName); no file was written"
        : "removed \(download.fileName) from the list; its file stays")
    if case .failed = download.state { notify("removed \(download.fileName) from the list") }
    return updateDownloads(effects + openDownloadsOnEmptyScreen())
  }

  /// Quits, unless downloads are running: then the user has to confirm once.
  mutating func quitAfterConfirmation() -> [Effect] {
    let isAsked = isQuitConfirmationPending
    isQuitConfirmationPending = true
    let running = downloads.activeCount
    guard !isAsked, running > 0 else { return quit(0) }
    let pronoun = running == 1 ? "it" : "them"
    let count = DateTexts.countText(running, "download")
    notify("\(count) not complete; \(quitKey) again cancels \(pronoun)")
    return []
  }

  /// Withdraws the question that `quitAfterConfirmation` asked if the event is not a repeated
  /// request to quit.
  mutating func withdrawQuitQuestion(at event: InputEvent) {
    switch event {
    case .background, .reply: return
    case .key(let key):
      // If no key is bound to the command, the user types its name, which takes several keys.
      if keymap[key] == .quit || keymap.keys(of: .quit).isEmpty { return }
    case .paste, .mouse: break
    }
    isQuitConfirmationPending = false
  }
}
