import Profiles
import Commands
import Configuration
import Document
import Foundation
import OfflineCache
import Platform
import Pages
import Rendering
import Sandbox
import Terminal

/// The launcher process. It has one thread and all rights of the user, accepts only requests of
/// known kinds from a reader that may be compromised, and ends when the reader ends. It must never
/// start a second thread; see `SystemProcesses.fork`.
@MainActor final class LauncherProcess {
  /// A command that uses the terminal, and the socket for the response at its end.
  private struct Foreground {
    var running: ForegroundCommand.Running
    var reply: Int32
    var isEdit: Bool
  }

  /// A partial file.
  private struct OpenPartialFile {
    /// A descriptor of its directory, because a path could be redirected by symbolic links later.
    var directory: Int32
    var partialPath: String
    var name: String
  }

  private let socket: Int32
  private let scope: Launcher.Scope
  /// The path of the settings file, which the reader may edit and read although it may be a hidden
  /// file; nil for a command.
  private let settingsFile: String?
  private let choice: ProgramChoice
  private let directory: PrivateDirectory?
  private let outputs: OutputFiles
  private lazy var policy = FilePolicy(choice.environment)
  private var children: Int32 = -1
  private var isOver = false
  /// The socket for the response to `end`.
  private var endReply: Int32?
  private var foreground: Foreground?
  /// The processes that run in the background.
  private var background: [pid_t] = []
  /// The command lines that were returned to the reader, which may run them.
  private var prepared: Set<String> = []
  /// The command lines that the user's settings bind to keys, which need no confirmation.
  private lazy var configuredLines = Set(
    choice.settings.keys.compactMap { setting in
      let line = Commands.CommandLine(binding: setting.name)
      return [.shell, .pipe].contains(line?.command) ? line?.argument : nil
    })
  /// Whether the user has confirmed command lines of the reader.
  private var trustsLines = false
  private var partialFiles: [String: OpenPartialFile] = [:]
  private var browsers: [(end: Int32, process: BrowserProcess.Started)] = []
  /// A process whose end is reported.
  private struct ReportedProcess {
    /// The socket for its exit status. The process is killed when it is closed.
    var reply: Int32
    var process: ChildProcess
    /// Whether it is a hook; otherwise it is a decoder.
    var isHook = false
    /// The time after which it is killed; nil for a decoder, whose processor time is limited, and
    /// for a process that was killed.
    var limit: ContinuousClock.Instant?
  }

  /// The running decoders and hooks.
  private var reportedProcesses: [ReportedProcess] = []
  private static let maxDecoders = 32
  /// The maximum number of hooks that run at once: one that the reader has stopped, until it has
  /// ended, and the next one.
  private static let maxHooks = 2
  /// The time in seconds by which a hook exceeds its time limit before the launcher kills it; the
  /// process that asked for it does so earlier.
  private static let hookGrace = 5.0

  init(
    _ socket: Int32, _ settings: Settings, _ environment: [String: String],
    _ parent: PrivateDirectory?, _ scope: Launcher.Scope = .everything,
    _ outputs: OutputFiles = OutputFiles([]), settingsFile: String? = nil
  ) {
    self.settingsFile = settingsFile
    self.socket = socket
    self.scope = scope
    choice = ProgramChoice(settings: settings, environment: environment)
    self.directory = parent
    self.outputs = outputs
  }

  /// Serves requests until the reader ends, then exits. Ignores the signals of the terminal to the
  /// job of the reader.
  func run() -> Never {
    // Signals of the terminal to the reader's job must not end or stop the launcher.
    for number in [SIGINT, SIGQUIT, SIGTSTP, SIGHUP, SIGTERM, SIGPIPE] {
      signal(number, SIG_IGN)
    }
    // A program that reads the output of a command waits until all processes have closed it.
    if !scope.contains(.reader), case let nothing = Platform.open("/dev/null", O_RDWR), nothing >= 0
    {
      for stream in 0..<Int32(3) where stream != socket { dup2(nothing, stream) }
      if nothing > 2 { close(nothing) }
    }
    serve()
    _exit(0)
  }

