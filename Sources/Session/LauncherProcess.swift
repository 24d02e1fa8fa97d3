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

/// The launcher process. It has one thread and all rights of the user, accepts only known kinds of
/// requests from a reader (the interactive process) that may be compromised, and ends when the
/// reader ends. It must never start a second thread; see `SystemProcesses.fork`.
@MainActor final class LauncherProcess {
  /// A command that uses the terminal, with the socket for the response that reports its end.
  private struct Foreground {
    var running: ForegroundCommand.RunningCommand
    var replySocket: Int32
    /// Whether the command is an editor, whose text is attached to the response.
    var returnsText: Bool
  }

  private enum Phase: Equatable {
    /// Requests of the reader are received.
    case serving
    /// The reader has ended.
    case readerEnded
    /// The reader has requested the end of the launcher.
    case endRequested(replySocket: Int32)
  }

  /// A partial file that was created for the reader.
  private struct OpenPartialFile {
    /// A descriptor of the directory of the file. A path would not be safe, because symbolic links
    /// could redirect it later.
    var directoryDescriptor: Int32
    var partialPath: String
    var finalName: String
  }

  private let socket: Int32
  private let scope: Launcher.Scope
  /// The path of the settings file, which the reader may read and edit even if it is a hidden file;
  /// nil for a command.
  private let settingsFile: String?
  private let choice: ProgramChoice
  private let directory: PrivateDirectory?
  private let outputs: OutputFiles
  private lazy var policy = FilePolicy(choice.environment)
  /// A descriptor that becomes readable when a child process changes its state; -1 for none.
  private var childSignalDescriptor: Int32 = -1
  private var phase = Phase.serving
  private var foreground: Foreground?
  /// The terminal of the reader; nil if it has no terminal.
  private var terminal: AbandonedTerminal?
  /// The processes that run in the background.
  private var backgroundProcesses: [pid_t] = []
  /// The command lines that the launcher has returned to the reader, which may ask to run them.
  private var preparedLines: Set<String> = []
  /// The command lines that the user's settings bind to keys, which need no confirmation.
  private lazy var configuredLines = Set(
    choice.settings.keys.compactMap { setting in
      let line = Commands.CommandLine(binding: setting.name)
      return [.shell, .pipe].contains(line?.command) ? line?.argument : nil
    })
  /// Whether the user has allowed the reader to run command lines.
  private var trustsCommandLines = false
  /// The partial files that the reader has not renamed or deleted yet, by path.
  private var partialFiles: [String: OpenPartialFile] = [:]
  /// The running browsers, each with a socket whose other end the reader closes to end the browser.
  private var browsers: [(end: Int32, process: BrowserProcess.StartedProcess)] = []
  /// A decoder or hook whose end is reported to the process that requested it.
  private struct ReportedProcess {
    /// The socket for the exit status of the process. If the other end is closed, the process is
    /// killed.
    var replySocket: Int32
    var process: ChildProcess
    /// Whether the process is a hook; otherwise it is a decoder.
    var isHook = false
    /// The time after which the process is killed; nil for a decoder, whose processor time is
    /// limited, and for a process that was killed already.
    var deadline: ContinuousClock.Instant?
  }

  /// The running decoders and hooks.
  private var reportedProcesses: [ReportedProcess] = []
  private static let maxDecoders = 32
  /// The maximum number of hooks that run at once: one that the reader has stopped but that has not
  /// ended yet, and the next one.
  private static let maxHooks = 2
  /// The time in seconds after a hook's time limit at which the launcher kills the hook; normally,
  /// the process that requested the hook stops it at the limit.
  private static let hookGraceTime = 5.0

