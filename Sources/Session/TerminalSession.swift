import OfflineCache
import Platform
package import Configuration
package import Saving
import Dispatch
import Document
import Formats
import Foundation
import Layout
package import Pages
package import Profiles
package import Reader
import Terminal
import TerminalUI

/// An interactive session in the terminal. Its loop passes messages to the `Browser`, runs its
/// effects and draws its frames, on the main thread.
@MainActor package final class TerminalSession {
  /// Whether there is a terminal for drawing and for reading keys.
  package static var isUsable: Bool { NcursesTerminal.isUsable }

  /// Whether the type of the terminal, or a compatible type, is known.
  package static var isTerminalTypeKnown: Bool { NcursesTerminal.capabilities != nil }

  /// Runs an interactive session until the user quits.
  /// - Parameters:
  ///   - start: the page to open first; nil for the library.
  ///   - profile: the profile with the library.
  ///   - loader: the loader of pages.
  ///   - queue: the fetcher of queued pages.
  ///   - settings: the settings of the user.
  ///   - launcher: the launcher that starts other programs; nil if this process starts them itself.
  ///   - warnings: messages to show with the first page.
  /// - Returns: the exit code.
  package static func run(
    start: LoadRequest?, profile: Profile, loader: PageLoader, queue: QueueFetcher,
    settings: Settings, launcher: Launcher? = nil, warnings: [String] = []
  ) -> Int32 {
    guard let messages = MessageQueue<Message>(),
      let terminal = NcursesTerminal(
        usesColors: settings.color.isWanted, usesMouse: settings.usesMouse,
        wakeDescriptor: messages.wakeWriteDescriptor)
    else {
      FileHandle.standardError.write(
        Data("offread: the reader cannot draw on this terminal; try offread dump\n".utf8))
      return 1
    }
    let environment = SystemProcesses.environment
    let bidi = LayoutOptions.BidiOrdering(environment: environment)
    terminal.setBidi(settings.bidi(in: bidi), environment: environment)
    let themes = profile.themes
    var warnings = warnings + themes.mistakes
    if let missing = profile.missingTheme(in: themes), !warnings.contains(missing) {
      warnings.append(missing)
    }
    let browser = Browser(
      startRequest: start, options: settings.load, settings: settings, themes: themes.themes,
      environment: browserEnvironment(of: terminal, bidi, profile, warnings))
    let programs: any Programs = launcher ?? LocalPrograms(profile.settings)
    return TerminalSession(
      browser: browser, terminal: terminal, messages: messages, loader: loader, queue: queue,
      runner: EffectRunner(profile: profile, programs: programs, directory: launcher?.directory) {
        messages.post($0)
      }, programs: programs, isPrivate: profile.isPrivate
    ).run()
  }

  private static func browserEnvironment(
    of terminal: NcursesTerminal, _ bidi: LayoutOptions.BidiOrdering, _ profile: Profile,
    _ warnings: [String]
  ) -> Browser.Environment {
    let environment = SystemProcesses.environment
    var warnings = warnings
    if let name = terminal.substituteName {
      let term = SafeText.line(environment["TERM"] ?? "")
      warnings.append("no terminfo entry for '\(term)'; using \(name)")
    }
    return Browser.Environment(
      size: terminal.size, now: Date(), timeZone: .local, isASCII: terminal.charset != .utf8,
      substitution: terminal.charset.substitution,
      isDark: TerminalBackground.isDark(environment) ?? true,
      hasClipboard: terminal.mayHaveClipboard, colorCount: terminal.colorCount,
      cellSize: terminal.cellSize, bidi: bidi, warnings: warnings,
      settingsDirectory: profile.locations.config.deletingLastPathComponent().path + "/",
      fileSettings: profile.settings, choices: profile.choices, isPrivate: profile.isPrivate)
  }

  /// The maximum time in seconds that quitting waits for work that the next start can do instead.
  package static let maxQuitTime = 0.05

  private var browser: Browser
  private let terminal: NcursesTerminal
  private let messages: MessageQueue<Message>
  private let loader: PageLoader
  private let queue: QueueFetcher
  private let runner: EffectRunner
  private let programs: any Programs
  private let isPrivate: Bool
  private var decoder: InputDecoder
  private var loads: [LoadID: PageLoad] = [:]
  private var exitCode: Int32?
  /// The message that is written to standard error at exit, or empty.
  private var exitMessage = ""
  /// The date when offread asked the terminal for its background colour; nil after the response.
  private var backgroundRequestDate: Date?
  /// The date when offread asked the terminal for its graphics capabilities; nil after the
  /// response.
  private var graphicsRequestDate: Date?

  private init(
    browser: Browser, terminal: NcursesTerminal, messages: MessageQueue<Message>,
    loader: PageLoader, queue: QueueFetcher, runner: EffectRunner, programs: any Programs,
    isPrivate: Bool
  ) {
    self.programs = programs
    self.isPrivate = isPrivate
    self.queue = queue
    self.browser = browser
    self.terminal = terminal
    self.messages = messages
    self.loader = loader
    self.runner = runner
    decoder = InputDecoder(
      keys: terminal.keysBySequence, charset: terminal.charset,
      escapeTimeout: InputDecoder.escapeTimeout(SystemProcesses.environment))
  }

  private func run() -> Int32 {
    backgroundRequestDate = terminal.queryBackground() ? Date() : nil
    handleMessage(.started)
    var bytes = [UInt8](repeating: 0, count: 4096)
    while exitCode == nil {
      terminal.present(browser.frame(), theme: browser.theme, title: browser.windowTitle)
      let hasInput = waitForInput()
      handleMessage(.clock(Date()))
      handleQueuedMessages()
      if hasInput {
        let count = read(terminal.inputDescriptor, &bytes, bytes.count)
        if count > 0 {
          handle(decoder.feed(bytes[..<count], at: .now))
        } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
          handleMessage(.terminated(signal: SIGHUP))  // the terminal is gone
        }
      } else if let deadline = decoder.deadline, deadline <= .now {
        handle(decoder.expireSequence(at: .now))
      } else if browser.hasIdleWork {
        handleMessage(.idle)
      }
    }
    for load in loads.values { load.cancel() }
    queue.stop(within: Self.maxQuitTime)
    runner.stop()
    // A late response of the terminal must not appear at the shell's prompt.
    let expectsReply = [backgroundRequestDate, graphicsRequestDate].contains { asked in
      asked.map { Date().timeIntervalSince($0) < 1 } ?? false
    }
    terminal.close(discardsReply: expectsReply)
    runner.finish()
    if !exitMessage.isEmpty {
      try? FileHandle.standardError.write(contentsOf: Data("offread: \(exitMessage)\n".utf8))
    }
    return exitCode ?? 0
  }

  /// Waits for keys, messages, signals, the timeout of an incomplete key sequence, or the next time
  /// at which the display changes by itself.
  /// - Returns: whether there is input.
  private func waitForInput() -> Bool {
    var polled = [
      pollfd(fd: terminal.inputDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: messages.wakeReadDescriptor, events: Int16(POLLIN), revents: 0),
    ]
    let clock = browser.clockInterval.map { Int($0 * 1000) }
    let keys = decoder.deadline.map {
      max(0, Int(ceil(InputDecoder.Instant.now.duration(to: $0) / Duration.milliseconds(1))))
    }
    let timeout = browser.hasIdleWork ? 0 : [clock, keys].compactMap { $0 }.min() ?? -1
    let count = poll(&polled, nfds_t(polled.count), Int32(timeout))
    return count > 0 && polled[0].revents != 0
  }

  private func handleQueuedMessages() {
    let mail = messages.drain()
    for signal in mail.signals {
      switch signal {
      case SIGWINCH: resize()
      case SIGTSTP: carryOut(.suspend)
      case SIGCONT:
        terminal.resume()
        resize()
      default: handleMessage(.terminated(signal: signal))
      }
    }
    for message in mail.messages {
      if case .load(let id, let event) = message { forgetIfEnded(id, event) }
      handleMessage(message)
    }
  }

  private func resize() {
    let size = terminal.size
    terminal.resize(to: size)
    handleMessage(.resized(size, cell: terminal.cellSize))
  }

  private func handle(_ events: [InputEvent]) {
    for event in events {
      if case .background = event { backgroundRequestDate = nil }
      if case .reply(.deviceAttributes) = event { graphicsRequestDate = nil }
      handleMessage(.input(event))
    }
  }

  private func handleMessage(_ message: Message) {
    guard exitCode == nil else { return }
    for effect in browser.update(message) { carryOut(effect) }
  }

  private func carryOut(_ effect: Effect) {
    switch effect {
    case .load(let id, let request): loads[id] = start(request, as: id)
    case .changeView(let id, let page, let view):
      loads[id] = loader.read(page, as: view) { [messages] in messages.post(.load(id, $0)) }
    case .cancelLoad(let id): loads.removeValue(forKey: id)?.cancel()
    case .stopLoad(let id): loads.removeValue(forKey: id)?.stop()
    case .findSavedLinks(let url, let links): runner.findSavedLinks(links, of: url, loader: loader)
    case .findVisitedLinks(let pageNumber, let document, let urls):
      runner.findVisitedLinks(pageNumber, document, urls)
    case .findHighlights(let pageNumber, let document, let url):
      runner.findHighlights(pageNumber, document, of: url)
    case .highlightPassage(let range, let document, let note, let url, let title, let date):
      runner.highlightPassage(range, of: document, note: note, url: url, title: title, date: date)
    case .setHighlights(let highlights, let url): runner.setHighlights(highlights, of: url)
    case .removeHighlights(let names, let url): runner.removeHighlights(names, of: url)
    case .loadList(let query): runner.postList(query)
    case .listVersions(let url): runner.listVersions(of: url)
    case .searchParts(let search): runner.searchParts(search)
    case .compare(let id, let old, let new): runner.compare(id, old, new)
    case .togglePin(let url, let title, let isFeed):
      runner.togglePin(url, title: title, isFeed: isFeed)
    case .readTags(let url): runner.readTags(of: url)
    case .setTags(let url, let text, let isAdding): runner.setTags(url, text, isAdding: isAdding)
    case .enqueue(let urls, let page): runner.enqueue(urls, from: page)
    case .fetchQueue: queue.start { [messages] in messages.post(.queue($0)) }
    case .countQueue: queue.reportChange()
    case .retryQueue: queue.reportNetwork()
    case .setOffline(let isOffline): setOffline(isOffline)
    case .removePages(let urls): runner.setRemoved(urls, to: true)
    case .restorePages(let urls): runner.setRemoved(urls, to: false)
    case .findSequence(let query): runner.findSequence(query)
    case .planRemoval(let id): runner.planRemoval(ofCollection: id)
    case .setCollection(let id, let isRemoved): runner.setCollection(id, isRemoved: isRemoved)
    case .markItems(let change): runner.markItems(change)
    case .download(let download): runner.startDownload(download)
    case .cancelDownload(let id): runner.cancelDownload(id)
    case .enclosures(let request): runner.handle(request)
    case .openAttachment(let attachment): runner.open(attachment)
    case .openInOtherProgram(let url): runner.openURL(url)
    case .findCompletions(let typed, let subject): runner.findCompletions(typed, subject)
    case .runShellCommand(let command): run(command)
    case .editControlText(let text, let control): edit(text, of: control)
    case .editSettings: editSettings()
    case .setMouseReporting(let isTaken): terminal.setMouseReporting(isTaken)
    case .recordPosition(let record): runner.recordPosition(record)
    case .saveTabs(let tabs): runner.saveTabs(tabs)
    case .findLostTabs: runner.postLostTabs()
    case .addCookies(let cookies, let site): runner.addCookies(cookies, of: site)
    case .storeChoice(let choice): runner.applyChoice(choice)
    case .findBookmark(let letter): runner.findBookmark(letter)
    case .signIn(let credentials, let question): loader.signIn(credentials, for: question)
    case .writeClipboard(let text): terminal.writeClipboard(text)
    case .queryGraphics: if terminal.queryGraphics() { graphicsRequestDate = Date() }
    case .requestImages(let queries): runner.setWantedImages(queries)
    case .redraw: terminal.redraw()
    case .suspend: suspend()
    case .quit(let code, let content): (exitCode, exitMessage) = (code, content)
    }
  }

  /// Stops what uses the network without a page that waits for it, or lets the queue go on.
  private func setOffline(_ isOffline: Bool) {
    queue.setPaused(isOffline)
    if isOffline { runner.profile.cache.stopRevalidations() }
  }

  /// Stops this process for job control, and adapts to the size of the terminal when it continues.
  private func suspend() {
    terminal.stopJob { programs.stopJob() }
    resize()
  }

  /// Starts a load that posts its events; the recorded reading position is posted before the page.
  private func start(_ request: LoadRequest, as id: LoadID) -> PageLoad {
    loader.load(request) { [messages, runner] event in
      switch event {
      case .began(let page), .loaded(let page):
        if page.sentForm == nil, let position = runner.lastPosition(on: page) {
          messages.post(.lastPosition(position))
        }
      case .progressed, .asking, .offered, .newer, .checked, .failed: break
      }
      messages.post(.load(id, event))
    }
  }

  /// Runs a shell command while the screen is suspended.
  private func run(_ command: ShellCommand) {
    guard !isPrivate || command.input == .terminal else {
      return reportPrivateSession(
        command.line.replacing(ShellCommand.editorCommandLine, with: "an editor"))
    }
    var code: Int32?
    terminal.whileSuspended {
      code = programs.run(command, keyDescriptor: terminal.inputDescriptor)
    }
    resize()
    if let code {
      guard let message = command.failureMessage(code) else { return }
      return handleMessage(.notice(SafeText.line(message), isError: true))
    }
    let message = "cannot start a process or create a file in TMPDIR; is the disk full?"
    handleMessage(.notice("not run: \(programs.unavailabilityReason ?? message)", isError: true))
  }

  /// Lets the user edit the text of a control in the editor while the screen is suspended.
  private func edit(_ text: [UInt8], of control: Int32) {
    guard !isPrivate else { return reportPrivateSession("an editor") }
    var edited = EditedText.notStarted
    terminal.whileSuspended {
      edited = programs.edit(text, keyDescriptor: terminal.inputDescriptor)
    }
    resize()
    handleMessage(.edited(edited, control: control))
    if edited == .notStarted {
      reportNotEdited("no editor can be started, or its file cannot be read")
    }
  }

  /// Opens the settings file in the editor, and reads it again when the editor ends.
  private func editSettings() {
    guard !isPrivate else { return reportPrivateSession("an editor") }
    let file = runner.settingsFile
    let command = ShellCommand(line: ShellCommand.editorCommandLine, input: .fileName(file.path))
    var code: Int32?
    terminal.whileSuspended {
      code = programs.run(command, keyDescriptor: terminal.inputDescriptor)
    }
    resize()
    guard let code else { return reportNotEdited("no editor can be started") }
    guard code == 0 else {
      let message = "the settings are unchanged: the editor \(ShellCommand.exitText(code))"
      return handleMessage(.notice(message, isError: true))
    }
    handleMessage(.settingsRead(runner.readSettings()))
  }

  /// Reports that nothing was edited. The reason is used unless programs are unavailable.
  private func reportNotEdited(_ reason: String) {
    let reason = programs.unavailabilityReason ?? reason
    handleMessage(.notice("not edited: \(reason)", isError: true))
  }

  /// Reports that a file for a program cannot be written because the session is private.
  private func reportPrivateSession(_ program: String) {
    let message = "a private session does not write a file for \(SafeText.line(program))"
    handleMessage(.notice(message, isError: true))
  }

  /// Releases a load after its last event.
  private func forgetIfEnded(_ id: LoadID, _ event: LoadEvent) {
    switch event {
    case .failed, .newer, .checked: loads[id] = nil
    case .progressed, .asking, .offered, .began: break
    case .loaded(let page):
      if case .saved = page.provenance.source { break }
      if !page.isArriving { loads[id] = nil }
    }
  }
}
