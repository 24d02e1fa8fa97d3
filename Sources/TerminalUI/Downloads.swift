import Document
import Foundation
package import OfflineCache
import Reader
import Terminal

/// Names a download, so that reports of one that is gone are known.
package struct DownloadID: Hashable, Sendable {
  /// Counts from 1.
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

/// What an address gives, to be written to a file.
package struct Download: Sendable, Equatable {
  package var id: DownloadID
  /// The address.
  package var url: String
  /// The file, as it was asked for.
  package var path: String
  /// How it is loaded.
  package var options: LoadOptions
  /// The bytes, where they are those on screen and nothing is to be loaded; else nil.
  package var content: [UInt8]?
  /// The media type of those bytes, or empty.
  package var mediaType = ""
  /// Whether it is what is on screen, whatever the status of its answer was.
  package var isOnScreen = false
  package var state = State.waiting

  /// How far it is.
  package enum State: Sendable, Equatable {
    /// Others come first.
    case waiting
    /// Bytes so far, and in all if the server said so.
    case running(received: Int, expected: Int?)
    /// It is in this file.
    case done(path: String, length: Int, mediaType: String)
    /// Why it is not.
    case failed(String)
  }

  /// Whether there is something left to be done.
  var isActive: Bool {
    switch state {
    case .waiting, .running: true
    case .done, .failed: false
    }
  }

  /// The name of the file.
  var name: String { SafeText.line(path.split(separator: "/").last.map(String.init) ?? path) }
}

/// What a download reports.
package enum DownloadEvent: Sendable, Equatable {
  /// It will be this file: that of the name in a folder, where a folder was named.
  case began(path: String)
  /// Bytes so far, and in all if the server said so.
  case progressed(received: Int, expected: Int?)
  /// The file is there.
  case done(path: String, length: Int, mediaType: String)
  /// There is no file of that name, for this reason.
  case failed(String)
}

extension Browser {
  /// How many downloads run at once.
  private static let mostDownloads = 3

  /// Writes what an address gives to a file.
  /// - Parameters:
  ///   - url: the address.
  ///   - attachment: what of it is on the screen, whose bytes are written then; else nil.
  ///   - name: the file.
  /// - Returns: what is to be done.
  mutating func download(_ url: String, _ attachment: Attachment?, to name: String) -> [Effect] {
    let name = name.trimmingCharacters(in: .whitespaces)
    guard !name.isEmpty else { return [] }
    lastDownload += 1
    var download = Download(
      id: DownloadID(lastDownload), url: url, path: name, options: loadOptions)
    if let attachment {
      download.content = attachment.content
      download.mediaType = attachment.mediaType
      download.options = attachment.loadOptions
      download.isOnScreen = true
    }
    downloads.append(download)
    notice = Notice(text: "writing \(SafeText.line(name)); \(key(of: .downloads)) lists downloads")
    return startDownloads()
  }

  /// Starts what waits, as far as there is room.
  private mutating func startDownloads() -> [Effect] {
    var effects: [Effect] = []
    var running = downloads.count { if case .running = $0.state { true } else { false } }
    for index in downloads.indices
    where downloads[index].state == .waiting && running < Self.mostDownloads {
      running += 1
      downloads[index].state = .running(received: 0, expected: nil)
      effects.append(.download(downloads[index]))
      // Whoever writes them has them.
      downloads[index].content = nil
    }
    if list?.kind == .downloads { refreshList() }
    return effects
  }

  /// Takes the report of a download.
  mutating func take(_ event: DownloadEvent, of id: DownloadID) -> [Effect] {
    guard let index = downloads.firstIndex(where: { $0.id == id }), downloads[index].isActive
    else { return [] }
    switch event {
    case .began(let path): downloads[index].path = path
    case .progressed(let received, let expected):
      downloads[index].state = .running(received: received, expected: expected)
    case .done(let path, let length, let mediaType):
      downloads[index].state = .done(path: path, length: length, mediaType: mediaType)
      notice = Notice(text: "wrote \(SafeText.line(path)), \(ByteCount.text(length))")
    case .failed(let words):
      downloads[index].state = .failed(words)
      notice = Notice(text: "not written: \(SafeText.line(words))", isError: true)
    }
    return startDownloads()
  }

  /// The entries of the list of downloads, the latest first.
  var downloadEntries: [ListEntry] {
    downloads.reversed().map { download in
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
    guard let download = downloads.first(where: { $0.id == id }) else { return [] }
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
    guard let index = downloads.firstIndex(where: { $0.id == id }) else { return [] }
    let download = downloads.remove(at: index)
    notice = Notice(
      text: download.isActive
        ? "cancelled \(download.name)" : "\(download.name) is off the list; its file stays")
    if case .failed = download.state { notice = Notice(text: "\(download.name) is off the list") }
    var effects: [Effect] = []
    if case .running = download.state { effects = [.cancelDownload(id)] }
    return effects + startDownloads()
  }

  /// Ends when nothing is being written, or when the reader was asked just before.
  mutating func quitByKey() -> [Effect] {
    let count = downloads.count(where: \.isActive)
    guard count > 0, !hasAskedToQuit else { return quit(0) }
    hasAskedToQuit = true
    notice = Notice(
      text: "\(DateWords.count(count, "download")) not complete; \(quitKey) again drops them")
    return []
  }

  /// Takes what was asked about downloads for answered, unless this says to quit again.
  mutating func forgetQuestionOfQuitting(at event: InputEvent) {
    switch event {
    case .background: return
    case .key(let key):
      // Without a key it is the command, which takes several keys to type.
      if keymap[key] == .quit || keymap.keys(of: .quit).isEmpty { return }
    case .paste, .mouse: break
    }
    hasAskedToQuit = false
  }
}
