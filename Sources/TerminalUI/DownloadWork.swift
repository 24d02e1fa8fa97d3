import Foundation
import Glibc
import OfflineCache
import Reader
import Synchronization

/// Writes what addresses give to files, each as it comes; answers go to the mailbox.
final class DownloadWork: Sendable {
  private let profile: Profile
  private let post: @Sendable (Message) -> Void
  private let running = Mutex<[DownloadID: DownloadRun]>([:])
  private let queue = DispatchQueue(label: "offread.downloads", attributes: .concurrent)

  /// - Parameters:
  ///   - profile: whose cache loads them.
  ///   - post: takes answers, from any thread.
  init(profile: Profile, post: @escaping @Sendable (Message) -> Void) {
    self.profile = profile
    self.post = post
  }

  /// Starts a download.
  /// - Parameters:
  ///   - id: its name in answers.
  ///   - url: the address.
  ///   - name: the file, or a folder for it; nothing that exists is replaced.
  ///   - options: how it is loaded.
  func start(_ id: DownloadID, _ url: String, to name: String, _ options: LoadOptions) {
    let home = name == "~" || name.hasPrefix("~/")
    var path = home ? (Locations.home() ?? "") + name.dropFirst() : name
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      path += (path.hasSuffix("/") ? "" : "/") + Browser.fileName(of: url, mediaType: "")
    }
    let run = DownloadRun(url: url, path: path, number: id.number) { [self] event in
      if event.isLast { running.withLock { $0[id] = nil } }
      post(.download(id, event))
    }
    running.withLock { $0[id] = run }
    post(.download(id, .began(path: path)))
    queue.async { [profile] in run.start(profile, options) }
  }

  /// Stops a download; nothing of it stays.
  func cancel(_ id: DownloadID) {
    running.withLock { $0.removeValue(forKey: id) }?.cancel()
  }

  /// Stops all.
  func finish() {
    let runs = running.withLock { runs in
      defer { runs = [:] }
      return Array(runs.values)
    }
    for run in runs { run.cancel() }
  }
}

extension DownloadEvent {
  fileprivate var isLast: Bool {
    switch self {
    case .began, .progressed: false
    case .done, .failed: true
    }
  }
}

/// One download: a file beside the place of the one that is wanted, which gets its name at the end.
private final class DownloadRun: Sendable {
  private struct State {
    /// The file that is being written; -1 before the first and after the last byte.
    var descriptor: Int32 = -1
    var received = 0
    var expected: Int?
    var reported = 0
    var mediaType = MediaType.unknown
    var load: SessionLoad?
    var isOver = false
  }

  private let url: String
  private let path: String
  private let draft: String
  private let report: @Sendable (DownloadEvent) -> Void
  private let state = Mutex(State())

  /// Progress is reported this often at the most, in bytes.
  private static let step = 1 << 17

  init(
    url: String, path: String, number: Int, report: @escaping @Sendable (DownloadEvent) -> Void
  ) {
    self.url = url
    self.path = path
    draft = "\(path).\(getpid())-\(number).part"
    self.report = report
  }

  func start(_ profile: Profile, _ options: LoadOptions) {
    var status = stat()
    guard lstat(path, &status) != 0 else { return fail("\(path) is there already") }
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      return fail("\(path) cannot be made: \(String(cString: strerror(errno)))")
    }
    let isWanted = state.withLock { state in
      if !state.isOver { state.descriptor = descriptor }
      return !state.isOver
    }
    guard isWanted else {
      close(descriptor)
      unlink(draft)
      return
    }
    var options = options
    options.isUserNamed = true
    let load = profile.cache.start(HTTPRequest(url: url), options: options) { [self] in take($0) }
    let isOver = state.withLock { state in
      if !state.isOver { state.load = load }
      return state.isOver
    }
    if isOver { load.cancel() }
  }

  /// Stops; nothing is reported any more.
  func cancel() {
    end()?.cancel()
  }

  private func take(_ event: SessionEvent) {
    switch event {
    case .redirected, .refreshed, .checked: break
    case .response(let answer, _):
      guard (200..<300).contains(answer.response.status) else {
        return fail("the server answered \(answer.response.status)")
      }
      state.withLock { state in
        state.expected = answer.response.fields["Content-Length"].flatMap { Int($0) }
        state.mediaType = MediaType(answer.response.fields["Content-Type"]).essence
      }
    case .data(let bytes): write(bytes)
    case .finished: finish()
    case .failed(let error): fail(ReaderError(error, url: url).description)
    }
  }

  private func write(_ bytes: [UInt8]) {
    let descriptor = state.withLock(\.descriptor)
    guard descriptor >= 0 else { return }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return fail("\(path): \(String(cString: strerror(errno)))")
      }
    }
    let progress: DownloadEvent? = state.withLock { state in
      state.received += bytes.count
      guard state.received - state.reported >= Self.step else { return nil }
      state.reported = state.received
      return .progressed(received: state.received, expected: state.expected)
    }
    if let progress { report(progress) }
  }

  private func finish() {
    let (descriptor, length, mediaType, isOver) = state.withLock {
      ($0.descriptor, $0.received, $0.mediaType, $0.isOver)
    }
    guard !isOver, descriptor >= 0 else { return }
    guard fsync(descriptor) == 0 else {
      return fail("\(path): \(String(cString: strerror(errno)))")
    }
    // Unlike rename, link replaces nothing.
    guard link(draft, path) == 0 else {
      let reason = errno == EEXIST ? "is there already" : String(cString: strerror(errno))
      return fail("\(path) \(reason)")
    }
    _ = end()
    report(.done(path: path, length: length, mediaType: mediaType))
  }

  private func fail(_ words: String) {
    guard !state.withLock(\.isOver) else { return }
    let load = end()
    report(.failed(words))
    load?.cancel()
  }

  /// Lets go of the draft; nothing is written any more.
  private func end() -> SessionLoad? {
    state.withLock { state in
      state.isOver = true
      if state.descriptor >= 0 {
        close(state.descriptor)
        unlink(draft)
        state.descriptor = -1
      }
      defer { state.load = nil }
      return state.load
    }
  }
}
