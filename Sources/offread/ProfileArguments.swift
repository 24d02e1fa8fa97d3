import Platform
import Library
import Configuration
import Document
import ArgumentParser
import Foundation
import OfflineCache
import Pages
import Profiles
import Rendering
import Sandbox
import Session

/// The options of commands that work on saved pages and load nothing.
struct ProfileArguments: ParsableArguments {
  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp("Keep the whole profile in one directory.", valueName: "dir"),
    transform: NonemptyArgument.parse)
  var dataDirectory: String?

  @OptionGroup var sandbox: SandboxArguments

  /// The profile that the options select. It is not opened yet; if nothing was ever saved, no
  /// directory is created.
  var profile: Profile {
    get throws { try profile(createsDirectories: false) }
  }

  /// Creates the profile that the options select.
  /// - Parameter createsDirectories: whether the command saves something, so that directories are
  ///   created if they are missing.
  /// - Returns: the profile.
  /// - Throws: an exit code, or `ReaderError`.
  func profile(createsDirectories: Bool) throws -> Profile {
    try DescriptorLimit.ensureMinimum()
    let locations = Locations(
      dataDirectory: dataDirectory, environment: SystemProcesses.environment)
    let settings = try Settings.read(of: locations, isReading: true, loadsPages: false).settings
    return Profile(
      locations: locations, shared: SharedFiles.find(), settings: settings,
      isReadOnly: try !createsDirectories && Self.isMissing(locations.archive.path))
  }

  /// Returns whether nothing exists at the path of the archive; a path that cannot be examined
  /// counts as existing.
  /// - Throws: exit code 1 if the path leads through a file, after that was reported.
  private static func isMissing(_ path: String) throws -> Bool {
    var status = stat()
    guard lstat(path, &status) != 0 else { return false }
    if errno == ENOTDIR {
      let directory = SafeText.line((path as NSString).deletingLastPathComponent)
      StandardOutput.printError(
        "saved pages cannot be read: \(directory) is not a directory;"
          + " choose another directory with --data-dir")
      throw ExitCode(1)
    }
    return errno == ENOENT
  }

  /// Starts `PageWatch` for the pages that a command parses. Call it after the command was
  /// confined, so that the launcher does not inherit the open file of `PageWatch`.
  static func watchPages(of profile: Profile) {
    PageWatch.start(
      directory: profile.locations.crashes, version: Offread.version,
      isReadOnly: profile.isReadOnly, note: { profile.report($0) })
  }

  /// The system resources that a command needs besides the profile.
  struct Needs {
    /// The files that the command reads; `-` is standard input.
    var inputFiles: [String] = []
    /// The files that the command writes.
    var outputs: [OutputGrant] = []
    /// Whether the command uses the network.
    var usesNetwork = false
  }

  /// Returns the profile and confines the process, for a command that then reads untrusted data.
  func confinedProfile(createsDirectories: Bool = false, _ needs: Needs = Needs()) throws -> Profile
  {
    let profile = try profile(createsDirectories: createsDirectories)
    let writes: Confinement.Writing = profile.isReadOnly ? .nothing : .library
    sandbox.choices.confine(profile, writes: writes, outputs: needs.outputs) { confinement in
      for file in needs.inputFiles where file != "-" { confinement.allowReading(named: file) }
      if !needs.usesNetwork { confinement.deniedCalls.insert(.sockets) }
    }
    return profile
  }

  /// Confines the process, runs `work` on the profile and closes it. An archive error ends the
  /// command with exit code 1, an interruption with `Interruption.exitCode`.
  func withProfile<Value>(
    createsDirectories: Bool = false, _ needs: Needs = Needs(), _ work: (Profile) throws -> Value
  ) throws -> Value {
    let profile = try confinedProfile(createsDirectories: createsDirectories, needs)
    Self.waitForDatabases()
    var reported: ArchiveError?
    defer { StandardOutput.closeAndPrintNotices(closing: profile, besides: reported) }
    return try Self.reportingErrors {
      do {
        return try work(profile)
      } catch let error as ArchiveError {
        reported = error
        throw error
      }
    }
  }

  /// Waits up to 60 seconds for other processes that write to the databases, because the changes of
  /// a command are not repeated automatically.
  private static func waitForDatabases() {
    DatabaseTimeout.extend(
      to: 60,
      report: {
        StandardOutput.printError(
          "waiting for another process that writes to the library; ^C stops waiting")
      }, isStopped: { Interruption.isInterrupted })
  }

  /// Runs `work` and reports an archive error. The error ends the command with exit code 1, an
  /// interruption ends it with `Interruption.exitCode`.
  static func reportingErrors<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch ArchiveError.stopped {
      throw ExitCode(Interruption.exitCode)
    } catch let error as ArchiveError {
      StandardOutput.printError(message(for: error))
      throw ExitCode(1)
    }
  }

  private static func message(for error: ArchiveError) -> String {
    switch error {
    case .full:
      "the archive cannot be changed: the disk is full; free some space and repeat the command"
    case .unwritable(let reason): "the archive cannot be changed: \(reason)"
    case .noFolder(let reason):
      "the archive cannot be changed: \(reason); choose another directory with --data-dir"
    case .limitExceeded, .damaged, .unreadable, .cookies, .credentials, .notFound, .stopped:
      error.description
    }
  }

  /// Returns the URL of a web page as typed. The URL of an imported book, or of a feed item without
  /// a page of its own, is returned only if it is accepted.
  /// - Throws: an exit code, after the error was reported.
  static func url(
    typed text: String, allowsBooks: Bool = false, allowsItems: Bool = false
  ) throws -> TypedURL {
    if let mistake = UnknownCommand.message(forPage: text) {
      StandardOutput.printError(mistake)
      throw ExitCode(2)
    }
    do throws(ReaderError) {
      let address = try Address(typed: text, exists: { _ in false })
      if let page = address.page(allowsBooks: allowsBooks, allowsItems: allowsItems) {
        return TypedURL(page, typed: text)
      }
    } catch {
      if case .unsupportedScheme = error {
        StandardOutput.printError(notWebPageMessage(text))
      } else {
        StandardOutput.printError(error.description)
      }
      throw ExitCode(error.exitCode)
    }
    StandardOutput.printError(notWebPageMessage(text))
    throw ExitCode(2)
  }

  /// Returns the message about a URL that is not that of a web page.
  static func notWebPageMessage(_ text: String) -> String {
    "'\(SafeText.withoutCredentials(inText: SafeText.line(text)))' is not a web page;"
      + " give an http or https URL"
  }
}

extension Address {
  /// Returns the address of a web page. The address of an imported book, or of a feed item without
  /// a page of its own, is returned only if it is accepted. Nil for other addresses.
  func page(allowsBooks: Bool, allowsItems: Bool) -> Address? {
    switch self {
    case .web: self
    case .book(let url): allowsBooks ? .book(BookAddress.key(of: url)) : nil
    case .feedItem: allowsItems ? self : nil
    case .builtIn, .file, .standardInput: nil
    }
  }
}
