import Commands
import Rendering
import Pages
import Library
import ArgumentParser
import Configuration
import DOM
import Dispatch
import Document
import Foundation
import Images
import Layout
import OfflineCache
import Platform
import Doctor
import Profiles
import Sandbox
import Terminal
import TerminalUI
import WARC

/// `offread doctor [URL]`: checks the installation, for bug reports.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check the installation, for bug reports.")

  @Argument(help: "A URL to request once; without it, the network is not used.")
  var url: String?

  @Flag(help: "Write the report as JSON.")
  var json = false

  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp("Keep the whole profile in one directory.", valueName: "dir"),
    transform: NonemptyArgument.parse)
  var dataDirectory: String?

  mutating func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let locations = Locations(dataDirectory: dataDirectory, environment: environment)
    let reading = SettingsFile.read(locations.config, orLastGood: locations.lastSettings)
    let profile = Profile(
      locations: locations, shared: SharedFiles.find(), settings: reading.settings,
      isPrivate: true)
    defer { profile.close() }
    var mistakeCount = reading.mistakes.count
    _ = Keymap(reading.settings.keys) { _ in mistakeCount += 1 }
    if profile.missingTheme(in: profile.themes) != nil { mistakeCount += 1 }
    var findings = Self.programFindings(profile, reading, mistakes: mistakeCount)
    findings += OptionalProgram.optionalPrograms(profile.settings).map(\.finding)
    findings += TerminalFindings.allFindings(environment)
    findings += NetworkFindings.proxyFindings(environment)
    if let url { findings.append(try Self.requestFinding(url, profile)) }
    findings += HookFindings.allFindings(of: profile)
    findings +=
      DirectoryFindings(of: profile, homeDirectory: Locations.home(environment)).allFindings
    findings += PageWatch.ledger(in: locations.crashes).excludedPages(by: Offread.version).map {
      page in
      Finding(
        .directories, "page left out", textLabel: "skipped page",
        SafeText.withoutCredentials(page.key),
        advice: "\(page.reason); please report it")
    }
    let text = json ? try JSONReport.text("findings", findings) : findings.reportText
    try StandardOutput.write(Array(text.utf8))
    if !findings.hasNoProblems { throw ExitCode(1) }
  }

  /// Returns the findings about the program, the system and the libraries.
  private static func programFindings(
    _ profile: Profile, _ reading: SettingsFile.Reading, mistakes: Int
  ) -> [Finding] {
    var system = utsname()
    uname(&system)
    func text<Value>(_ value: Value) -> String {
      withUnsafeBytes(of: value) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    var found = [
      Finding(.program, "offread", Offread.version),
      Finding(
        .program, "system",
        "\(text(system.sysname)) \(text(system.release)) \(text(system.machine))"),
    ]
    let curl = CurlTransport.versions
    found += [
      Finding(
        .program, "curl", curl,
        advice: curl.contains("/") ? nil : "install libcurl 4: no page can be loaded without it"),
      Finding(.program, "SQLite", RebuildableDatabase.sqliteVersion ?? "not known"),
      Finding(.program, "libxml2", DOMParser.version),
      Finding(.program, "C library", SystemValue.libraryVersion),
      Finding(.program, "libunistring", Unistring.version),
      Finding(.program, "FriBidi", FriBidi.version),
      Finding(.program, "Nettle", DigestBuilder.nettleVersion),
      imageFormatFinding,
      Finding(.program, "ncurses", MainActor.assumeIsolated { NcursesTerminal.ncursesVersion }),
      Finding(
        .program, "own files", textLabel: "data files",
        profile.shared == nil ? "not found" : "found",
        advice: profile.shared == nil ? "install offread with scripts/install or a package" : nil),
      sandboxFinding,
      settingsFinding(reading, mistakes: mistakes),
    ]
    return found
  }

  /// Returns the finding about the settings: the number of errors, and which settings are in force.
  private static func settingsFinding(_ reading: SettingsFile.Reading, mistakes: Int) -> Finding {
    let value =
      switch reading.origin {
      case .file: mistakes == 0 ? "no errors" : CountFormatter.countText(mistakes, "error")
      case .lastGood: "the file cannot be read; the last good settings are in force"
      case .defaults: "the file cannot be read; offread uses the default settings and stays offline"
      }
    let advice =
      [reading.settingsInForceNotice, mistakes == 0 ? nil : "offread config lists the errors"]
      .compactMap(\.self).joined(separator: "; ")
    return Finding(.program, "settings", value, advice: advice.isEmpty ? nil : advice)
  }

  /// The finding about the sandbox: which restrictions the kernel supports.
  private static var sandboxFinding: Finding {
    let files = Confinement.version.map { "Landlock \($0)" } ?? "no Landlock"
    let advice =
      if Confinement.version == nil {
        "the reader and commands can read and change every file of the user"
          + (CallFilter.isPossible ? ", but start no programs" : "")
          + "; the full sandbox needs a kernel with Landlock (5.13)"
      } else if !CallFilter.isPossible {
        "the reader and commands can reach other processes and their sockets; the full sandbox needs a"
          + " kernel with seccomp, on x86_64 or aarch64"
      } else {
        String?.none
      }
    return Finding(
      .program, "sandbox", "\(files), \(CallFilter.isPossible ? "" : "no ")seccomp",
      advice: advice)
  }

  /// The finding about the image formats that can be drawn.
  private static var imageFormatFinding: Finding {
    let formats = ImageDecoder.formatSupport
    var lacking = formats.missing
    if !ImageDecoder.supportsSymbols { lacking.append("symbols (libchafa)") }
    let text = lacking.joined(separator: ", ")
    let advice = "install the libraries for \(text); until then their alternative text is shown"
    return Finding(
      .program, "images", formats.known.isEmpty ? "none" : formats.known.joined(separator: ", "),
      advice: lacking.isEmpty ? nil : advice)
  }

  /// Sends one HEAD request to a URL with a limit of 15 seconds. Nothing of the response is saved.
  private static func requestFinding(_ text: String, _ profile: Profile) throws -> Finding {
    let typed = try ProfileArguments.url(typed: text)
    guard case .web(let url) = typed.address else { throw ExitCode(2) }
    var options = LoadOptions()
    options.mode = .networkOnly
    options.isUserEntered = true
    options.isAnonymous = true
    options.allowsFallback = false
    options.limitTotal(to: 15)
    let start = DispatchTime.now()
    let waiter = BlockingQueue<CacheEvent>()
    let load = profile.cache.load(WebRequest(method: "HEAD", url: url), options: options) {
      waiter.post($0)
    }
    defer { load.cancel() }
    while true {
      let event = waiter.waitForNext()
      let time = Int((DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1_000_000)
      switch event {
      case .response(let response):
        return NetworkFindings.requestFinding(
          .success(response.response.status), milliseconds: time)
      case .failed(let error):
        return NetworkFindings.requestFinding(.failure(error), milliseconds: time)
      case .data, .finished, .refreshed, .checked: continue
      }
    }
  }
}
