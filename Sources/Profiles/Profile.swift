package import LocalDocuments
import Pages
package import Configuration
package import Library
import Document
import Foundation
import Logging
package import OfflineCache
import Synchronization
import WARC

/// The data of a user: the archive, the library, the settings and the built-in pages. Everything is
/// opened on first use, so that reading a local file opens neither a database nor a network
/// session.
package final class Profile: Sendable {
  /// The directories and files of the profile.
  package let locations: Locations
  /// The files that ship with offread; nil if they are missing.
  package let shared: SharedFiles?
  package let settings: Settings
  /// Errors and unavailable values of the settings, one line each.
  package let warnings: [String]

  /// Whether nothing is written, and no directory is created.
  package let isReadOnly: Bool
  /// Whether nothing is written because the user started a private session. No warning is shown
  /// then.
  package let isPrivate: Bool
  private let logger: Logger?
  private let identity: Identity
  private let transport: (any Transport)?
  private let files: any FileSystem
  private let chosenDeviceName = Mutex<(String, refusal: ArchiveError?)?>(nil)
  private let recentAppends: RecentAppends
  private let isLogRestored = Mutex(false)
  private let openedCache = Mutex<HTTPCache?>(nil)
  private let openedLibrary = Mutex<PageLibrary?>(nil)
  /// The file to which every load is logged; nil for none.
  private let requestLog: RequestLog.LogFile?
  private let searchIndex = Mutex<SearchIndex?>(nil)
  private let currentChoices = Mutex<Choices?>(nil)
  /// Events of the library and the search index that the user should be notified of.
  private let pendingNotices = Mutex<[String]>([])
  /// The most recently opened book.
  let openedBook = Mutex<OpenedBook?>(nil)
  /// The most recently opened local file that contains pages.
  package let documents = DocumentFiles()
  /// The ZIM files that were opened, in this order.
  let openedZIMFiles = Mutex<[DocumentFile]>([])

  /// Creates a profile.
  /// - Parameters:
  ///   - locations: the directories and files of the profile.
  ///   - shared: the files that ship with offread.
  ///   - settings: the content of the settings file.
  ///   - warnings: errors and unavailable values of the settings.
  ///   - logFile: a file to which every load is logged, which is opened immediately; nil for none.
  ///   - identity: cookies, credentials and certificates for requests.
  ///   - transport: the network; libcurl when nil.
  ///   - isReadOnly: whether nothing is written, and no directory is created.
  ///   - isPrivate: whether the user started a private session, which writes nothing.
  ///   - files: the file system of the archive.
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
    recentAppends = RecentAppends(directory: locations.recentAppends.path, files: files)
    self.shared = shared
    let requestLog = logFile.map { RequestLog.LogFile($0) }
    self.requestLog = requestLog
    logger = requestLog.map { RequestLog.logger(to: $0) }
    self.identity = identity
    self.transport = transport
  }

  /// Whether requests may carry cookies or passwords with which the user is signed in.
  package var isSignedIn: Bool {
    identity.cookies != .none || identity.netrc != nil
      || choices.cookieChoices.values.contains(.always)
  }

  /// Returns whether requests to a URL may carry cookies or passwords with which the user is signed
  /// in.
  package func isSignedIn(at url: WebURL) -> Bool {
    identity.netrc?.hasEntry(for: url.host ?? "") ?? false || cache.sendsCookies(to: url)
  }

  /// The prefix of the files that this device writes; chosen on first use.
  /// - Throws: `ArchiveError.unwritable` if a stored name cannot be read. Nothing may be written
  ///   then.
  package var device: String {
    get throws(ArchiveError) {
      let (name, refusal) = deviceName
      if let refusal { throw refusal }
      return name
    }
  }

  /// The prefix of the files that this device writes. If the stored name cannot be read, the value
  /// is a derived name, for reading only, with the reason why nothing may be written; otherwise,
  /// the reason is nil.
  private var deviceName: (String, refusal: ArchiveError?) {
    chosenDeviceName.withLock { known in
      if let known { return known }
      let name = DeviceName(of: locations, files: files)
      var chosen: (String, refusal: ArchiveError?)
      do throws(ArchiveError) {
        chosen = (try name.choose(isReadOnly: isReadOnly), nil)
      } catch {
        let message = "the file with the name of this device cannot be read; make it readable"
        chosen = (name.derivedName, .unwritable("\(message) (\(error.reason))"))
      }
      known = chosen
      return chosen
    }
  }

  /// The cache; opened on first use.
  package var cache: HTTPCache {
    openedCache.withLock { cache in
      if let cache { return cache }
      let (device, refusal) = deviceName
      var configuration = CacheConfiguration(
        location: ArchiveLocation(archive: locations.archive, index: locations.index),
        device: device)
      configuration.name = "offread"
      configuration.userAgent = "\(Software.product) (+terminal reader)"
      configuration.fileSystem = files
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
      configuration.hstsFile = locations.hstsStore.path
      configuration.isReadOnly = isReadOnly || refusal != nil
      configuration.readOnlyReason = refusal
      configuration.isOffline = settings.isSavedOnly
      configuration.mayRemove = { [weak self] in self?.isKnown($0) ?? false }
      configuration.isEvictionExempt = { [weak self] in self?.library.isEvictionExempt($0) ?? true }
      let made = HTTPCache(configuration, transport: transport)
      cache = made
      return made
    }
  }

  /// The library: pinned and queued pages, tags, notes and other data of the user; opened on first
  /// use.
  package var library: PageLibrary {
    openedLibrary.withLock { library in
      if let library { return library }
      let (device, refusal) = deviceName
      let made = PageLibrary(
        directory: locations.journals, database: locations.libraryIndex,
        device: device, refusal: isPrivate ? Self.privateSessionError : refusal,
        firstSeenFile: locations.firstSeenFile, recent: recentAppends,
        note: { [weak self] in self?.report($0) })
      library = made
      return made
    }
  }

  /// The fetched enclosures of feeds.
  package var enclosures: EnclosureStore {
    EnclosureStore(directory: locations.enclosures.path, files: files)
  }

  /// Returns whether the library has a journal of the other device with this name. Other devices
  /// may remove pages of this archive only if it does.
  package func isKnown(_ device: String) -> Bool {
    (try? library.otherDevices().contains(device)) ?? false
  }

  /// The reason why nothing is written in a private session.
  private static let privateSessionError = ArchiveError.unwritable(
    "a private session writes nothing")

  /// The reading history. The first use in a process restores lost lines.
  package var readingLog: ReadingLog {
    let log = ReadingLog(
      file: locations.readingLog, copiedTo: isReadOnly ? nil : recentAppends,
      note: { [weak self] in self?.report($0) })
    let isFirst = isLogRestored.withLock { isRestored in
      defer { isRestored = true }
      return !isRestored
    }
    if isFirst { log.restoreLost() }
    return log
  }

  /// The file that stores the choices of the user.
  package var choiceFile: ChoiceFile { ChoiceFile(file: locations.choices) }

  /// The choices of the user: those in the file, and those applied since it was read.
  package var choices: Choices {
    currentChoices.withLock { chosen in
      let choices = chosen ?? storedChoices
      chosen = choices
      return choices
    }
  }

  /// The choices in the file. If they cannot be read, a notice is recorded, and there are none.
  private var storedChoices: Choices {
    do throws(ArchiveError) {
      return try choiceFile.choices
    } catch {
      report(error.message(for: "the remembered views, theme and cookie decisions do not apply"))
      return Choices()
    }
  }

  /// Applies a choice to the pages that are loaded next, without storing it in the file of choices.
  /// The decision about the cookies of a site is applied to their file.
  /// - Returns: a message if the cookies of a site could not be written to their file; else nil.
  @discardableResult
  package func apply(_ choice: Choices.Choice) -> String? {
    var choices = choices
    choices.apply(choice)
    currentChoices.withLock { $0 = choices }
    if case .cookies(let choice, let site) = choice {
      guard !cache.decide(choice, aboutCookiesOf: site) else { return nil }
      let why = cache.warning.map { ": \($0.reason)" } ?? ""
      let name = SafeText.line(site)
      return choice == .always
        ? "cookies of \(name) could not be written to the cookie file, and last until offread ends\(why)"
        : "cookies of \(name) could not be deleted from the cookie file\(why)"
    }
    return nil
  }

  /// The search index of the saved pages; opened on first use.
  package var search: SearchIndex {
    searchIndex.withLock { search in
      if let search { return search }
      let made = SearchIndex(
        path: locations.searchIndex, cache: cache, library: library,
        readPages: { [weak self] in
          guard let self, try hasSearchableText($0) else { return }
          try read($0, only: $1, as: $2, limit: $3, receive: $4)
        },
        note: { [weak self] in self?.report($0) })
      search = made
      return made
    }
  }

  /// The cache if it is open; nil otherwise.
  package var cacheIfOpened: HTTPCache? { openedCache.withLock { $0 } }

  /// Records a notice for `drainNotices`, unless the same notice is recorded already.
  package func report(_ line: String) {
    pendingNotices.withLock { lines in
      if !lines.contains(line) { lines.append(line) }
    }
  }

  /// Removes and returns the notices of the archive, the library and the search index since the
  /// last call, one line each. Notices that merely follow from the cache's warning or from `error`,
  /// which the user already knows, are omitted.
  package func drainNotices(besides error: ArchiveError? = nil) -> [String] {
    if let reason = requestLog?.takeFailure() { report("the log is incomplete: \(reason)") }
    let pendingNotices = pendingNotices.withLock { lines in
      defer { lines = [] }
      return lines
    }
    guard let cache = cacheIfOpened else { return pendingNotices }
    let known = [error, cache.warning].compactMap(\.self)
    return cache.archive.takeNotices().filter { notice in
      !known.contains { notice.follows(from: $0) }
    }.map(\.description) + pendingNotices
  }

  /// Removes and returns the notices, preceded by the reason why pages currently cannot be saved or
  /// read, if there is one.
  package func drainWarnings() -> [String] {
    let warning = isPrivate ? [] : cacheIfOpened?.warning.map { [$0.advised] } ?? []
    return warning + drainNotices()
  }

  /// Waits for running background revalidations, and cancels them after the given time in seconds.
  /// One that receives no data for 10 seconds is cancelled earlier.
  package func finishBackgroundWork(atMost seconds: Double = 20) {
    cacheIfOpened?.finishBackgroundWork(timeout: seconds, stall: 10)
  }

  /// Writes everything to the disk and closes the databases.
  package func close() {
    // The search index refers to the profile, so the reference to it is removed.
    searchIndex.withLock { search in
      defer { search = nil }
      return search
    }?.close()
    cacheIfOpened?.close()
    openedLibrary.withLock { $0 }?.close()
  }
}
