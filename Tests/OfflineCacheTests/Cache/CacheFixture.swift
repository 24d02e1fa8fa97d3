import Dispatch
import Foundation
import Synchronization

@testable import OfflineCache
@testable import WebArchive
import TestFiles

/// A cache in its own directory, or in one that the test deletes, with a clock that only advances
/// when told to.
final class CacheFixture: Sendable {
  let directory: URL
  let cache: HTTPCache
  private let time: Time
  private let isOwnDirectory: Bool

  final class Time: Sendable {
    private let now = Mutex(Date(timeIntervalSince1970: 1_700_000_000))

    var date: Date { now.withLock { $0 } }

    func advance(_ seconds: TimeInterval) {
      now.withLock { $0 += seconds }
    }
  }

  init(
    _ transport: any Transport = CurlTransport(), in directory: URL? = nil, time: Time = Time(),
    configure: (inout CacheConfiguration) -> Void = { _ in }
  ) {
    let newDirectory = FileManager.default.temporaryDirectory.appendingPathComponent(
      UUID().uuidString)
    self.directory = directory ?? newDirectory
    isOwnDirectory = directory == nil
    self.time = time
    let location = ArchiveLocation(
      archive: self.directory.appendingPathComponent("archive"),
      index: self.directory.appendingPathComponent("index.sqlite"))
    var configuration = CacheConfiguration(location: location, device: "test")
    configuration.seeds = [.folder(self.directory.appendingPathComponent("seed"))]
    configure(&configuration)
    cache = HTTPCache(configuration, transport: transport, clock: { time.date })
  }

  deinit {
    cache.close()
    if isOwnDirectory { try? FileManager.default.removeItem(at: directory) }
  }

  var now: Date { time.date }

  func advance(_ seconds: TimeInterval) {
    time.advance(seconds)
  }

  /// Loads a URL and waits for the end of the load.
  @discardableResult
  func load(
    _ url: String, method: String = "GET", _ fields: [(String, String)] = [],
    _ configure: (inout LoadOptions) -> Void = { _ in }
  ) -> LoadRecord.Result {
    begin(url, method: method, fields, configure).waitForEnd()
  }

  /// Starts a load without waiting.
  func begin(
    _ url: String, method: String = "GET", _ fields: [(String, String)] = [],
    _ configure: (inout LoadOptions) -> Void = { _ in }
  ) -> LoadRecord {
    var options = LoadOptions()
    options.fallbackDelay = 30
    configure(&options)
    let record = LoadRecord()
    let request = WebRequest(
      method: method, url: url, fields: FieldLines(fields.map { .init($0.0, $0.1) }))
    record.load.withLock {
      $0 = cache.load(request, options: options, receive: record.receive)
    }
    return record
  }
}

/// The events of a load, which can be waited for.
final class LoadRecord: Sendable {
  struct Result: Sendable {
    /// The response; after the end, `Cache-Status` contains `stored` if it was saved.
    var response: LoadedResponse?
    var body: [UInt8] = []
    var error: LoadError?
    var stored: StoredResponse?
    var followUp: CacheEvent?
    var isFinished = false

    var text: String { String(decoding: body, as: UTF8.self) }
    var status: Int? { response?.response.status }
    var cacheStatus: String? { response?.response.fields["Cache-Status"] }
  }

  let load = Mutex<FetchTask?>(nil)
  private let state = Mutex(Result())
  private let endSignal = DispatchSemaphore(value: 0)
  private let followUpSignal = DispatchSemaphore(value: 0)

  func receive(_ event: CacheEvent) {
    state.withLock { result in
      switch event {
      case .response(let response): result.response = response
      case .data(let bytes): result.body += bytes
      case .finished(let stored):
        if stored != nil { result.response?.recordSaved() }
        (result.stored, result.isFinished) = (stored, true)
      case .failed(let error): result.error = error
      case .refreshed, .checked: result.followUp = event
      }
    }
    switch event {
    case .finished, .failed: endSignal.signal()
    case .refreshed, .checked: followUpSignal.signal()
    default: break
    }
  }

  var current: Result { state.withLock { $0 } }

  func waitForEnd() -> Result {
    endSignal.wait()
    return current
  }

  func waitForFollowUp() -> Result {
    followUpSignal.wait()
    return current
  }
}
