package import Configuration
package import Library
import Document
import Foundation
import Logging
package import OfflineCache
import Synchronization
import WARC

/// A reader's own world: its archive, its built-in pages and themes. Opens nothing until it is
/// needed: a local file never opens a database or a session.
package final class Profile: Sendable {
  /// Where things are kept.
  package let locations: Locations
  /// The files that ship with the program, or nil when they are not there.
  package let shared: SharedFiles?
  /// What the settings file says.
  package let settings: Settings
  /// What of the settings is wrong or cannot be had, one line each.
  package let warnings: [String]

  /// Whether nothing is written, and no folder made.
  package let isReadOnly: Bool
  /// Whether nothing is written because a person wants it so: nobody needs to be told then.
  package let isPrivate: Bool
  private let logger: Logger?
  private let identity: Identity
  private let transport: (any Transport)?
  private let files: any FileSystem
  private let named = Mutex<(String, refusal: ArchiveError?)?>(nil)
  private let recentAppends: RecentAppends
  private let isLogRestored = Mutex(false)
  private let opened = Mutex<HTTPCache?>(nil)
  private let openedLibrary = Mutex<PageLibrary?>(nil)
  private let searchIndex = Mutex<SearchIndex?>(nil)
  private let chosen = Mutex<Choices?>(nil)
  /// What has happened to the library and the search index that a person should hear of.
  private let noted = Mutex<[String]>([])
  /// The book that was opened last.
  let openedBook = Mutex<OpenedBook?>(nil)
  /// The file of this machine with pages in it that was opened last.
  let documents = DocumentFiles()
  /// The ZIM files that were opened, in the order in which they were.
  let openedZIMFiles = Mutex<[DocumentFile]>([])

  /// Makes a profile.
  /// - Parameters:
  ///   - locations: where things are kept.
  ///   - shared: the files that ship with the program.
  ///   - settings: what the settings file says.
  ///   - warnings: what of them cannot be had.
  ///   - logFile: a file to which every load is logged, which is opened at once, or nil.
  ///   - identity: as whom pages are asked for.
  ///   - transport: the network; libcurl when nil.
  ///   - isReadOnly: whether nothing is written, and no folder made.
  ///   - isPrivate: whether that is so because a person wants it.
  ///   - files: how the files of the archive are reached.
  package init(
    locations: Locations, shared: SharedFiles?, settings: Settings = Settings(),
    warnings: [String] = [], logFile: String? = nil, identity: Identity = Identity(),
    transport: (any Transport)? = nil, isReadOnly: Bool = false, isPrivate: Bool = false,
    files: any FileSystem = LocalFileSystem()
  ) {
    self.isReadOnly = isReadOnly || isPrivate
    self.isPrivate = isPrivate
    self.files = files
    self.settings = settings
    self.warnings = warnings
    self.locations = locations
    recentAppends = RecentAppends(folder: locations.recentAppends.path, files: files)
    self.shared = shared
    logger = logFile.map(RequestLog.logger)
    self.identity = identity
    self.transport = transport
  }

  /// The name with which the files begin that this machine writes; chosen at the first use.
  /// - Throws: `ArchiveError.unwritable` when it is kept and cannot be read: nothing is written then.
  package var machine: String {
    get throws(ArchiveError) {
      let (name, refusal) = ownName
      if let refusal { throw refusal }
      return name
    }
  }

  /// The same, or a name for who only reads and why nothing may be written.
  private var ownName: (String, refusal: ArchiveError?) {
    named.withLock { known in
      if let known { return known }
      let name = MachineName(of: locations, files: files)
      var chosen: (String, refusal: ArchiveError?)
      do throws(ArchiveError) {
        chosen = (try name.chosen(isReadOnly: isReadOnly), nil)
      } catch {
        let words = "the name of this machine cannot be read; make its file readable"
        chosen = (name.derived, .unwritable("\(words) (\(error.reason))"))
      }
      known = chosen
      return chosen
    }
  }

  /// The cache, opened at the first use.
  package var cache: HTTPCache {
    opened.withLock { cache in
      if let cache { return cache }
      let (machine, refusal) = ownName
      var configuration = CacheConfiguration(
        location: ArchiveLocation(archive: locations.archive, index: locations.index),
        machine: machine)
      configuration.name = "offread"
      configuration.userAgent = "\(Software.product) (+terminal reader)"
      configuration.files = files
      configuration.recentAppends = recentAppends
      configuration.limits = settings.storage
      configuration.rules =
        settings.rules + (settings.dropsTracking ? [Rule.droppingTracking] : [])
      configuration.rewrites = settings.rewrites
      configuration.substitutions = settings.substitutions
      configuration.seeds = settings.seeds + (shared.map { [.folder($0.seed)] } ?? [])
      configuration.logger = logger
      configuration.identity = identity
      configuration.identity.siteJar = locations.siteCookies.path
      configuration.identity.cookieChoices = choices.cookieChoices
      configuration.strictHostsFile = locations.strictHosts.path
      configuration.isReadOnly = isReadOnly || refusal != nil
      configuration.refusal = refusal
      configuration.isOffline = settings.isSavedOnly
      configuration.mayRemove = { [weak self] in self?.isKnown($0) ?? false }
      configuration.isKept = { [weak self] in self?.library.isKept($0) ?? true }
      let made = HTTPCache(configuration, transport: transport)
      cache = made
      return made
    }
  }

  /// What only the person knows; opened at the first use.
  package var library: PageLibrary {
    openedLibrary.withLock { library in
      if let library { return library }
      let (machine, refusal) = ownName
      let made = PageLibrary(
        folder: locations.journals, database: locations.libraryIndex,
        machine: machine, refusal: isPrivate ? Self.privacy : refusal,
        sightings: locations.sightings, recent: recentAppends,
        note: { [weak self] in self?.note($0) })
      library = made
      return made
    }
  }

  /// Whether what another machine says counts here: a journal of it lies here.
  package func isKnown(_ machine: String) -> Bool {
    (try? library.otherMachines().contains(machine)) ?? false
  }

  /// Why nothing is written in a private session.
  private static let privacy = ArchiveError.unwritable("a private session writes nothing")

  /// What was read, and how far.
  package var readingLog: ReadingLog {
    let log = ReadingLog(
      file: locations.readingLog, copiedTo: isReadOnly ? nil : recentAppends)
    let isFirst = isLogRestored.withLock { isRestored in
      defer { isRestored = true }
      return !isRestored
    }
    if isFirst { log.restoreLost() }
    return log
  }

  /// Where choices are written down.
  package var choiceFile: ChoiceFile { ChoiceFile(file: locations.choices) }

  /// What was chosen with keys for good.
  package var choices: Choices {
    chosen.withLock { chosen in
      let choices = chosen ?? choiceFile.choices
      chosen = choices
      return choices
    }
  }

  /// Applies a choice to the pages that are loaded next.
  /// - Returns: a message if the cookies of a site could not be written to their file; else nil.
  @discardableResult
  package func take(_ choice: Choices.Choice) -> String? {
    var choices = choices
    choices.take(choice)
    chosen.withLock { $0 = choices }
    if case .cookies(let choice, let site) = choice {
      guard !cache.decide(choice, aboutCookiesOf: site) else { return nil }
      let why = cache.warning.map { ": \($0.description)" } ?? ""
      let name = SafeText.line(site)
      return choice == .always
        ? "cookies of \(name) are kept only until offread ends\(why)"
        : "cookies of \(name) may still be in their file\(why)"
    }
    return nil
  }

  /// Looks for words in what is saved; opened at the first use.
  package var search: SearchIndex {
    searchIndex.withLock { search in
      if let search { return search }
      let made = SearchIndex(
        path: locations.searchIndex, cache: cache, library: library,
        reading: { [weak self] in
          try self?.read($0, only: $1, as: $2, limit: $3, take: $4)
        },
        note: { [weak self] in self?.note($0) })
      search = made
      return made
    }
  }

  /// The cache when something has opened it.
  package var cacheIfOpened: HTTPCache? { opened.withLock { $0 } }

  /// Remembers something for `takeNotices`; the same thing only once.
  func note(_ line: String) {
    noted.withLock { lines in
      if !lines.contains(line) { lines.append(line) }
    }
  }

  /// What has happened to the archive, the library and the search index since the last call that a person should hear of, one line each.
  /// - Parameter told: an error that was told; what follows from it is left out.
  /// - Returns: the lines.
  package func takeNotices(besides told: ArchiveError? = nil) -> [String] {
    let noted = noted.withLock { lines in
      defer { lines = [] }
      return lines
    }
    guard let cache = cacheIfOpened else { return noted }
    let known = [told, cache.warning].compactMap(\.self)
    return cache.archive.takeNotices().filter { notice in
      !known.contains { notice.follows(from: $0) }
    }.map(\.description) + noted
  }

  /// The same, behind why something cannot be saved or read, as long as that is so.
  package func takeWarnings() -> [String] {
    let warning = isPrivate ? [] : cacheIfOpened?.warning.map { [$0.advised] } ?? []
    return warning + takeNotices()
  }

  /// Waits for refreshes that still run behind copies that were shown, and stops them when the
  /// seconds are over.
  package func finishBackgroundWork(atMost seconds: Double = 20) {
    cacheIfOpened?.finishBackgroundWork(timeout: seconds, stall: 10)
  }

  /// Writes what is not yet on disk and closes everything.
  package func close() {
    // It has the profile, too.
    searchIndex.withLock { search in
      defer { search = nil }
      return search
    }?.close()
    cacheIfOpened?.close()
    openedLibrary.withLock { $0 }?.close()
  }
}
