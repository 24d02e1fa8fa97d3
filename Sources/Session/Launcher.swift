import Configuration
import Pages
package import Profiles
import Rendering
import Sandbox
import Foundation
import OfflineCache
import Platform
import Terminal

/// The client of the launcher: a process that is forked before the reader enters its sandbox, and
/// starts programs that the sandbox does not permit (editors, openers, the shell, a browser). It
/// also opens and creates files that the user names.
package final class Launcher: Programs {
  /// The name of the process.
  static let processName = "offread-launch"

  private let socketDescriptor: Int32
  private let process: pid_t?
  /// The directory for files that other programs open, or for temporary files of a command. Nil if
  /// none is needed, as in a private session, or if the directory cannot be created.
  package let directory: PrivateDirectory?

  /// The kinds of requests that the launcher accepts.
  package struct Scope: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Requests to start browsers.
    package static let browsers = Scope(rawValue: 1)
    /// Requests to start decoders.
    package static let decoders = Scope(rawValue: 2)
    /// Requests to write the output files of a command.
    package static let outputs = Scope(rawValue: 4)
    /// Requests to run the commands of `[hooks]`.
    package static let hooks = Scope(rawValue: 16)
    /// Requests of the reader: programs in the terminal, openers, files that the user names.
    static let reader = Scope(rawValue: 8)
    /// All requests of the reader.
    package static let allReaderRequests: Scope = [.reader, .browsers, .decoders, .hooks]
  }

  /// Forks the launcher. Call this while the process has only one thread, and before untrusted
  /// content is read.
  /// - Parameters:
  ///   - profile: the profile, whose settings configure the programs.
  ///   - scope: the kinds of requests that the launcher accepts.
  ///   - outputs: the files that the launcher may write.
  ///   - needsDirectory: whether a command needs a directory for temporary files.
  /// - Returns: the client; nil if the launcher process cannot be started.
  @MainActor package static func start(
    for profile: Profile, scope: Scope = .allReaderRequests, outputs: [OutputGrant] = [],
    needsDirectory: Bool = false
  ) -> Launcher? {
    let environment = SystemProcesses.environment
    // A private session does not report to any service which items the user has read.
    let scope = profile.isPrivate ? scope.subtracting(.hooks) : scope
    guard let (own, other) = SystemProcesses.makeMessageSocketPair() else { return nil }
    var directory: PrivateDirectory?
    if scope.contains(.reader), !profile.isPrivate {
      directory = try? PrivateDirectory(environment)
    } else if needsDirectory {
      // Only TMPDIR is considered, because `XDG_RUNTIME_DIR` is in memory.
      directory = try? PrivateDirectory(environment.filter { $0.key == "TMPDIR" })
    }
    // Read before the reader changes the modes.
    let terminal = scope.contains(.reader) ? AbandonedTerminal() : nil
    switch SystemProcesses.fork(named: processName) {
    case 0:
      close(own)
      LauncherProcess(
        other, profile.settings, environment, directory, scope, OutputFiles(outputs),
        settingsFile: scope.contains(.reader) ? profile.locations.config.path : nil,
        terminal: terminal
      ).run()
    case let process where process > 0:
      close(other)
      return Launcher(own, directory, process)
    default:
      close(own)
      close(other)
      directory?.remove()
      return nil
    }
  }

  init(_ socket: Int32, _ directory: PrivateDirectory?, _ process: pid_t? = nil) {
    (self.socketDescriptor, self.directory, self.process) = (socket, directory, process)
  }

  deinit {
    close(socketDescriptor)
  }

  /// Makes this process open files and start browsers and decoders through the launcher from now
  /// on.
  package func useForReader() {
    LocalFile.setOpening { [self] path in requestDescriptor(.openForReading(path: path)) }
    useForBrowsers()
    useForDecoders()
    useForHooks()
  }

  /// Makes this process run the commands of `[hooks]` through the launcher from now on.
  package func useForHooks() {
    HookProcess.setStarter({ [self] in startReadHook(url: $0, title: $1, output: $2) })
  }

  private func startReadHook(url: String, title: String, output: Int32) -> HookProcess.Running? {
    guard let (own, other) = SystemProcesses.makeMessageSocketPair() else { return nil }
    let isSent = SystemProcesses.send(
      LauncherRequest.startReadHook(url: url, title: title).bytes, with: [other, output],
      to: socketDescriptor)
    let error = errno
    close(other)
    guard isSent else {
      close(own)
      errno = error
      return nil
    }
    let reply = ResponseSocket(own)
    return HookProcess.Running(kill: { reply.shutDown() }, end: { reply.currentEnd() })
  }

  /// Makes this process start decoders through the launcher from now on.
  package func useForDecoders() {
    DecoderProgram.setStarter { [self] in start($0, $1) }
  }

  /// Starts a decoder through the launcher; returns nil if that fails, with `errno` set.
  private func start(_ program: DecoderProgram, _ socket: Int32) -> DecoderProgram.Running? {
    guard let (own, other) = SystemProcesses.makeMessageSocketPair() else { return nil }
    // The launcher lets a decoder read a file only if it receives an open descriptor of that file.
    let file = program.file.map { LocalFile.descriptor($0) }
    let isSent =
      file.map { $0 >= 0 } ?? true
      && SystemProcesses.send(
        LauncherRequest.startDecoder(program).bytes,
        with: [other, socket] + [file].compactMap(\.self), to: self.socketDescriptor)
    let error = errno
    for descriptor in [other, file ?? -1] where descriptor >= 0 { close(descriptor) }
    guard isSent else {
      close(own)
      errno = error
      return nil
    }
    return DecoderProgram.Running(
      kill: { shutdown(own, Int32(SHUT_RDWR)) },
      wait: {
        defer { close(own) }
        guard let (bytes, _) = SystemProcesses.receive(from: own),
          case .ended(let status) = LauncherResponse(bytes)
        else { return -SIGKILL }
        return status
      })
  }

  /// Makes this process start browsers through the launcher from now on.
  package func useForBrowsers() {
    BrowserProcess.setStarter({ [self] in
      let (response, ends) = sendRequest(.startBrowser)
      guard response == .done, ends.count == 3 else {
        for end in ends { close(end) }
        return nil
      }
      return BrowserProcess.Descriptors(
        socket: ends[0], errors: ends[1], end: { close(ends[2]) })
    })
  }

  // MARK: Requests

  /// Sends a request and waits for the response.
  /// - Parameters:
  ///   - request: the request.
  ///   - content: data that is too long for a message and is sent in a memory file.
  ///   - timeout: the time in seconds to wait for the response; nil for no limit.
  ///   - onStop: called when the program in the terminal has stopped; stops the job of this process
  ///     until the shell continues it.
  /// - Returns: the response and the descriptors that came with it. If the request cannot be sent,
  ///   the response is `failed` with an `errno` value; if there is no response, `failed(0)`.
  func sendRequest(
    _ request: LauncherRequest, _ content: [UInt8]? = nil, timeout: Int? = nil,
    onStop: (() -> Void)? = nil
  ) -> (LauncherResponse, [Int32]) {
    guard let (ownSocket, launcherSocket) = SystemProcesses.makeMessageSocketPair() else {
      return (.failed(errno), [])
    }
    defer { close(ownSocket) }
    let contentFile = content.flatMap { SystemProcesses.memoryFile(with: $0) }
    guard content == nil || contentFile != nil else {
      close(launcherSocket)
      return (.failed(errno), [])
    }
    if let timeout {
      var interval = timeval(tv_sec: timeout, tv_usec: 0)
      setsockopt(
        ownSocket, SOL_SOCKET, SO_RCVTIMEO, &interval, socklen_t(MemoryLayout<timeval>.size))
    }
    let isSent = sendMessage(request.bytes, with: launcherSocket, contentFile)
    let sendError = errno
    for descriptor in [launcherSocket, contentFile].compactMap(\.self) { close(descriptor) }
    guard isSent else { return (.failed(sendError), []) }
    while let (bytes, descriptors) = SystemProcesses.receive(from: ownSocket) {
      let response = LauncherResponse(bytes) ?? .failed(0)
      guard response == .stopped, let onStop else { return (response, descriptors) }
      onStop()
    }
    return (.failed(0), [])
  }

  /// Whether the launcher process has ended.
  var hasEnded: Bool {
    var polled = pollfd(fd: socketDescriptor, events: 0, revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  /// Sends a request for a program that uses the terminal, and waits until the program ends.
  @MainActor private func requestTerminal(
    _ request: LauncherRequest, _ content: [UInt8]?, _ keyDescriptor: Int32
  ) -> (LauncherResponse, [Int32]) {
    ForegroundCommand.ignoringKeySignals {
      let response = sendRequest(request, content) { [self] in
        NcursesTerminal.stop(keyDescriptor, stopJob)
        signal(SIGTSTP, SIG_IGN)
        _ = sendRequest(.resumeForeground)
      }
      if response.0 == .failed(0), hasEnded { ForegroundCommand.reclaimTerminal(keyDescriptor) }
      return response
    }
  }

  /// Sends a message with the socket for its response. Returns whether the message was sent.
  @discardableResult
  func sendMessage(_ bytes: [UInt8], with reply: Int32, _ content: Int32? = nil) -> Bool {
    SystemProcesses.send(bytes, with: [reply] + (content.map { [$0] } ?? []), to: socketDescriptor)
  }

  /// Sends a request whose response is a file descriptor.
  /// - Returns: the descriptor, or a negated `errno` value.
  private func requestDescriptor(_ request: LauncherRequest) -> Int32 {
    let (response, descriptors) = sendRequest(request)
    guard response == .done, let first = descriptors.first else {
      for descriptor in descriptors { close(descriptor) }
      return -errorNumber(response)
    }
    for descriptor in descriptors.dropFirst() { close(descriptor) }
    return first
  }

  private func errorNumber(_ response: LauncherResponse) -> Int32 {
    guard case .failed(let error) = response else { return EIO }
    return hasEnded ? LocalFile.openerHasEnded : error > 0 ? error : EIO
  }

  // MARK: Output files of commands

  /// Opens an output file of the command; returns a descriptor, or a negated `errno` value.
  package func openOutput(_ path: String) -> Int32 { requestDescriptor(.openOutput(path: path)) }

  /// Moves a complete output file to its path; returns 0 or an `errno` value.
  package func completeOutput(_ path: String) -> Int32 {
    errorNumber(of: .completeOutput(path: path))
  }

  /// Discards an incomplete output file.
  package func discardOutput(_ path: String) { _ = sendRequest(.discardOutput(path: path)) }

  /// Creates the directory for the output files of a command; returns 0 or an `errno` value.
  package func makeOutputDirectory(_ path: String) -> Int32 {
    errorNumber(of: .makeOutputDirectory(path: path))
  }

  private func errorNumber(of request: LauncherRequest) -> Int32 {
    let response = sendRequest(request).0
    return response == .done ? 0 : errorNumber(response)
  }

  // MARK: Programs

  func open(file: String, mediaType: String) -> LauncherResponse {
    sendRequest(.openFile(path: file, mediaType: mediaType)).0
  }

  func open(url: String) -> LauncherResponse { sendRequest(.openURL(url)).0 }

  func run(_ command: ShellCommand, keyDescriptor: Int32) -> Int32? {
    let (request, content): (LauncherRequest, [UInt8]?) =
      switch command.input {
      case .terminal where command.waitsForKeyAfterwards || command.isInteractiveShell:
        (.shell(line: command.line, url: command.url), nil)
      case .terminal: (.preparedCommand(line: command.line, url: command.url), nil)
      case .text(let text): (.pipe(line: command.line, url: command.url), text)
      case .file(let text): (.viewText(url: command.url), text)
      case .fileName(let path): (.editFile(path: path, url: command.url), nil)
      }
    let response = requestTerminal(request, content, keyDescriptor).0
    switch response {
    case .notStarted: return 0
    case .done, .ended:
      if command.leavesOutput { ForegroundCommand.waitForKey(keyDescriptor) }
      if case .ended(let code) = response { return code }
      return 0
    case .failed, .startedInBackground, .runInTerminal, .stopped: return nil
    }
  }

  func edit(_ text: [UInt8], keyDescriptor: Int32) -> EditedText {
    let (response, descriptors) = requestTerminal(.editText, text, keyDescriptor)
    defer { for descriptor in descriptors { close(descriptor) } }
    switch response {
    case .done: return EditedText(exitCode: 0, descriptors.first.flatMap(LocalFile.content(of:)))
    case .ended(let code): return .failed(code)
    case .failed, .startedInBackground, .runInTerminal, .notStarted, .stopped: return .notStarted
    }
  }

  func stopJob() { _ = sendRequest(.stopJob) }

  var unavailabilityReason: String? {
    hasEnded ? LocalFile.message(for: LocalFile.openerHasEnded) : nil
  }

  var partialFiles: PartialFileOperations {
    PartialFileOperations(
      create: { [self] in requestDescriptor(.createPartialFile(partialPath: $0, path: $1)) },
      rename: { [self] in errorNumber(of: .renamePartialFile(partialPath: $0, path: $1)) },
      remove: { [self] in _ = sendRequest(.removePartialFile(partialPath: $0)) },
      permissionError: "hidden files, system files and programs are only written with --no-sandbox")
  }

  func finish() {
    // The launcher process and the files for other programs must be gone before the shell prompt
    // returns.
    let isEnding = sendRequest(.endLauncher, timeout: 2).0 == .done
    guard isEnding, let process else { return }
    // The launcher closes its end of the socket when it ends.
    var polled = pollfd(fd: socketDescriptor, events: 0, revents: 0)
    guard poll(&polled, 1, 2000) > 0 else { return }
    waitpid(process, nil, 0)
  }
}

/// The socket for the response to a request that starts a hook. It is closed when the last
/// reference is released.
private final class ResponseSocket: Sendable {
  private let socketDescriptor: Int32

  init(_ socket: Int32) { self.socketDescriptor = socket }

  deinit { close(socketDescriptor) }

  /// Makes the launcher kill the command.
  func shutDown() { shutdown(socketDescriptor, Int32(SHUT_RDWR)) }

  /// Returns how the command has ended, without waiting; nil while it is running.
  func currentEnd() -> HookProcess.End? {
    var polled = pollfd(fd: socketDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, 0) > 0 else { return nil }
    guard let (bytes, descriptors) = SystemProcesses.receive(from: socketDescriptor) else {
      return .starterEnded
    }
    for descriptor in descriptors { close(descriptor) }
    switch LauncherResponse(bytes) {
    case .ended(let status): return .ended(status)
    case .failed(let error): return .notStarted(error)
    case .done, .startedInBackground, .runInTerminal, .notStarted, .stopped, nil:
      return .starterEnded
    }
  }
}