  /// Serves requests until the reader ends, and then waits for the program that uses the terminal,
  /// unless it is stopped. Deletes incomplete files and the directory at the end.
  func serve() {
    children = SystemProcesses.watchChildren() ?? -1
    // The user may still be writing in an editor after the reader has ended. If that editor is
    // stopped, no process would continue it; the system ends it after this process.
    while !isOver || foreground?.running.isStopped == false {
      var polled = [
        pollfd(fd: children, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isOver ? -1 : socket, events: Int16(POLLIN), revents: 0),
      ]
      polled += browsers.map { pollfd(fd: $0.end, events: Int16(POLLIN), revents: 0) }
      let firstProcess = polled.count
      polled += reportedProcesses.map { pollfd(fd: $0.reply, events: 0, revents: 0) }
      let count = poll(&polled, nfds_t(polled.count), timeout)
      let now = ContinuousClock.now
      killProcesses(after: now)
      guard count > 0 else { continue }
      let closed = Set(polled[firstProcess...].filter { $0.revents != 0 }.map(\.fd))
      endProcesses { closed.contains($0.reply) }
      endBrowsers { index in polled[2 + index].revents != 0 }
      if polled[0].revents != 0 { reap() }
      if polled[1].revents != 0 { receive() }
    }
    foreground = nil
    endBrowsers { _ in true }
    endProcesses { _ in true }
    outputs.discardAll()
    for draft in partialFiles.values { unlink(path(draft.partialPath, in: draft)) }
    directory?.remove()
    if let endReply { respond(.done, to: endReply) }
  }

