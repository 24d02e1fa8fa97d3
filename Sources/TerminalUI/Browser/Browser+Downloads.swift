import Commands
import Document
import Formats
import Foundation
import OfflineCache
import Reader
import Terminal
import Layout

extension Browser {
  /// Writes what an address gives to a file.
  /// - Parameters:
  ///   - url: the address.
  ///   - attachment: what of it is on the screen, whose bytes are written then; else nil.
  ///   - name: the file.
  /// - Returns: what is to be done.
  mutating func download(_ url: String, _ attachment: Attachment?, to name: String) -> [Effect] {
    let name = name.trimmingCharacters(in: .whitespaces)
    guard !name.isEmpty else { return [] }
    let effects = downloads.add(url, attachment, to: name, loading.options)
    notice = Notice(text: "writing \(SafeText.line(name)); \(key(of: .downloads)) lists downloads")
    return downloadsChanged(effects)
  }

  private mutating func downloadsChanged(_ effects: [Effect]) -> [Effect] {
    if list?.kind == .downloads { refreshList() }
    return effects
  }

  /// Takes the report of a download.
  mutating func take(_ event: DownloadEvent, of id: DownloadID) -> [Effect] {
    guard let effects = downloads.take(event, of: id) else { return [] }
    switch event {
    case .began, .progressed: break
    case .done(let path, let length, _):
      notice = Notice(text: "wrote \(SafeText.line(path)), \(ByteCount.text(length))")
    case .failed(let words):
      notice = Notice(text: "not written: \(SafeText.line(words))", isError: true)
    }
    return downloadsChanged(effects)
  }

  /// The entries of the list of downloads, the latest first.
  var downloadEntries: [ListEntry] {
    downloads.all.reversed().map { download in
      var entry = ListEntry(
        download.name, to: .download(download.id), alsoFoundBy: download.url)
      switch download.state {
      case .waiting: entry.details[.note] = "waiting"
      case .running(let received, let expected):
        entry.details[.note] = ByteCount.text(received)
        if let expected, expected > 0 {
          entry.details[.note]? += " of \(ByteCount.text(expected))"
          entry.percent = min(100, received * 100 / expected)
        }
      case .done(_, let length, _):
        entry.details[.note] = "done  \(ByteCount.text(length))"
      case .failed(let words):
        let reason = widths.truncated(
          SafeText.line(words), to: max(10, size.columns / 2 - 8), ellipsis: glyphs.ellipsis)
        entry.details[.note] = "failed: \(reason)"
      }
      return entry
    }
  }

  /// Opens what a download has written.
  mutating func open(_ id: DownloadID) -> [Effect] {
    guard let download = downloads[id] else { return [] }
    switch download.state {
    case .waiting, .running:
      notice = Notice(text: "it is still being written; \(key(of: .remove)) cancels")
    case .failed(let words): notice = Notice(text: SafeText.line(words), isError: true)
    case .done(let path, let length, let mediaType):
      let type = MediaType(mediaType)
      let absolute = path.hasPrefix("/") || path.hasPrefix("~/") ? path : "./" + path
      if type.isHTML || type.isText { return visit(absolute) }
      return [
        .open(
          Attachment(
            url: Address.fileURL(path: path), mediaType: type.essence, length: length))
      ]
    }
    return []
  }

  /// Cancels a download, or takes it off the list; the file stays.
  mutating func remove(_ id: DownloadID) -> [Effect] {
    guard let (download, effects) = downloads.remove(id) else { return [] }
    notice = Notice(
      text: download.isActive
        ? "cancelled \(download.name)" : "\(download.name) is off the list; its file stays")
    if case .failed = download.state { notice = Notice(text: "\(download.name) is off the list") }
    return downloadsChanged(effects)
  }

  /// Quits at once, unless downloads are running: then it asks the user once.
  mutating func quitByKey() -> [Effect] {
    let isAsked = hasAskedToQuit
    hasAskedToQuit = true
    let running = downloads.activeCount
    guard !isAsked, running > 0 else { return quit(0) }
    notice = Notice(
      text: "\(DateWords.count(running, "download")) not complete; \(quitKey) again drops them")
    return []
  }

  /// Takes what was asked before the end for answered, unless this says to quit again.
  mutating func forgetQuestionOfQuitting(at event: InputEvent) {
    switch event {
    case .background, .answer: return
    case .key(let key):
      // Without a key it is the command, which takes several keys to type.
      if keymap[key] == .quit || keymap.keys(of: .quit).isEmpty { return }
    case .paste, .mouse: break
    }
    hasAskedToQuit = false
  }
}
