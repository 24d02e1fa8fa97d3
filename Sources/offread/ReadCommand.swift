import Library
import Configuration
import Saving
import ArgumentParser
import OfflineCache
import Reader
import Session

/// `offread [URL|FILE|-]`: the reader; on something that is not a terminal, `dump`.
struct ReadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read", abstract: "Read a page (the default command).")

  @Argument(help: "A URL, a file, or - for standard input; nothing for the library.")
  var target: String?

  @OptionGroup var page: PageArguments
  @OptionGroup var load: LoadArguments
  @OptionGroup var privacy: PrivateArguments

  func validate() throws { try privacy.validate(with: load) }

  mutating func run() throws {
    let wanted = target ?? (StandardInput.isPage ? "-" : nil)
    let target = wanted ?? "about:offread"
    guard StandardOutput.isTerminal else {
      try Dump(target: target, page: page, load: load, isPrivate: privacy.isPrivate).run()
      return
    }
    guard MainActor.assumeIsolated({ TerminalSession.isUsable }) else {
      StandardOutput.complain(
        "this terminal cannot show the reader (TERM); here is the page as text")
      try Dump(target: target, page: page, load: load, isPrivate: privacy.isPrivate).run()
      return
    }
    try load.checkLog()
    let profile = try load.profile(
      for: target, isReading: true, isPrivate: privacy.isPrivate)
    // The terminal has handlers of its own for faults: pages are left out, but not watched.
    PageWatch.start(
      folder: profile.locations.crashes, version: Offread.version, isReadOnly: true)
    let settings = settings(of: profile)
    let launcher = MainActor.assumeIsolated { confine(profile, wanted) }
    let loader = PageLoader(
      profile: profile, base: page.base, keepsContent: true, queuesMissing: true)
    let code = MainActor.assumeIsolated {
      TerminalSession.run(
        start: wanted.map { page.request($0, options: settings.load) }, profile: profile,
        loader: loader, queue: QueueFetcher(profile, options: settings.load), settings: settings,
        launcher: launcher, warnings: profile.warnings)
    }
    // The terminal is the shell's again; a refresh that is nearly there is still saved.
    profile.finishBackgroundWork(atMost: MainActor.assumeIsolated { TerminalSession.quitTime })
    loader.finishNotes()
    StandardOutput.complain(closing: profile)
    throw ExitCode(code)
  }

  /// Gives up what reading does not need, where that can be; a launcher keeps it.
  @MainActor private func confine(_ profile: Profile, _ target: String?) -> Launcher? {
    guard !load.sandbox.isOff, Confinement.isPossible,
      let launcher = Launcher.start(for: profile)
    else { return nil }
    load.confineReader(profile, target, launcher)
    launcher.serve()
    return launcher
  }

  private func settings(of profile: Profile) -> Settings {
    var settings = profile.settings
    if let color = page.color { settings.color = color }
    settings.load = load.options(over: profile.settings)
    // A person waits at the screen: a copy must come also when the answer stalls half-way.
    settings.load.patienceCoversContent = true
    if let images = page.images { settings.images = images }
    if page.linear { settings.isLinear = true }
    if let width = page.width { settings.textWidth = width }
    return settings
  }
}
