import Library
import Configuration
import Document
import ArgumentParser
import Foundation
import OfflineCache
import Reader
import Session

/// The options of commands that work on what is saved and load nothing.
struct ProfileArguments: ParsableArguments {
  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp("Keep everything of this profile in one folder.", valueName: "dir"))
  var dataDirectory: String?

  @OptionGroup var sandbox: SandboxArguments

  /// The profile that the options choose; opens nothing. Where nothing was ever saved, no folder is
  /// made to find that out.
  var profile: Profile {
    get throws { try profile(isFilled: false) }
  }

  /// The same.
  /// - Parameter isFilled: whether something is saved in it now, also where nothing was before.
  /// - Returns: the profile.
  /// - Throws: an exit code, or `ReaderError`.
  func profile(isFilled: Bool) throws -> Profile {
    try DescriptorLimit.ensure()
    let locations = Locations(
      dataDirectory: dataDirectory, environment: ProcessInfo.processInfo.environment)
    let settings = try Settings.read(of: locations, isReading: true).settings
    return Profile(
      locations: locations, shared: SharedFiles.find(), settings: settings,
      isReadOnly: !isFilled && Self.isMissing(locations.archive.path))
  }

  /// Whether there is nothing at a path; what cannot be looked at counts as there.
  private static func isMissing(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 && errno == ENOENT
  }

  /// Does something with the cache of the profile and closes it; an error of the archive ends the
  /// command with 1, and what a person interrupted with 130.
  func withCache<Value>(_ work: (HTTPCache) throws -> Value) throws -> Value {
    try withProfile { try work($0.cache) }
  }

  /// Watches over the pages that a command parses in a profile: for work over the whole library. To be called when the
  /// command is confined, so that its launcher does not hold the file.
  static func watchPages(of profile: Profile) {
    PageWatch.start(
      folder: profile.locations.crashes, version: Offread.version, isReadOnly: profile.isReadOnly)
  }

  /// What a command needs of the system, besides the profile.
  struct Needs {
    /// The files that it reads; `-` is standard input.
    var reads: [String] = []
    /// The files that it writes.
    var outputs: [OutputGrant] = []
    /// Whether it has the network.
    var network = false
  }

  /// The profile, for a command that then reads what others have written: the command gives up what it does not need.
  func confinedProfile(isFilled: Bool = false, _ needs: Needs = Needs()) throws -> Profile {
    let profile = try profile(isFilled: isFilled)
    let writes: Confinement.Writing = profile.isReadOnly ? .nothing : .library
    sandbox.confine(profile, writes: writes, outputs: needs.outputs) { confinement in
      for file in needs.reads where file != "-" { confinement.read(named: file) }
      if !needs.network { confinement.calls.insert(.sockets) }
    }
    return profile
  }

  /// The same with the whole profile.
  func withProfile<Value>(
    isFilled: Bool = false, _ needs: Needs = Needs(), _ work: (Profile) throws -> Value
  ) throws -> Value {
    let profile = try confinedProfile(isFilled: isFilled, needs)
    Self.waitForDatabases()
    var told: ArchiveError?
    defer { StandardOutput.complain(closing: profile, besides: told) }
    return try Self.telling {
      do {
        return try work(profile)
      } catch let error as ArchiveError {
        told = error
        throw error
      }
    }
  }

  /// Waits for who writes to the databases, as what is changed here is not done again by itself.
  private static func waitForDatabases() {
    DatabasePatience.extend(
      to: 60,
      tell: {
        StandardOutput.complain(
          "waiting for another program that writes to the library; ^C ends it")
      }, isStopped: { Interruption.hasCome })
  }

  /// Does something with what is saved; an error ends the command with 1, after it was told, and what a
  /// person interrupted with 130.
  static func telling<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch ArchiveError.stopped {
      throw ExitCode(Interruption.exitCode)
    } catch let error as ArchiveError {
      StandardOutput.complain(words(for: error))
      throw ExitCode(1)
    }
  }

  private static func words(for error: ArchiveError) -> String {
    switch error {
    case .full:
      "the archive cannot be changed: the disk is full; a file that is written anew needs room"
        + " beside the old one"
    case .unwritable(let reason): "the archive cannot be changed: \(reason)"
    case .noFolder(let reason):
      "the archive cannot be changed: \(reason); choose another folder with --data-dir"
    default: error.description
    }
  }

  /// The URL of a page of the web that was typed, or of a book that was imported where books are taken.
  /// - Throws: an exit code, after telling what is wrong.
  static func url(typed words: String, takesBooks: Bool = false) throws -> TypedURL {
    if let mistake = UnknownCommand.words(forPage: words) {
      StandardOutput.complain(mistake)
      throw ExitCode(2)
    }
    do throws(ReaderError) {
      let address = try Address(typed: words, exists: { _ in false })
      if let url = address.page(takesBooks: takesBooks) { return TypedURL(url, words: words) }
    } catch {
      StandardOutput.complain(error.description)
      throw ExitCode(error.exitCode)
    }
    StandardOutput.complain("only pages of the web are saved, not \(SafeText.line(words))")
    throw ExitCode(2)
  }
}

extension Address {
  /// The URL of a page of the web, or of a book where books are taken; nil for other addresses.
  func page(takesBooks: Bool) -> String? {
    switch self {
    case .web(let url): url.description
    case .book(let url): takesBooks ? BookAddress.key(of: url) : nil
    case .builtIn, .file, .standardInput: nil
    }
  }
}
