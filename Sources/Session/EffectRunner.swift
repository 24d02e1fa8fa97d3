import Configuration
import Document
import Images
import Library
import OfflineCache
import Profiles
import Reader
import Sandbox
import Synchronization
import Terminal
import TerminalUI

/// Runs the effects of the `Browser` outside the main thread, and posts their results as messages.
final class EffectRunner: Sendable {
  struct State {
    /// Whether the session is ending, so that work on the lane `lookups` must stop.
    var isStopped = false
    /// The latest text that the user typed for completion.
    var typedText = ""
    /// The latest search in the parts of a document; nil after the search was stopped.
    var partSearch: PartSearch?
    var downloads: [DownloadID: DownloadRun] = [:]
    /// Whether enclosures may be fetched; setting it to false stops a running fetch.
    var fetchesEnclosures = false
    var images = ImageSchedule<ImageQuery>()
  }

  /// The files that other programs open. They exist until the session ends.
  struct Files {
    var directory: PrivateDirectory?
    var isSessionOver = false
  }

  let profile: Profile
  let programs: any Programs
  let post: @Sendable (Message) -> Void
  let tabs: SavedTabsDirectory
  let lanes = EffectLanes()
  let imageProcess = ImageProcess()
  let state = Mutex(State())
  let files: Mutex<Files>

  /// Creates a runner.
  /// - Parameters:
  ///   - profile: the profile with the library and the cache.
  ///   - programs: the object that starts other programs and creates files.
  ///   - directory: the directory for files that other programs open; nil to create one when it is
  ///     needed.
  ///   - post: receives the results; called on any thread.
  init(
    profile: Profile, programs: any Programs, directory: PrivateDirectory?,
    post: @escaping @Sendable (Message) -> Void
  ) {
    (self.profile, self.programs, self.post) = (profile, programs, post)
    tabs = SavedTabsDirectory(directory: profile.locations.tabs)
    files = Mutex(Files(directory: directory))
  }

  func report(_ text: String, isError: Bool = true) {
    post(.notice(SafeText.line(text), isError: isError))
  }

  /// Cancels downloads, stops fetching enclosures, deletes the files that other programs open, and
  /// prevents the start of further programs.
  func stop() {
    let runs = state.withLock { state in
      defer { (state.downloads, state.fetchesEnclosures) = ([:], false) }
      return Array(state.downloads.values)
    }
    for run in runs { run.cancel() }
    files.withLock { files in
      files.isSessionOver = true
      files.directory?.remove()
    }
    programs.finish()
  }

  /// Stops lookups, and waits until all changes have been written to the disk.
  func finish() {
    state.withLock { $0.isStopped = true }
    lanes.wait(for: .positions)
    lanes.wait(for: .changes)
  }
}
