import Library
import Commands
import Configuration
import Saving
import ArgumentParser
import OfflineCache
import Profiles
import Reader
import Sandbox
import Session

/// A start of the reader.
struct ReaderStart {
  /// A URL, a file or `-`. If nil, standard input is read if it is a pipe, a socket or a file;
  /// otherwise, the library is shown, or the start page if no page is saved or the output is not a
  /// terminal.
  var target: String?
  /// The options for presentation.
  var presentation = PageChoices()
  /// The options for loading.
  var load = LoadChoices()
  /// Whether to write nothing to the disk.
  var isPrivate = false

  /// Reads until the user quits.
  func run() throws {
    let requestedTarget = target ?? (StandardInput.isPipedOrFile ? "-" : nil)
    let target = requestedTarget ?? "about:offread"
    guard StandardOutput.isTerminal else {
      try Dump(target: target, presentation: presentation, load: load, isPrivate: isPrivate).run()
      return
    }
    guard MainActor.assumeIsolated({ TerminalSession.isUsable }) else {
      let isKnown = MainActor.assumeIsolated { TerminalSession.isTerminalTypeKnown }
      StandardOutput.printError(
        "this terminal (TERM) cannot show the reader; printing the page as text"
          + (isKnown ? "" : " (try TERM=xterm-256color)"))
      try Dump(target: target, presentation: presentation, load: load, isPrivate: isPrivate).run()
      return
    }
    try presentation.validate(forReaderOf: requestedTarget)
    try load.checkLog()
    let profile = try load.profile(
      for: target, isReading: true, isPrivate: isPrivate)
    // The reader has signal handlers of its own for crashes, so pages are skipped but not recorded.
    PageWatch.start(
      directory: profile.locations.crashes, version: Offread.version, isReadOnly: true)
    let settings = settings(of: profile)
    let launcher = MainActor.assumeIsolated { confine(profile, requestedTarget) }
    let keymap = Keymap(settings.keys) { _ in }
    let loader = PageLoader(
      profile: profile, base: presentation.base, keepsContent: true, queuesMissingPages: true,
      keyNames: KeyNames(keymap.namesByDefaultKey))
    let code = MainActor.assumeIsolated {
      TerminalSession.run(
        start: requestedTarget.map { presentation.request($0, options: settings.load) },
        profile: profile,
        loader: loader, queue: QueueFetcher(profile, options: settings.load), settings: settings,
        launcher: launcher, warnings: profile.warnings)
    }
    // The terminal is restored; background requests that are nearly complete are still saved.
    profile.finishBackgroundWork(atMost: MainActor.assumeIsolated { TerminalSession.maxQuitTime })
    loader.finishRecording()
    StandardOutput.closeAndPrintNotices(closing: profile)
    throw ExitCode(code)
  }

  /// Confines the process to what reading needs, if the system supports that; the returned launcher
  /// keeps the other rights. Nil if the process is not confined.
  @MainActor private func confine(_ profile: Profile, _ target: String?) -> Launcher? {
    guard !load.sandbox.isOff, Confinement.isPossible,
      let launcher = Launcher.start(for: profile)
    else { return nil }
    load.confineReader(profile, target, launcher)
    launcher.useForReader()
    return launcher
  }

  private func settings(of profile: Profile) -> Settings {
    var settings = profile.settings
    if let color = presentation.color { settings.color = color }
    settings.load = load.options(over: profile.settings)
    // The user is waiting, so a copy must also be shown if the response stalls.
    settings.load.fallbackDelayCoversContent = true
    if let images = presentation.images { settings.images = images }
    if presentation.linear { settings.isLinear = true }
    if let width = presentation.width { settings.textWidth = width }
    return settings
  }
}
