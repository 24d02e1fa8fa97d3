import Document
import Foundation
package import OfflineCache
import Reader
import Terminal

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

/// What is written to files: in which order, how far it is, and whether it keeps the program from ending.
struct Downloads: Sendable {
  /// How many run at once.
  private static let most = 3

  /// The downloads, the latest last.
  private(set) var all: [Download] = []
  private var last = 0

  /// The download with a name, or nil.
  subscript(id: DownloadID) -> Download? { all.first { $0.id == id } }

  /// How many are not complete.
  var activeCount: Int { all.count(where: \.isActive) }

  /// Puts something on the list, and starts what has room.
  mutating func add(
    _ url: String, _ attachment: Attachment?, to path: String, _ options: LoadOptions
  ) -> [Effect] {
    last += 1
    var download = Download(id: DownloadID(last), url: url, path: path, options: options)
    if let attachment {
      download.content = attachment.content
      download.mediaType = attachment.mediaType
      download.options = attachment.loadOptions
      download.isOnScreen = true
    }
    all.append(download)
    return start()
  }

  /// Starts what waits, as far as there is room.
  private mutating func start() -> [Effect] {
    var effects: [Effect] = []
    var running = all.count { if case .running = $0.state { true } else { false } }
    for index in all.indices where all[index].state == .waiting && running < Self.most {
      running += 1
      all[index].state = .running(received: 0, expected: nil)
      effects.append(.download(all[index]))
      // Whoever writes them has them.
      all[index].content = nil
    }
    return effects
  }

  /// Takes the report of a download, and starts what has room then.
  /// - Returns: what is to be done; nil when nobody waits for the report.
  mutating func take(_ event: DownloadEvent, of id: DownloadID) -> [Effect]? {
    guard let index = all.firstIndex(where: { $0.id == id }), all[index].isActive else {
      return nil
    }
    switch event {
    case .began(let path): all[index].path = path
    case .progressed(let received, let expected):
      all[index].state = .running(received: received, expected: expected)
    case .done(let path, let length, let mediaType):
      all[index].state = .done(path: path, length: length, mediaType: mediaType)
    case .failed(let words): all[index].state = .failed(words)
    }
    return start()
  }

  /// Takes a download off the list; one that runs is cancelled.
  /// - Returns: the download and what is to be done, or nil.
  mutating func remove(_ id: DownloadID) -> (download: Download, effects: [Effect])? {
    guard let index = all.firstIndex(where: { $0.id == id }) else { return nil }
    let download = all.remove(at: index)
    var effects: [Effect] = []
    if case .running = download.state { effects = [.cancelDownload(id)] }
    return (download, effects + start())
  }
}