  private func reap() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(children, &bytes, bytes.count) > 0 {}
    var status: Int32 = 0
    // `endBrowsers` waits for browsers.
    background.removeAll { waitpid($0, &status, WNOHANG) != 0 }
    reportedProcesses.removeAll { running in
      guard let status = running.process.ended() else { return false }
      respond(.ended(status), to: running.reply)
      return true
    }
    switch foreground?.running.change() {
    case .stopped:
      if let reply = foreground?.reply {
        _ = SystemProcesses.send(LauncherResponse.stopped.bytes, to: reply)
      }
    case .ended(let status):
      if let ended = foreground { finish(ended, status) }
      foreground = nil
    case nil: break
    }
  }

  private func finish(_ ended: Foreground, _ status: Int32) {
    guard ended.isEdit else {
      let code = SystemProcesses.exitCode(status)
      return respond(code == 0 ? .done : .ended(code), to: ended.reply)
    }
    guard status == 0, let text = ended.running.text, let file = SystemProcesses.memory(with: text)
    else { return respond(.failed(0), to: ended.reply) }
    respond(.done, with: [file], to: ended.reply)
  }

  // MARK: Requests

  private func receive() {
    guard let (bytes, descriptors) = SystemProcesses.receive(from: socket) else {
      isOver = true
      return
    }
    // Without a response, the socket for it is closed, which the reader notices.
    guard let request = LauncherRequest(bytes), scope.contains(request.scope),
      let reply = descriptors.first
    else {
      for descriptor in descriptors { close(descriptor) }
      return
    }
    carryOut(request, content: descriptors.count > 1 ? descriptors[1] : nil, descriptors, reply)
    for descriptor in descriptors.dropFirst() { close(descriptor) }
  }

  /// Carries out a request.
  /// - Parameters:
  ///   - request: The request.
  ///   - content: The descriptor of the file with the text for the program; nil if there is none.
  ///   - descriptors: All descriptors that came with the request.
  ///   - reply: The socket for the response.
  private func carryOut(
    _ request: LauncherRequest, content: Int32?, _ descriptors: [Int32], _ reply: Int32
  ) {
    switch request {
    case .shell(let line, let url): runTyped(ShellCommand(line: line, url: url), reply)
    case .pipe(let line, let url):
      runTyped(ShellCommand(line: line, input: .text(text(content)), url: url), reply)
    case .prepared(let line, let url):
      guard prepared.contains(line) else { return respond(.failed(EPERM), to: reply) }
      run(ShellCommand(line: line, url: url, waitsForKey: false), reply)
    case .view(let url):
      run(ShellCommand(line: ShellCommand.editor, input: .file(text(content)), url: url), reply)
    case .editFile(let path, let url):
      guard path.hasPrefix("/") else { return respond(.failed(EPERM), to: reply) }
      makeSettingsDirectory(for: path)
      run(ShellCommand(line: ShellCommand.editor, input: .named(path), url: url), reply)
    case .edit: run(.editing(text(content)), reply, isEdit: true)
    case .openFile(let path, let mediaType): open(file: path, mediaType, reply)
    case .openAddress(let url): open(address: url, reply)
    case .read(let path): open(path, reply)
    case .make(let draft, let path): make(draft, for: path, reply)
    case .name(let draft, let path): name(draft, path, reply)
    case .remove(let draft):
      if let draft = partialFiles.removeValue(forKey: draft) {
        unlink(self.path(draft.partialPath, in: draft))
        close(draft.directory)
      }
      respond(.done, to: reply)
    case .browser: startBrowser(reply)
    case .stopJob:
      kill(0, SIGTSTP)
      respond(.done, to: reply)
    case .resume:
      foreground?.running.resume()
      respond(.done, to: reply)
    case .end:
      isOver = true
      endReply = reply
    case .openOutput(let path):
      let file = outputs.open(path)
      guard file >= 0 else { return respond(.failed(-file), to: reply) }
      _ = SystemProcesses.send(LauncherResponse.done.bytes, with: [file], to: reply)
      close(reply)
    case .completeOutput(let path): respond(outputs.complete(path), to: reply)
    case .makeOutputDirectory(let path): respond(outputs.makeDirectory(path), to: reply)
    case .discardOutput(let path):
      outputs.discard(path)
      respond(.done, to: reply)
    case .decoder(let program): start(program, descriptors, reply)
    case .readHook(let url, let title): startReadHook(url, title, output: content, reply)
    }
  }

  /// Responds with an `errno` value; `.done` if it is 0.
  private func respond(_ error: Int32, to reply: Int32) {
    respond(error == 0 ? .done : .failed(error), to: reply)
  }

  private func respond(
    _ response: LauncherResponse, with descriptors: [Int32] = [], to reply: Int32
  ) {
    _ = SystemProcesses.send(response.bytes, with: descriptors, to: reply)
    for descriptor in descriptors + [reply] { close(descriptor) }
  }

  private func text(_ content: Int32?) -> [UInt8] {
    content.flatMap { LocalFile.content(of: $0) } ?? []
  }

  /// Whether the reader has ended, or has sent `end`.
  private var isEnding: Bool {
    var marker: UInt8 = 0
    let count = recv(socket, &marker, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count == 0 || count == 1 && marker == LauncherRequest.endByte
  }

  // MARK: The terminal

  /// The descriptor that keys are read from: standard input, or the terminal itself if standard
  /// input is redirected.
  private lazy var keys =
    isatty(STDIN_FILENO) == 1
    ? STDIN_FILENO : Platform.open("/dev/tty", O_RDWR | O_CLOEXEC)

  private func run(_ command: ShellCommand, _ reply: Int32, isEdit: Bool = false) {
    guard foreground == nil, let running = ForegroundCommand.start(command, keys: keys),
      running.isStarted
    else { return respond(.failed(0), to: reply) }
    foreground = Foreground(running: running, reply: reply, isEdit: isEdit)
  }

  private func runTyped(_ command: ShellCommand, _ reply: Int32) {
    guard
      command.isShell || trustsLines || configuredLines.contains(command.line)
        || isWanted(command.line)
    else { return respond(.nothing, to: reply) }
    run(command, reply)
  }

  /// Asks the user to confirm a command line of the reader, which may be compromised, and returns
  /// whether it may be run. After a confirmation, the user is not asked again in the session.
  private func isWanted(_ line: String) -> Bool {
    let message =
      "\u{1B}[0m\r\n$ \(SafeText.line(line))\r\n"
      + "[y: run it, and do not ask again; any other key: back] "
    var before = termios()
    guard tcgetattr(keys, &before) == 0 else { return false }
    var asking = before
    asking.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    tcsetattr(keys, TCSAFLUSH, &asking)
    defer { tcsetattr(keys, TCSAFLUSH, &before) }
    _ = OutputDescriptor(STDOUT_FILENO).write(Array(message.utf8))
    var polled = [
      pollfd(fd: keys, events: Int16(POLLIN), revents: 0),
      pollfd(fd: socket, events: 0, revents: 0),
    ]
    while poll(&polled, 2, -1) < 0 { if errno != EINTR { return false } }
    var key: UInt8 = 0
    guard polled[1].revents == 0, read(keys, &key, 1) == 1 else { return false }
    trustsLines = key == UInt8(ascii: "y") || key == UInt8(ascii: "Y")
    _ = OutputDescriptor(STDOUT_FILENO).write(Array("\r\n".utf8))
    return trustsLines
  }

  // MARK: Openers

  private func open(file: String, _ mediaType: String, _ reply: Int32) {
    guard let directory, (file as NSString).deletingLastPathComponent == directory.path,
      !file.hasSuffix("/..")
    else { return respond(.failed(EPERM), to: reply) }
    let result = choice.open(file: file, mediaType: mediaType) {
      holds($0)
    } start: { line in
      !isEnding && start(line)
    }
    if case .inTerminal(let line) = result { prepared.insert(line) }
    respond(result, to: reply)
  }

  private func open(address: String, _ reply: Int32) {
    let scheme = address.prefix { $0 != ":" }.lowercased()
    guard !["javascript", "vbscript", "data", "blob", "about", "stdin"].contains(scheme),
      !address.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return respond(.failed(EPERM), to: reply) }
    let result = choice.open(address: address) {
      start($0, ["OFFREAD_URL": address])
    }
    if case .inTerminal(let line) = result { prepared.insert(line) }
    respond(result, to: reply)
  }

  private func start(_ line: String, _ variables: [String: String] = [:]) -> Bool {
    guard let process = ShellProcess.start(line, .none, variables: variables) else { return false }
    background.append(process)
    return true
  }

  /// Returns whether the test command of a mailcap entry succeeds within two seconds.
  private func holds(_ line: String) -> Bool {
    guard let process = ShellProcess.start(line, .none) else { return false }
    let end = ContinuousClock.now + .seconds(2)
    var pause: Int32 = 1
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 {
      if ContinuousClock.now > end || isEnding {
        kill(-process, SIGKILL)
        ShellProcess.wait(for: process)
        return false
      }
      var polled = pollfd(fd: children, events: Int16(POLLIN), revents: 0)
      _ = poll(&polled, 1, pause)
      pause = min(2 * pause, 20)
    }
    return status == 0
  }

  // MARK: Files

  /// Creates the directory of a file if it is the settings file, because editors do not create it.
  private func makeSettingsDirectory(for path: String) {
    guard path == settingsFile else { return }
    try? LocalFileSystem().makeDirectories((path as NSString).deletingLastPathComponent)
  }

  /// Returns the real path of the file of a descriptor; nil if it cannot be determined.
  private func realPath(of descriptor: Int32) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
  }

  /// `O_PATH`, which the C library declares only with `_GNU_SOURCE`: a descriptor for a path
  /// without opening the file.
  private static let withoutOpening: Int32 = 0o10_000_000

  private func open(_ path: String, _ reply: Int32) {
    let position = path.withPath { Platform.open($0, Self.withoutOpening | O_CLOEXEC) }
    guard position >= 0 else { return respond(.failed(errno), to: reply) }
    defer { close(position) }
    var status = stat()
    guard fstat(position, &status) == 0, let real = realPath(of: position),
      path == settingsFile || policy.mayRead(real),
      [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    else { return respond(.failed(EPERM), to: reply) }
    let file = Platform.open("/proc/self/fd/\(position)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return respond(.failed(errno), to: reply) }
    respond(.done, with: [file], to: reply)
  }

  private func path(_ name: String, in draft: OpenPartialFile) -> String {
    "/proc/self/fd/\(draft.directory)/\(name)"
  }

  private func make(_ draft: String, for path: String, _ reply: Int32) {
    let (parent, name) = Self.parts(path)
    let (draftParent, draftName) = Self.parts(draft)
    let directory = Platform.open(parent, Self.withoutOpening | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return respond(.failed(errno), to: reply) }
    guard let real = realPath(of: directory), policy.mayCreate("\(real)/\(name)"), !name.isEmpty,
      draftParent == parent, draftName.hasPrefix(name + "."), draftName.hasSuffix(".part"),
      partialFiles[draft] == nil
    else {
      close(directory)
      return respond(.failed(EPERM), to: reply)
    }
    let made = OpenPartialFile(directory: directory, partialPath: draftName, name: name)
    let file = PartialFileOperations.make(self.path(draftName, in: made))
    guard file >= 0 else {
      close(directory)
      return respond(.failed(-file), to: reply)
    }
    partialFiles[draft] = made
    respond(.done, with: [file], to: reply)
  }

  private func name(_ draft: String, _ path: String, _ reply: Int32) {
    guard let made = partialFiles[draft], Self.parts(path).name == made.name else {
      return respond(.failed(EPERM), to: reply)
    }
    // A partial file that cannot be renamed stays.
    partialFiles[draft] = nil
    defer { close(made.directory) }
    let error = PartialFileOperations.moveToFinalPath(
      self.path(made.partialPath, in: made), self.path(made.name, in: made),
      PartialFileOperations.link)
    respond(error, to: reply)
  }

  private static func parts(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = path[..<slash]
    return (directory.isEmpty ? "/" : String(directory), String(path[path.index(after: slash)...]))
  }

  // MARK: Browsers

  private func startBrowser(_ reply: Int32) {
    guard browsers.count < 4,
      let started = try? BrowserProcess.Started(command: choice.settings.render.command),
      let (own, other) = SystemProcesses.messagePair()
    else { return respond(.failed(0), to: reply) }
    browsers.append((own, started))
    respond(.done, with: [started.socket, started.errors, other], to: reply)
  }

  /// Ends the browsers at the indices for which `isEnded` returns true, because the reader has
  /// closed their sockets.
  private func endBrowsers(_ isEnded: (Int) -> Bool) {
    for index in browsers.indices.reversed() where isEnded(index) {
      let browser = browsers.remove(at: index)
      browser.process.end()
      close(browser.end)
    }
  }

  // MARK: Decoders

  private func start(_ program: DecoderProgram, _ descriptors: [Int32], _ reply: Int32) {
    guard descriptors.count > 1, program.mayRead(with: descriptors.dropFirst(2).first) else {
      return respond(.failed(EPERM), to: reply)
    }
    guard reportedProcesses.count(where: { !$0.isHook }) < Self.maxDecoders else {
      return respond(.failed(EAGAIN), to: reply)
    }
    guard let process = program.start(descriptors[1]) else {
      return respond(.failed(errno), to: reply)
    }
    reportedProcesses.append(ReportedProcess(reply: reply, process: process))
  }

  // MARK: Hooks

  /// Starts the command of the read hook. Only the settings of the user name it; the request
  /// contains nothing but two of its arguments.
  private func startReadHook(_ url: String, _ title: String, output: Int32?, _ reply: Int32) {
    let settings = choice.settings
    guard let command = settings.hooks.read else { return respond(.failed(ENOENT), to: reply) }
    guard let output, !settings.isSavedOnly else { return respond(.failed(EPERM), to: reply) }
    guard reportedProcesses.count(where: \.isHook) < Self.maxHooks else {
      return respond(.failed(EAGAIN), to: reply)
    }
    let process = HookProcess.start(
      command, url: url, title: title, output: output, environment: choice.environment)
    guard let process else { return respond(.failed(errno), to: reply) }
    let limit = ContinuousClock.now + .seconds(settings.hooks.timeout + Self.hookGrace)
    reportedProcesses.append(
      ReportedProcess(reply: reply, process: process, isHook: true, limit: limit))
  }

  // MARK: Ends of decoders and hooks

  /// The time in milliseconds until the first limit of a running process; -1 if there is none.
  private var timeout: Int32 {
    guard let first = reportedProcesses.compactMap(\.limit).min() else { return -1 }
    let left = (first - ContinuousClock.now) / .milliseconds(1)
    return Int32(min(max(0, left.rounded(.up)), 60_000))
  }

  /// Kills the processes whose limits have passed; their ends are reported like all others.
  private func killProcesses(after now: ContinuousClock.Instant) {
    for index in reportedProcesses.indices {
      guard let limit = reportedProcesses[index].limit, limit <= now else { continue }
      reportedProcesses[index].process.kill()
      reportedProcesses[index].limit = nil
    }
  }

  /// Kills the processes that satisfy a condition, because their results are not awaited any more.
  private func endProcesses(where condition: (ReportedProcess) -> Bool) {
    for running in reportedProcesses where condition(running) {
      running.process.kill()
      running.process.wait()
      close(running.reply)
    }
    reportedProcesses.removeAll(where: condition)
  }
}
