import Configuration
package import Reader
import Foundation
import OfflineCache
import Platform
import Terminal

/// The reader's end of its launcher: a process that was begun before the reader gave up its rights, and starts for
/// it what needs them: editors, openers, the shell, a browser. It also opens and makes files that a person has named.
package final class Launcher: Programs {
  /// What the process is called.
  static let name = "offread-launch"

  private let socket: Int32
  private let process: pid_t?
  /// The folder for files that programs are given; nil in a private session.
  package let folder: PrivateFolder?

  /// What it does.
  package enum Scope: Sendable {
    /// All that a reader asks for.
    case everything
    /// It starts browsers, and nothing else.
    case browsers
  }

  /// Begins the process; to be called while there is one thread, and before anything is read that others have written.
  /// - Parameters:
  ///   - profile: its settings say what opens what.
  ///   - scope: what it does.
  /// - Returns: nil when it cannot be begun.
  @MainActor package static func start(
    for profile: Profile, scope: Scope = .everything
  ) -> Launcher? {
    let environment = ProcessInfo.processInfo.environment
    guard let (own, other) = SystemProcesses.messagePair() else { return nil }
    let needsFolder = scope == .everything && !profile.isPrivate
    let folder = needsFolder ? try? PrivateFolder(environment) : nil
    switch SystemProcesses.fork(named: name) {
    case 0:
      close(own)
      LauncherProcess(other, profile.settings, environment, folder, scope).run()
    case let process where process > 0:
      close(other)
      return Launcher(own, folder, process)
    default:
      close(own)
      close(other)
      folder?.remove()
      return nil
    }
  }

  init(_ socket: Int32, _ folder: PrivateFolder?, _ process: pid_t? = nil) {
    (self.socket, self.folder, self.process) = (socket, folder, process)
  }

  deinit {
    close(socket)
  }

  /// Has what this process may not do be done for it from now on.
  package func serve() {
    LocalFile.open { [self] path in descriptor(.read(path: path)) }
    serveBrowsers()
  }

  /// Has the browsers that this process may not start be started for it from now on.
  package func serveBrowsers() {
    BrowserProcess.start(by: { [self] in
      let (answer, ends) = ask(.browser)
      guard answer == .done, ends.count == 3 else {
        for end in ends { close(end) }
        return nil
      }
      return BrowserProcess.Ends(
        socket: ends[0], errors: ends[1], end: { close(ends[2]) })
    })
  }

  // MARK: Asking

  /// Asks, and waits for the answer.
  /// - Parameters:
  ///   - request: what is asked for.
  ///   - content: what is too long for a message.
  ///   - patience: how long the answer may take, in seconds; nil for any time.
  ///   - stop: stops this job until the shell continues it, as what has the terminal has stopped.
  /// - Returns: the answer, and descriptors that came with it; `failed(0)` when there is none.
  func ask(
    _ request: LauncherRequest, _ content: [UInt8]? = nil, patience: Int? = nil,
    stop: (() -> Void)? = nil
  ) -> (LauncherAnswer, [Int32]) {
    guard let (own, other) = SystemProcesses.messagePair() else { return (.failed(errno), []) }
    defer { close(own) }
    let file = content.flatMap { SystemProcesses.memory(with: $0) }
    guard content == nil || file != nil else {
      close(other)
      return (.failed(errno), [])
    }
    if let patience {
      var time = timeval(tv_sec: patience, tv_usec: 0)
      setsockopt(own, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }
    let isSent = send(request.bytes, with: other, file)
    let error = errno
    for descriptor in [other, file].compactMap(\.self) { close(descriptor) }
    guard isSent else { return (.failed(error), []) }
    while let (bytes, descriptors) = SystemProcesses.receive(from: own) {
      let answer = LauncherAnswer(bytes) ?? .failed(0)
      guard answer == .stopped, let stop else { return (answer, descriptors) }
      stop()
    }
    return (.failed(0), [])
  }

  /// Whether the process has ended before its time.
  var hasEnded: Bool {
    var polled = pollfd(fd: socket, events: 0, revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  /// Asks for something that has the terminal, and waits for its end.
  @MainActor private func askForTerminal(
    _ request: LauncherRequest, _ content: [UInt8]?, _ keys: Int32
  ) -> (LauncherAnswer, [Int32]) {
    ForegroundCommand.withoutKeySignals {
      let answer = ask(request, content) { [self] in
        NcursesTerminal.stop(keys, stopJob)
        signal(SIGTSTP, SIG_IGN)
        _ = ask(.resume)
      }
      if answer.0 == .failed(0), hasEnded { ForegroundCommand.reclaimTerminal(keys) }
      return answer
    }
  }

  /// Sends a message with the socket for its answer.
  @discardableResult
  func send(_ bytes: [UInt8], with reply: Int32, _ content: Int32? = nil) -> Bool {
    SystemProcesses.send(bytes, with: [reply] + (content.map { [$0] } ?? []), to: socket)
  }

  /// Asks for a descriptor.
  /// - Returns: it, or an error of the system, negative.
  private func descriptor(_ request: LauncherRequest) -> Int32 {
    let (answer, descriptors) = ask(request)
    guard answer == .done, let first = descriptors.first else {
      for descriptor in descriptors { close(descriptor) }
      return -error(answer)
    }
    for descriptor in descriptors.dropFirst() { close(descriptor) }
    return first
  }

  private func error(_ answer: LauncherAnswer) -> Int32 {
    guard case .failed(let error) = answer else { return EIO }
    return hasEnded ? LocalFile.openerHasEnded : error > 0 ? error : EIO
  }

  // MARK: Programs

  func open(file: String, mediaType: String) -> LauncherAnswer {
    ask(.openFile(path: file, mediaType: mediaType)).0
  }

  func open(address: String) -> LauncherAnswer { ask(.openAddress(address)).0 }

  func run(_ command: ShellCommand, keys: Int32) -> Bool {
    let (request, content): (LauncherRequest, [UInt8]?) =
      switch command.input {
      case .terminal where command.waitsForKey || command.isShell:
        (.shell(line: command.line, url: command.url), nil)
      case .terminal: (.prepared(line: command.line, url: command.url), nil)
      case .text(let text): (.pipe(line: command.line, url: command.url), text)
      case .file(let text): (.view(url: command.url), text)
      case .named(let path): (.editFile(path: path, url: command.url), nil)
      }
    let answer = askForTerminal(request, content, keys).0
    switch answer {
    case .nothing: return true
    case .done:
      if command.leavesOutput { ForegroundCommand.waitForKey(keys) }
      return true
    case .failed, .started, .inTerminal, .stopped: return false
    }
  }

  func edit(_ text: [UInt8], keys: Int32) -> [UInt8]? {
    let (answer, descriptors) = askForTerminal(.edit, text, keys)
    defer { for descriptor in descriptors { close(descriptor) } }
    guard answer == .done, let file = descriptors.first else { return nil }
    return LocalFile.content(of: file)
  }

  func stopJob() { _ = ask(.stopJob) }

  var whyNothing: String? {
    hasEnded ? LocalFile.words(for: LocalFile.openerHasEnded) : nil
  }

  var drafts: DraftPlaces {
    DraftPlaces(
      make: { [self] in descriptor(.make(draft: $0, path: $1)) },
      name: { [self] draft, path in
        let answer = ask(.name(draft: draft, path: path)).0
        return answer == .done ? 0 : error(answer)
      },
      remove: { [self] in _ = ask(.remove(draft: $0)) },
      refusal: "hidden files, the system's and programs are not written without --no-sandbox")
  }

  func finish() {
    // What was given to programs is gone before the shell is back, and so is the process.
    _ = ask(.end, patience: 2)
    guard let process else { return }
    for _ in 0..<50 where waitpid(process, nil, WNOHANG) == 0 { usleep(1000) }
  }
}
