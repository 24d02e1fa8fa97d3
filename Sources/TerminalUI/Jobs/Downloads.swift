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
  /// The name that the server suggests, or empty.
  package var suggestedName = ""
  /// Whether it was found in the place of a page, so that the key that stops loading cancels it.
  package var isInsteadOfPage = false
  /// Whether it is the response to a request with content, which must not be sent again.
  package var isSent = false
  /// The load that is still receiving the content; nil if this download loads it itself, or has it.
  var load: LoadID?
  /// The number of bytes that the load has received.
  var received = 0
  /// The size in bytes; nil if it is unknown.
  var length: Int?
  /// When the content was saved, if no server was reached for it.
  var savedDate: Date?
  package var state = State.waiting

  /// How far it is.
  package enum State: Sendable, Equatable {
    /// The user has not said where to save it; the path of another file that has the name, if one has.
    case unnamed(existing: String?)
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
    case .unnamed, .waiting, .running: true
    case .done, .failed: false
    }
  }

  /// The name of the file.
  var name: String {
    let path = path.isEmpty ? defaultName : path
    return SafeText.line(path.split(separator: "/").last.map(String.init) ?? path)
  }

  /// The name for a file whose name the user has not chosen.
  package var defaultName: String {
    DownloadName.make(suggested: suggestedName, url: url, mediaType: mediaType)
  }
}

extension Download {
  /// Takes the content over from what a load received.
  fileprivate mutating func receive(_ attachment: Attachment) {
    content = attachment.content
    mediaType = attachment.mediaType
    options = attachment.loadOptions
    isOnScreen = true
    if suggestedName.isEmpty { suggestedName = attachment.suggestedName }
  }

  /// Handles the report of the load that receives the content.
  fileprivate mutating func receive(_ event: LoadEvent) {
    switch event {
    case .progressed(let received, let expected):
      self.received = received
      if case .running = state {
        state = .running(received: received, expected: length ?? expected)
      }
      return
    case .asking, .offered, .began, .newer, .checked: return
    case .failed(_, let explanation) where explanation.attachment != nil:
      if let attachment = explanation.attachment { receive(attachment) }
      if case .saved = explanation.provenance.source {
        savedDate = explanation.provenance.contentDate
      }
    // It is loaded again, and written as it is received.
    case .loaded: break
    case .failed(.tooLarge, _) where !isSent: break
    case .failed(let error, _): state = .failed(error.description)
    }
    load = nil
    if case .running = state { state = .waiting }
  }
}

/// What a download reports.
package enum DownloadEvent: Sendable, Equatable {
  /// Nothing was written, because there is another file of that name.
  case exists(path: String)
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
    if let attachment { download.receive(attachment) }
    all.append(download)
    return start()
  }

  /// Adds a file for which the user is asked where to save it.
  /// - Parameters:
  ///   - file: the file.
  ///   - load: the load that found it.
  ///   - options: how it is loaded if it has not been received.
  mutating func add(_ file: OfferedFile, by load: LoadID, _ options: LoadOptions) {
    last += 1
    var download = Download(
      id: DownloadID(last), url: file.offer.url, path: "", options: options)
    download.isInsteadOfPage = true
    download.suggestedName = file.offer.name
    download.mediaType = file.offer.mediaType
    download.length = file.offer.length
    download.savedDate = file.savedDate
    if let attachment = file.attachment { download.receive(attachment) }
    if file.isLoading { download.load = load }
    download.isSent = file.isSent
    download.state = .unnamed(existing: nil)
    all.append(download)
  }

  /// The latest download that the key that stops loading cancels, or nil.
  var cancellable: Download? { all.last { $0.isActive && $0.isInsteadOfPage } }

  /// The first download that has no name yet.
  var unnamed: Download? {
    all.first { if case .unnamed = $0.state { true } else { false } }
  }

  /// Gives a download the name that the user chose, and starts it unless its content is still being received.
  mutating func name(_ id: DownloadID, _ path: String) -> [Effect] {
    guard let index = all.firstIndex(where: { $0.id == id }) else { return [] }
    all[index].path = path
    let isLoading = all[index].load != nil
    all[index].state =
      isLoading
      ? .running(received: all[index].received, expected: all[index].length) : .waiting
    return start()
  }

  /// Handles the report of a load whose content is to be saved.
  /// - Returns: the download, and what is to be done; nil if the load is of no download.
  mutating func take(
    _ event: LoadEvent, of load: LoadID
  ) -> (download: Download, effects: [Effect])? {
    guard let index = all.firstIndex(where: { $0.load == load }) else { return nil }
    all[index].receive(event)
    return (all[index], start())
  }

  /// Starts what waits, as far as there is room.
  private mutating func start() -> [Effect] {
    var effects: [Effect] = []
    var running = all.count { if case .running = $0.state { true } else { false } }
    for index in all.indices where all[index].state == .waiting && running < Self.most {
      running += 1
      all[index].state = .running(received: 0, expected: nil)
      effects.append(.download(all[index]))
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
    case .exists(let path): all[index].state = .unnamed(existing: path)
    case .began(let path): all[index].path = path
    case .progressed(let received, let expected):
      all[index].state = .running(received: received, expected: expected)
    case .done(let path, let length, let mediaType):
      all[index].state = .done(path: path, length: length, mediaType: mediaType)
    case .failed(let words): all[index].state = .failed(words)
    }
    // Content that may have to be written under another name is kept until then.
    if !all[index].isActive { all[index].content = nil }
    return start()
  }

  /// Takes a download off the list; one that runs is cancelled.
  /// - Returns: the download and what is to be done, or nil.
  mutating func remove(_ id: DownloadID) -> (download: Download, effects: [Effect])? {
    guard let index = all.firstIndex(where: { $0.id == id }) else { return nil }
    let download = all.remove(at: index)
    var effects: [Effect] = []
    if let load = download.load {
      effects = [.cancel(load)]
    } else if case .running = download.state {
      effects = [.cancelDownload(id)]
    }
    return (download, effects + start())
  }
}