  init(
    _ socket: Int32, _ settings: Settings, _ environment: [String: String],
    _ parent: PrivateDirectory?, _ scope: Launcher.Scope = .allReaderRequests,
    _ outputs: OutputFiles = OutputFiles([]), settingsFile: String? = nil,
    terminal: AbandonedTerminal? = nil
  ) {
    (self.settingsFile, self.terminal) = (settingsFile, terminal)
    self.socket = socket
    self.scope = scope
    choice = ProgramChoice(settings: settings, environment: environment)
    self.directory = parent
    self.outputs = outputs
  }

  /// Serves requests until the reader ends, then exits the process. Ignores the signals that the
  /// terminal sends to the job of the reader.
  func run() -> Never {
    // Signals that the terminal sends to the reader's job must not end or stop the launcher.
    for number in [SIGINT, SIGQUIT, SIGTSTP, SIGHUP, SIGTERM, SIGPIPE] {
      signal(number, SIG_IGN)
    }
    // A program that reads the output of a command waits until all processes have closed that
    // output.
    if !scope.contains(.reader), case let nothing = Platform.open("/dev/null", O_RDWR), nothing >= 0
    {
      for stream in 0..<Int32(3) where stream != socket { dup2(nothing, stream) }
      if nothing > 2 { close(nothing) }
    }
    serveRequests()
    _exit(0)
  }

  /// Serves requests until the reader ends, and then waits for the program that uses the terminal,
  /// unless it is stopped. Finally, deletes incomplete files and the directory.
  func serveRequests() {
    childSignalDescriptor = SystemProcesses.watchChildren() ?? -1
    // The user may still be writing in an editor after the reader has ended. If that editor is
    // stopped, no process would continue it; the system ends it after this process.
    while phase == .serving || foreground?.running.isStopped == false {
      var pollDescriptors = [
        pollfd(fd: childSignalDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: phase == .serving ? socket : -1, events: Int16(POLLIN), revents: 0),
      ]
      pollDescriptors += browsers.map { pollfd(fd: $0.end, events: Int16(POLLIN), revents: 0) }
      let firstProcess = pollDescriptors.count
      pollDescriptors += reportedProcesses.map { pollfd(fd: $0.replySocket, events: 0, revents: 0) }
      let count = poll(&pollDescriptors, nfds_t(pollDescriptors.count), timeout)
      let now = ContinuousClock.now
      killProcesses(after: now)
      guard count > 0 else { continue }
      let closedSockets = Set(pollDescriptors[firstProcess...].filter { $0.revents != 0 }.map(\.fd))
      endProcesses { closedSockets.contains($0.replySocket) }
      endBrowsers { index in pollDescriptors[2 + index].revents != 0 }
      if pollDescriptors[0].revents != 0 { reapChildren() }
      if pollDescriptors[1].revents != 0 { receiveRequest() }
    }
    foreground = nil
    endBrowsers { _ in true }
    endProcesses { _ in true }
    outputs.discardAll()
    for file in partialFiles.values { unlink(descriptorPath(file.partialPath, in: file)) }
    directory?.remove()
    if case .endRequested(let replySocket) = phase { respond(.done, to: replySocket) }
  }

