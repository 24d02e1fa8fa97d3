import Rendering
import Profiles
import Pages
import Foundation
import Library
import OfflineCache
import OfflineCacheURLSession

/// The transfer of one enclosure, on the thread that calls `run`. The transfer performs the actions
/// of an `EnclosureMachine`.
///
/// The record is written before the bytes that it describes, and the file is renamed after its
/// bytes were flushed, so that the transfer can be continued after a failure at any time.
struct EnclosureTransfer {
  private let cache: HTTPCache
  private let store: EnclosureStore
  private let options: LoadOptions
  private var machine: EnclosureMachine
  /// The record as stored, except for the result of the transfer.
  private(set) var record: EnclosureRecord
  private let file: OpenFile
  /// The number of valid bytes in the partial file.
  private(set) var length: Int64
  /// The number of bytes that were received and written.
  private(set) var received: Int64 = 0
  private var inbox = NavigationInbox()
  private var load: Navigation?
  /// The URL of the response that is being received; nil if there is none.
  private var source: WebURL?
  /// Whether the response that is being received is declared as plain text.
  private var isPlainText = false
  /// The received bytes that have not been written yet.
  private var buffer: [UInt8] = []

  /// The number of bytes between two flushes of the partial file.
  static let flushStep: Int64 = 4 << 20
  /// The interval between progress reports while no content arrives.
  private static let progressInterval = Duration.milliseconds(100)

  /// Prepares a transfer, and empties a partial file that cannot be resumed.
  /// - Throws: `ArchiveError` if the partial file cannot be opened.
  init(
    of record: EnclosureRecord, limit: EnclosureMachine.Limit, in profile: Profile,
    options: LoadOptions
  ) throws(ArchiveError) {
    (self.record, self.options) = (record, options)
    (cache, store) = (profile.cache, profile.enclosures)
    file = try store.openPart(of: record)
    let isResumable = record.validator != nil && record.source != nil
    let stored = try file.status().size
    // After a power failure, bytes that were not flushed may be wrong.
    length = isResumable ? max(0, min(record.flushed, stored)) : 0
    try file.truncate(to: length)
    machine = EnclosureMachine(
      offset: length, validator: length > 0 ? record.validator : nil, size: record.size,
      limit: limit)
  }

  /// Transfers the file.
  /// - Parameter progress: Called with the number of bytes of the file and its size, nil if that is
  ///   unknown; returns false to stop.
  /// - Returns: The failure; nil if the file is complete.
  mutating func run(progress: (Int64, Int64?) -> Bool) -> EnclosureFailure? {
    if length > 0, length == record.size {
      // An earlier transfer was interrupted before the complete file was renamed.
      perform([.complete(size: length)])
      return failure
    }
    request()
    var pace = TransferPace()
    while !machine.isEnded {
      guard progress(length, machine.knownSize) else {
        handle(.failed(.cancelled))
        break
      }
      guard !pace.isTooSlow(received: received) else {
        handle(.failed(.incomplete))
        break
      }
      if let event = inbox.next(timeout: Self.progressInterval) { receive(event) }
    }
    if case .ended(let ended) = machine.state { failure = failure ?? ended }
    return failure
  }

  /// The failure that ends the transfer, such as an error in writing the file; nil if there is
  /// none.
  private var failure: EnclosureFailure?
  /// Whether another process has removed or moved the enclosure. Its record must not be written.
  private var isRemoved = false

  // MARK: Requests

  /// Requests the rest of the file from the URL that the partial file came from, or the whole file
  /// from its own URL.
  private mutating func request() {
    var fields = FieldLines()
    // The content must not be encoded, because it becomes the file, and no cache stores it
    // (`no-store`, RFC 9111 §5.2.1.5).
    fields.append("Accept", "*/*")
    fields.append("Accept-Encoding", "identity")
    fields.append("Cache-Control", "no-store")
    var target = record.url
    if length > 0, let validator = record.validator {
      fields.append("Range", "bytes=\(length)-")
      fields.append("If-Range", validator)
      target = record.source ?? target
    }
    inbox = NavigationInbox()
    source = WebURL(target)
    guard let url = source, url.isWeb else {
      return handle(.failed(.transport(.badURL)))
    }
    load = cache.startInSession(
      WebRequest(url: url, fields: fields), options: loadOptions, maxRedirects: 20, into: inbox)
  }

  private var loadOptions: LoadOptions {
    var options = options
    options.mode = .networkOnly
    options.allowsFallback = false
    options.isFromPage = true
    options.isUnattended = true
    options.isPublicOnly = !record.isLocal
    // The size limits for enclosures apply instead, and a large file needs more time than a page.
    options.maxSize = .max
    options.refusesEndless = true
    options.totalTimeout = .infinity
    return options
  }

