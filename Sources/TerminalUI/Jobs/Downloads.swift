import Document
import Foundation
import OfflineCache
import Pages
import Terminal

extension Download {
  /// Adopts the content that a load received.
  fileprivate mutating func receive(_ attachment: Attachment) {
    source = .received(attachment.content)
    mediaType = attachment.mediaType
    options = attachment.loadOptions
    if suggestedName.isEmpty { suggestedName = attachment.suggestedName }
  }

  /// Handles a report of the load that receives the content.
  fileprivate mutating func receive(_ event: LoadEvent) {
    switch event {
    case .progressed(let received, let expected):
      if case .load(let id, _) = source { source = .load(id, received: received) }
      if case .running = state {
        state = .running(received: received, expected: byteCount ?? expected)
      }
      return
    case .asking, .offered, .began, .newer, .checked: return
    case .failed(_, let explanation) where explanation.attachment != nil:
      if let attachment = explanation.attachment { receive(attachment) }
      if case .saved = explanation.provenance.source {
        savedDate = explanation.provenance.contentDate
      }
    // In these cases, the download loads the content again and writes it as it is received.
    case .loaded: source = .request
    case .failed(.tooLarge, _) where !requestHasContent: source = .request
    case .failed(let error, _):
      source = .request
      state = .failed(error.description)
    }
    if case .running = state { state = .waiting }
  }
}

/// The downloads, their order and their progress.
struct Downloads: Sendable {
  /// The maximum number of simultaneous downloads.
  private static let maxRunningDownloads = 3

  /// The downloads, the latest last.
  private(set) var downloads: [Download] = []
  /// Whether downloads that need the network wait, because offline mode is on.
  private var isPaused = false
  private var lastIDNumber = 0

  /// The download with an identifier, or nil.
  subscript(id: DownloadID) -> Download? { downloads.first { $0.id == id } }

  /// The number of unfinished downloads.
  var activeCount: Int { downloads.count(where: \.isActive) }

  /// Adds a download, and returns the effects that start downloads up to the limit.
  mutating func add(
    _ url: String, _ attachment: Attachment?, to path: String, _ options: LoadOptions
  ) -> [Effect] {
    lastIDNumber += 1
    var download = Download(id: DownloadID(lastIDNumber), url: url, path: path, options: options)
    if let attachment { download.receive(attachment) }
    downloads.append(download)
    return startWaiting()
  }

  /// Adds a file for which the user is asked where to save it.
  /// - Parameters:
  ///   - file: The file.
  ///   - load: The load that found it.
  ///   - options: The options for loading it if its content has not been received.
  mutating func add(_ file: OfferedFile, by load: LoadID, _ options: LoadOptions) {
    lastIDNumber += 1
    var download = Download(
      id: DownloadID(lastIDNumber), url: file.offer.url, path: "", options: options)
    download.isInsteadOfPage = true
    download.suggestedName = file.offer.name
    download.mediaType = file.offer.mediaType
    download.byteCount = file.offer.length
    download.savedDate = file.savedDate
    if let attachment = file.attachment { download.receive(attachment) }
    if file.isStillLoading { download.source = .load(load, received: 0) }
    download.requestHasContent = file.requestHasContent
    download.state = .awaitingName(existing: nil)
    downloads.append(download)
  }

  /// The latest active download found by the load of a page, or nil. The key that stops loading
  /// cancels it.
  var cancellableDownload: Download? { downloads.last { $0.isActive && $0.isInsteadOfPage } }

  /// The first download without a file name; nil if there is none.
  var unnamedDownload: Download? {
    downloads.first { if case .awaitingName = $0.state { true } else { false } }
  }

  /// Sets the path that the user chose for a download, and starts it unless its content is still
  /// being received.
  mutating func setPath(_ id: DownloadID, _ path: String) -> [Effect] {
    guard let index = downloads.firstIndex(where: { $0.id == id }) else { return [] }
    downloads[index].path = path
    downloads[index].state =
      if case .load(_, let received) = downloads[index].source {
        .running(received: received, expected: downloads[index].byteCount)
      } else {
        .waiting
      }
    return startWaiting()
  }

  /// Handles the report of a load whose content is to be saved.
  /// - Returns: The download and the resulting effects; nil if the load belongs to no download.
  mutating func handle(
    _ event: LoadEvent, of load: LoadID
  ) -> (download: Download, effects: [Effect])? {
    guard let index = downloads.firstIndex(where: { $0.receivingLoadID == load }) else {
      return nil
    }
    downloads[index].receive(event)
    return (downloads[index], startWaiting())
  }

  /// Starts waiting downloads up to the limit.
  private mutating func startWaiting() -> [Effect] {
    var effects: [Effect] = []
    var running = downloads.count { if case .running = $0.state { true } else { false } }
    for index in downloads.indices
    where downloads[index].state == .waiting && running < Self.maxRunningDownloads
      && !(isPaused && downloads[index].needsNetwork)
    {
      running += 1
      downloads[index].state = .running(received: 0, expected: nil)
      effects.append(.download(downloads[index]))
    }
    return effects
  }

  /// Stops the downloads that need the network, which start again when offline mode ends.
  mutating func pause() -> [Effect] {
    isPaused = true
    var effects: [Effect] = []
    for index in downloads.indices where downloads[index].isActive && downloads[index].needsNetwork
    {
      if let load = downloads[index].receivingLoadID {
        effects.append(.cancelLoad(load))
        downloads[index].source = .request
        if downloads[index].requestHasContent {
          downloads[index].state = .failed("offline mode was turned on")
        }
      } else if case .running = downloads[index].state {
        effects.append(.cancelDownload(downloads[index].id))
      }
      if case .running = downloads[index].state { downloads[index].state = .waiting }
    }
    return effects + startWaiting()
  }

  /// Starts the downloads that `pause` stopped.
  mutating func resume() -> [Effect] {
    isPaused = false
    return startWaiting()
  }

  /// Handles the report of a download, and starts waiting downloads.
  /// - Returns: The resulting effects; nil if the download was removed or is finished.
  mutating func handle(_ event: DownloadEvent, of id: DownloadID) -> [Effect]? {
    guard let index = downloads.firstIndex(where: { $0.id == id }), downloads[index].isActive else {
      return nil
    }
    switch event {
    // A download that was stopped may still report what happened before.
    case .began, .progressed: guard downloads[index].state != .waiting else { return [] }
    case .exists, .done, .failed: break
    }
    switch event {
    case .exists(let path): downloads[index].state = .awaitingName(existing: path)
    case .began(let path): downloads[index].path = path
    case .progressed(let received, let expected):
      downloads[index].state = .running(received: received, expected: expected)
    case .done(let path, let length, let mediaType):
      downloads[index].state = .done(path: path, length: length, mediaType: mediaType)
    case .failed(let message): downloads[index].state = .failed(message)
    }
    // The content is kept as long as it may have to be written under another name.
    if !downloads[index].isActive, downloads[index].content != nil {
      downloads[index].source = .received(nil)
    }
    return startWaiting()
  }

  /// Removes a download, and cancels it if it is running.
  /// - Returns: The download and the resulting effects; nil if there is no such download.
  mutating func remove(_ id: DownloadID) -> (download: Download, effects: [Effect])? {
    guard let index = downloads.firstIndex(where: { $0.id == id }) else { return nil }
    let download = downloads.remove(at: index)
    var effects: [Effect] = []
    if let load = download.receivingLoadID {
      effects = [.cancelLoad(load)]
    } else if case .running = download.state {
      effects = [.cancelDownload(id)]
    }
    return (download, effects + startWaiting())
  }
}