  /// Reaps the processes that have ended and reports their ends, and reports whether the program in
  /// the terminal has ended or stopped.
  private func reapChildren() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(childSignalDescriptor, &bytes, bytes.count) > 0 {}
    var status: Int32 = 0
    // Browsers are not in this list; `endBrowsers` waits for them.
    backgroundProcesses.removeAll { waitpid($0, &status, WNOHANG) != 0 }
    reportedProcesses.removeAll { running in
      guard let status = running.process.exitStatusIfEnded() else { return false }
      respond(.ended(status), to: running.replySocket)
      return true
    }
    switch foreground?.running.stateChange() {
    case .stopped:
      if let replySocket = foreground?.replySocket {
        _ = SystemProcesses.send(LauncherResponse.stopped.bytes, to: replySocket)
      }
    case .ended(let status):
      if let ended = foreground { respondToEnd(ended, status) }
      foreground = nil
    case nil: break
    }
  }

  /// Responds to the request for a program in the terminal that has ended: with the edited text or
  /// the exit code.
  private func respondToEnd(_ command: Foreground, _ status: Int32) {
    let code = SystemProcesses.exitCode(status)
    guard command.returnsText, code == 0 else {
      return respond(code == 0 ? .done : .ended(code), to: command.replySocket)
    }
    guard let text = command.running.fileContent,
      let file = SystemProcesses.memoryFile(with: text)
    else { return respond(.failed(0), to: command.replySocket) }
    respond(.done, with: [file], to: command.replySocket)
  }

  // MARK: Requests

  private func receiveRequest() {
    guard let (bytes, descriptors) = SystemProcesses.receive(from: socket) else {
      phase = .readerEnded
      // A program in the terminal, such as an editor, has changed the modes for itself.
      if foreground == nil { terminal?.restore() }
      return
    }
    // Without a response, the socket for it is closed, which the reader detects.
    guard let request = LauncherRequest(bytes), scope.contains(request.scope),
      let replySocket = descriptors.first
    else {
      for descriptor in descriptors { close(descriptor) }
      return
    }
    carryOut(
      request, content: descriptors.count > 1 ? descriptors[1] : nil, descriptors, replySocket)
    for descriptor in descriptors.dropFirst() { close(descriptor) }
  }

  /// Carries out a request.
  /// - Parameters:
  ///   - request: The request.
  ///   - content: The descriptor of the file with the text for the program; nil if there is none.
  ///   - descriptors: All descriptors that came with the request.
  ///   - replySocket: The socket for the response.
  private func carryOut(
    _ request: LauncherRequest, content: Int32?, _ descriptors: [Int32], _ replySocket: Int32
  ) {
    switch request {
    case .shell(let line, let url): confirmAndRun(ShellCommand(line: line, url: url), replySocket)
    case .pipe(let line, let url):
      confirmAndRun(
        ShellCommand(line: line, input: .text(readText(content)), url: url), replySocket)
    case .preparedCommand(let line, let url):
      guard preparedLines.contains(line) else { return respond(.failed(EPERM), to: replySocket) }
      runInForeground(ShellCommand(line: line, url: url, waitsForKeyAfterwards: false), replySocket)
    case .viewText(let url):
      runInForeground(
        ShellCommand(
          line: ShellCommand.editorCommandLine, input: .file(readText(content)), url: url),
        replySocket)
    case .editFile(let path, let url):
      guard path.hasPrefix("/") else { return respond(.failed(EPERM), to: replySocket) }
      makeSettingsDirectory(for: path)
      runInForeground(
        ShellCommand(line: ShellCommand.editorCommandLine, input: .fileName(path), url: url),
        replySocket)
    case .editText: runInForeground(.editing(readText(content)), replySocket, isEdit: true)
    case .openFile(let path, let mediaType): openFile(path, mediaType, replySocket)
    case .openURL(let url): openURL(url, replySocket)
    case .openForReading(let path): openForReading(path, replySocket)
    case .createPartialFile(let partialPath, let path):
      createPartialFile(partialPath, for: path, replySocket)
    case .renamePartialFile(let partialPath, let path):
      renamePartialFile(partialPath, path, replySocket)
    case .removePartialFile(let partialPath):
      if let file = partialFiles.removeValue(forKey: partialPath) {
        unlink(self.descriptorPath(file.partialPath, in: file))
        close(file.directoryDescriptor)
      }
      respond(.done, to: replySocket)
    case .startBrowser: startBrowser(replySocket)
    case .stopJob:
      terminal?.mayBeInUse = true
      kill(0, SIGTSTP)
      respond(.done, to: replySocket)
    case .resumeForeground:
      foreground?.running.resume()
      respond(.done, to: replySocket)
    case .endLauncher:
      phase = .endRequested(replySocket: replySocket)
    case .openOutput(let path):
      let file = outputs.create(path)
      guard file >= 0 else { return respond(.failed(-file), to: replySocket) }
      _ = SystemProcesses.send(LauncherResponse.done.bytes, with: [file], to: replySocket)
      close(replySocket)
    case .completeOutput(let path): respond(outputs.complete(path), to: replySocket)
    case .makeOutputDirectory(let path): respond(outputs.makeDirectory(path), to: replySocket)
    case .discardOutput(let path):
      outputs.discard(path)
      respond(.done, to: replySocket)
    case .startDecoder(let program): startDecoder(program, descriptors, replySocket)
    case .startReadHook(let url, let title): startReadHook(url, title, output: content, replySocket)
    }
  }

  /// Responds with an `errno` value, or with `.done` if the value is 0.
  private func respond(_ error: Int32, to replySocket: Int32) {
    respond(error == 0 ? .done : .failed(error), to: replySocket)
  }

  private func respond(
    _ response: LauncherResponse, with descriptors: [Int32] = [], to replySocket: Int32
  ) {
    _ = SystemProcesses.send(response.bytes, with: descriptors, to: replySocket)
    for descriptor in descriptors + [replySocket] { close(descriptor) }
  }

  private func readText(_ content: Int32?) -> [UInt8] {
    content.flatMap { LocalFile.content(of: $0) } ?? []
  }

  /// Whether the reader has ended, or has sent `endLauncher`.
  private var isEnding: Bool {
    var marker: UInt8 = 0
    let count = recv(socket, &marker, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count == 0 || count == 1 && marker == LauncherRequest.endByte
  }

  // MARK: The terminal

  /// The descriptor from which keys are read: standard input, or the terminal itself if standard
  /// input is redirected.
  private lazy var keys =
    isatty(STDIN_FILENO) == 1
    ? STDIN_FILENO : Platform.open("/dev/tty", O_RDWR | O_CLOEXEC)

  /// Starts a program in the terminal; the response to its request follows when it ends.
  private func runInForeground(_ command: ShellCommand, _ replySocket: Int32, isEdit: Bool = false)
  {
    guard foreground == nil, let running = ForegroundCommand.start(command, keyDescriptor: keys),
      running.wasStarted
    else { return respond(.failed(0), to: replySocket) }
    foreground = Foreground(running: running, replySocket: replySocket, returnsText: isEdit)
  }

  /// Runs a command line in the terminal if it is trusted or the user confirms it.
  private func confirmAndRun(_ command: ShellCommand, _ replySocket: Int32) {
    guard
      command.isInteractiveShell || trustsCommandLines || configuredLines.contains(command.line)
        || confirm(command.line)
    else { return respond(.notStarted, to: replySocket) }
    runInForeground(command, replySocket)
  }

  /// Asks the user to confirm a command line of the reader, which may be compromised, and returns
  /// whether it may be run. After a confirmation, the user is not asked again in the session.
  private func confirm(_ line: String) -> Bool {
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
    trustsCommandLines = key == UInt8(ascii: "y") || key == UInt8(ascii: "Y")
    _ = OutputDescriptor(STDOUT_FILENO).write(Array("\r\n".utf8))
    return trustsCommandLines
  }

  // MARK: Openers

  private func openFile(_ file: String, _ mediaType: String, _ replySocket: Int32) {
    guard let directory, (file as NSString).deletingLastPathComponent == directory.path,
      !file.hasSuffix("/..")
    else { return respond(.failed(EPERM), to: replySocket) }
    let result = choice.open(file: file, mediaType: mediaType) {
      testSucceeds($0)
    } start: { line in
      !isEnding && startDetached(line)
    }
    if case .runInTerminal(let line) = result { preparedLines.insert(line) }
    respond(result, to: replySocket)
  }

  private func openURL(_ url: String, _ replySocket: Int32) {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    guard !["javascript", "vbscript", "data", "blob", "about", "stdin"].contains(scheme),
      !url.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return respond(.failed(EPERM), to: replySocket) }
    let result = choice.open(url: url) {
      startDetached($0, ["OFFREAD_URL": url])
    }
    if case .runInTerminal(let line) = result { preparedLines.insert(line) }
    respond(result, to: replySocket)
  }

  /// Starts a command in the background; returns whether it was started.
  private func startDetached(_ line: String, _ variables: [String: String] = [:]) -> Bool {
    guard let process = ShellProcess.start(line, .detached, variables: variables) else {
      return false
    }
    backgroundProcesses.append(process)
    return true
  }

  /// Returns whether the test command of a mailcap entry succeeds within two seconds.
  private func testSucceeds(_ line: String) -> Bool {
    guard let process = ShellProcess.start(line, .detached) else { return false }
    let end = ContinuousClock.now + .seconds(2)
    var pause: Int32 = 1
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 {
      if ContinuousClock.now > end || isEnding {
        kill(-process, SIGKILL)
        ShellProcess.wait(for: process)
        return false
      }
      var polled = pollfd(fd: childSignalDescriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&polled, 1, pause)
      pause = min(2 * pause, 20)
    }
    return status == 0
  }

  // MARK: Files

  /// Creates the directory of a file if the file is the settings file, because editors do not
  /// create directories.
  private func makeSettingsDirectory(for path: String) {
    guard path == settingsFile else { return }
    try? LocalFileSystem().makeDirectories((path as NSString).deletingLastPathComponent)
  }

  /// Returns the real path of the file of a descriptor; nil if it cannot be determined.
  private func realPath(of descriptor: Int32) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
  }

  /// The flag `O_PATH`, which the C library declares only with `_GNU_SOURCE`. It yields a
  /// descriptor for a path without opening the file.
  private static let pathOnlyFlag: Int32 = 0o10_000_000

  private func openForReading(_ path: String, _ replySocket: Int32) {
    let position = path.withPath { Platform.open($0, Self.pathOnlyFlag | O_CLOEXEC) }
    guard position >= 0 else { return respond(.failed(errno), to: replySocket) }
    defer { close(position) }
    var status = stat()
    guard fstat(position, &status) == 0, let real = realPath(of: position),
      path == settingsFile || policy.mayRead(real),
      [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    else { return respond(.failed(EPERM), to: replySocket) }
    let file = Platform.open("/proc/self/fd/\(position)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return respond(.failed(errno), to: replySocket) }
    respond(.done, with: [file], to: replySocket)
  }

  private func descriptorPath(_ name: String, in file: OpenPartialFile) -> String {
    "/proc/self/fd/\(file.directoryDescriptor)/\(name)"
  }

  private func createPartialFile(_ partialPath: String, for path: String, _ replySocket: Int32) {
    let (parent, name) = Self.splitPath(path)
    let (partialParent, partialName) = Self.splitPath(partialPath)
    let directory = Platform.open(parent, Self.pathOnlyFlag | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return respond(.failed(errno), to: replySocket) }
    guard let real = realPath(of: directory), policy.mayCreate("\(real)/\(name)"), !name.isEmpty,
      partialParent == parent, partialName.hasPrefix(name + "."), partialName.hasSuffix(".part"),
      partialFiles[partialPath] == nil
    else {
      close(directory)
      return respond(.failed(EPERM), to: replySocket)
    }
    let partialFile = OpenPartialFile(
      directoryDescriptor: directory, partialPath: partialName, finalName: name)
    let file = PartialFileOperations.createFile(self.descriptorPath(partialName, in: partialFile))
    guard file >= 0 else {
      close(directory)
      return respond(.failed(-file), to: replySocket)
    }
    partialFiles[partialPath] = partialFile
    respond(.done, with: [file], to: replySocket)
  }

  private func renamePartialFile(_ partialPath: String, _ path: String, _ replySocket: Int32) {
    guard let partialFile = partialFiles[partialPath],
      Self.splitPath(path).name == partialFile.finalName
    else {
      return respond(.failed(EPERM), to: replySocket)
    }
    // A partial file that cannot be renamed remains on the disk.
    partialFiles[partialPath] = nil
    defer { close(partialFile.directoryDescriptor) }
    let error = PartialFileOperations.moveToFinalPath(
      self.descriptorPath(partialFile.partialPath, in: partialFile),
      self.descriptorPath(partialFile.finalName, in: partialFile),
      PartialFileOperations.link)
    respond(error, to: replySocket)
  }

  private static func splitPath(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = path[..<slash]
    return (directory.isEmpty ? "/" : String(directory), String(path[path.index(after: slash)...]))
  }

  // MARK: Browsers

  private func startBrowser(_ replySocket: Int32) {
    guard browsers.count < 4,
      let started = try? BrowserProcess.StartedProcess(command: choice.settings.render.command),
      let (own, other) = SystemProcesses.makeMessageSocketPair()
    else { return respond(.failed(0), to: replySocket) }
    browsers.append((own, started))
    respond(.done, with: [started.socket, started.errors, other], to: replySocket)
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

  private func startDecoder(_ program: DecoderProgram, _ descriptors: [Int32], _ replySocket: Int32)
  {
    guard descriptors.count > 1, program.mayRead(with: descriptors.dropFirst(2).first) else {
      return respond(.failed(EPERM), to: replySocket)
    }
    guard reportedProcesses.count(where: { !$0.isHook }) < Self.maxDecoders else {
      return respond(.failed(EAGAIN), to: replySocket)
    }
    guard let process = program.start(descriptors[1]) else {
      return respond(.failed(errno), to: replySocket)
    }
    reportedProcesses.append(ReportedProcess(replySocket: replySocket, process: process))
  }

  // MARK: Hooks

  /// Starts the command of the read hook. The command is named only by the user's settings; the
  /// request contains nothing but two of its arguments.
  private func startReadHook(_ url: String, _ title: String, output: Int32?, _ replySocket: Int32) {
    let settings = choice.settings
    guard let command = settings.hooks.readCommand else {
      return respond(.failed(ENOENT), to: replySocket)
    }
    guard let output, !settings.isSavedOnly else { return respond(.failed(EPERM), to: replySocket) }
    guard reportedProcesses.count(where: \.isHook) < Self.maxHooks else {
      return respond(.failed(EAGAIN), to: replySocket)
    }
    let process = HookProcess.start(
      command, url: url, title: title, output: output, environment: choice.environment)
    guard let process else { return respond(.failed(errno), to: replySocket) }
    let limit = ContinuousClock.now + .seconds(settings.hooks.timeout + Self.hookGraceTime)
    reportedProcesses.append(
      ReportedProcess(replySocket: replySocket, process: process, isHook: true, deadline: limit))
  }

  // MARK: Ends of decoders and hooks

  /// The time in milliseconds until the first deadline of a running process; -1 if there is no
  /// deadline.
  private var timeout: Int32 {
    guard let first = reportedProcesses.compactMap(\.deadline).min() else { return -1 }
    let left = (first - ContinuousClock.now) / .milliseconds(1)
    return Int32(min(max(0, left.rounded(.up)), 60_000))
  }

  /// Kills the processes whose deadlines have passed; their ends are reported like those of others.
  private func killProcesses(after now: ContinuousClock.Instant) {
    for index in reportedProcesses.indices {
      guard let limit = reportedProcesses[index].deadline, limit <= now else { continue }
      reportedProcesses[index].process.kill()
      reportedProcesses[index].deadline = nil
    }
  }

  /// Kills the processes that satisfy a condition, because no other process waits for their results
  /// any more.
  private func endProcesses(where condition: (ReportedProcess) -> Bool) {
    for running in reportedProcesses where condition(running) {
      running.process.kill()
      running.process.wait()
      close(running.replySocket)
    }
    reportedProcesses.removeAll(where: condition)
  }
}
