import Document
import Foundation
import OfflineCache
import Pages
import Terminal

extension Download {
  /// Adopts the content that a load received.
  fileprivate mutating func receive(_ attachment: Attachment) {
    content = attachment.content
    mediaType = attachment.mediaType
    options = attachment.loadOptions
    isOnScreen = true
    if suggestedName.isEmpty { suggestedName = attachment.suggestedName }
  }

  /// Handles a report of the load that receives the content.
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
    // In these cases, the download loads the content again and writes it as it is received.
    case .loaded: break
    case .failed(.tooLarge, _) where !requestHasContent: break
    case .failed(let error, _): state = .failed(error.description)
    }
    load = nil
    if case .running = state { state = .waiting }
  }
}

/// An event of a download.
package enum DownloadEvent: Sendable, Equatable {
  /// Nothing was written because a file with this name exists.
  case exists(path: String)
  /// The path of the file was determined: a file in the requested directory, or the requested path.
  case began(path: String)
  /// The number of bytes received, and the total if it is known.
  case progressed(received: Int, expected: Int?)
  /// The file is complete.
  case done(path: String, length: Int, mediaType: String)
  /// No file was written, for this reason.
  case failed(String)
}

/// The downloads, their order and their progress.
struct Downloads: Sendable {
  /// The maximum number of simultaneous downloads.
  private static let maximum = 3

  /// The downloads, the latest last.
  private(set) var all: [Download] = []
  private var last = 0

  /// The download with an identifier, or nil.
  subscript(id: DownloadID) -> Download? { all.first { $0.id == id } }

  /// The number of unfinished downloads.
  var activeCount: Int { all.count(where: \.isActive) }

  /// Adds a download, and returns the effects that start downloads up to the limit.
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
  ///   - file: The file.
  ///   - load: The load that found it.
  ///   - options: The options for loading it if its content has not been received.
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
    download.requestHasContent = file.requestHasContent
    download.state = .unnamed(existing: nil)
    all.append(download)
  }

  /// The latest active download found by the load of a page, or nil. The key that stops loading
  /// cancels it.
  var cancellable: Download? { all.last { $0.isActive && $0.isInsteadOfPage } }

  /// The first download without a file name.
  var unnamed: Download? {
    all.first { if case .unnamed = $0.state { true } else { false } }
  }

  /// Sets the path that the user chose for a download, and starts it unless its content is still
  /// being received.
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
  /// - Returns: The download and the resulting effects; nil if the load belongs to no download.
  mutating func handle(
    _ event: LoadEvent, of load: LoadID
  ) -> (download: Download, effects: [Effect])? {
    guard let index = all.firstIndex(where: { $0.load == load }) else { return nil }
    all[index].receive(event)
    return (all[index], start())
  }

  /// Starts waiting downloads up to the limit.
  private mutating func start() -> [Effect] {
    var effects: [Effect] = []
    var running = all.count { if case .running = $0.state { true } else { false } }
    for index in all.indices where all[index].state == .waiting && running < Self.maximum {
      running += 1
      all[index].state = .running(received: 0, expected: nil)
      effects.append(.download(all[index]))
    }
    return effects
  }

  /// Handles the report of a download, and starts waiting ones.
  /// - Returns: The resulting effects; nil if the download was removed or is finished.
  mutating func handle(_ event: DownloadEvent, of id: DownloadID) -> [Effect]? {
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
    case .failed(let message): all[index].state = .failed(message)
    }
    // The content is kept as long as it may have to be written under another name.
    if !all[index].isActive { all[index].content = nil }
    return start()
  }

  /// Removes a download, and cancels it if it is running.
  /// - Returns: The download and the resulting effects; nil if there is no such download.
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