  private mutating func receive(_ event: NavigationEvent) {
    switch event {
    case .redirected, .refreshed, .checked: break
    case .response(let response, let url):
      source = url.withoutFragment.withoutCredentials
      let head = EnclosureResponse(response.response, now: Date())
      isPlainText = head.isPlainText
      handle(.response(head))
    case .data(let bytes):
      guard length > 0 || !EnclosureRecord.isPlaylist(bytes) else {
        return handle(.failed(.unsupportedMediaType("a playlist")))
      }
      let isText =
        isPlainText && FileMediaType.of(name: "", beginning: bytes).hasPrefix("text/")
      guard length > 0 || !isText else {
        return handle(.failed(.unsupportedMediaType("text/plain")))
      }
      buffer = bytes
      handle(.content(Int64(bytes.count)))
    case .finished: handle(.finished)
    case .failed(let error):
      let kind = error.failure.kind
      handle(.failed(kind == .incomplete ? .incomplete : .transport(kind)))
    }
  }

  // MARK: Actions

  private mutating func handle(_ event: EnclosureMachine.Event) { perform(machine.handle(event)) }

  private mutating func perform(_ actions: [EnclosureMachine.Action]) {
    for action in actions {
      do throws(ArchiveError) {
        try perform(action)
      } catch {
        // On a full disk, a partial file must not use space that pages need.
        if error == .full { try? discard() }
        let failure: EnclosureFailure =
          isRemoved ? .removed : error == .full ? .noSpace : .unwritable(error.reason)
        self.failure = failure
        _ = machine.handle(.failed(failure))
        load?.cancel()
        return
      }
    }
  }

  private mutating func perform(_ action: EnclosureMachine.Action) throws(ArchiveError) {
    switch action {
    case .begin(let response): try begin(response)
    case .append:
      try file.write(buffer, at: length)
      length += Int64(buffer.count)
      received += Int64(buffer.count)
      buffer = []
      if length - record.flushed >= Self.flushStep {
        guard FreeSpaceReserve.allows(0, of: store.freeSpace) else { throw .full }
        try flush()
      }
    case .restart:
      load?.cancel()
      try truncateToEmpty()
      request()
    case .complete(let size): try complete(size)
    case .suspend:
      load?.cancel()
      guard record.validator != nil, length > 0 else { return try discard() }
      try flush()
    case .discard:
      load?.cancel()
      try discard()
    }
  }

  private mutating func begin(_ response: EnclosureResponse) throws(ArchiveError) {
    try checkIsCurrent()
    try truncateToEmpty()
    guard FreeSpaceReserve.allows(response.length ?? 0, of: store.freeSpace) else {
      throw .full
    }
    let type = EnclosureRecord.mediaType(declared: response.mediaType ?? "", url: record.url)
    // The media type is adopted only if its kind is the one that the feed declares and the settings
    // select.
    if EnclosureRecord.kind(of: type) == record.kind { record.mediaType = type }
    record.size = response.length
    if let validator = response.validator, let url = source?.description,
      url.utf8.count <= EnclosureRecord.maxURLLength
    {
      (record.validator, record.source) = (validator, url)
    }
    try store.save(record)
  }

  /// Checks that no other process has removed or moved the partial file.
  /// - Throws: `ArchiveError` if another process has done so; `isRemoved` is then true.
  private mutating func checkIsCurrent() throws(ArchiveError) {
    guard try !file.isCurrent() else { return }
    isRemoved = true
    throw .notFound
  }

  /// Empties the partial file.
  private mutating func truncateToEmpty() throws(ArchiveError) {
    try file.truncate(to: 0)
    length = 0
    (record.flushed, record.validator, record.source) = (0, nil, nil)
  }

  private mutating func flush() throws(ArchiveError) {
    try checkIsCurrent()
    try file.sync()
    guard record.flushed != length else { return }
    record.flushed = length
    try store.save(record)
  }

  private mutating func complete(_ size: Int64) throws(ArchiveError) {
    try checkIsCurrent()
    try file.sync()
    (record.size, record.flushed) = (size, size)
    try store.save(record)
    try store.completePart(of: record)
    length = size
    record = record.completed
    try store.save(record)
  }

  private mutating func discard() throws(ArchiveError) {
    try checkIsCurrent()
    try store.removePart(of: record)
    length = 0
    (record.flushed, record.validator, record.source) = (0, nil, nil)
    record.size = machine.knownSize ?? record.size
    try store.save(record)
  }
}
