import ArgumentParser
import Foundation
import OfflineCache
import Reader

/// The options of commands that work on what is saved and load nothing.
struct ProfileArguments: ParsableArguments {
  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp("Keep everything of this profile in one folder.", valueName: "dir"))
  var dataDirectory: String?

  /// The profile that the options choose; opens nothing.
  /// - Throws: exit code 2 when the settings file has mistakes, which have been told.
  var profile: Profile {
    get throws {
      let locations = Locations(
        dataDirectory: dataDirectory, environment: ProcessInfo.processInfo.environment)
      let settings = try Settings.read(of: locations).settings
      return Profile(locations: locations, shared: SharedFiles.find(), settings: settings)
    }
  }

  /// Does something with the cache of the profile and closes it; an error of the archive ends the
  /// command with 1, and what a person interrupted with 130.
  func withCache<Value>(_ work: (HTTPCache) throws -> Value) throws -> Value {
    let profile = try profile
    defer { profile.close() }
    return try Self.telling {
      let value = try work(profile.cache)
      for notice in profile.cache.archive.takeNotices() {
        StandardOutput.complain(notice.description)
      }
      return value
    }
  }

  /// Does something with what is saved; an error ends the command with 1, after it was told, and what a
  /// person interrupted with 130.
  static func telling<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch ArchiveError.stopped {
      throw ExitCode(130)
    } catch ArchiveError.full {
      StandardOutput.complain(
        "the archive cannot be changed: the disk is full; a file that is written anew needs room"
          + " beside the old one")
      throw ExitCode(1)
    } catch ArchiveError.unwritable(let reason) {
      StandardOutput.complain("the archive cannot be changed: \(reason)")
      throw ExitCode(1)
    } catch let error as ArchiveError {
      StandardOutput.complain(error.description)
      throw ExitCode(1)
    }
  }

  /// The absolute URL of a page of the web that was typed.
  /// - Throws: an exit code, after telling what is wrong.
  static func url(typed words: String) throws -> String {
    do throws(ReaderError) {
      if case .web(let url) = try Address(typed: words, exists: { _ in false }) { return url }
    } catch {
      StandardOutput.complain(error.description)
      throw ExitCode(error.exitCode)
    }
    StandardOutput.complain("only pages of the web are saved, not \(SafeText.line(words))")
    throw ExitCode(2)
  }
}
