import Reader
import Document
import Formats
import OfflineCache
import OfflineCacheURLSession
import Pages
import Profiles
import Synchronization
import TerminalUI

/// A running download of a URL to a file.
final class DownloadRun: Sendable {
  private struct State {
    var receivedByteCount = 0
    var expectedByteCount: Int?
    var pace = ProgressPace(minByteCount: 1 << 17)
    var mediaType = MediaType.unknownEssence
    var phase = Phase.starting
  }

  /// The phase of a download. The legal transitions are:
  ///
  /// - `starting`: to `loading` when a load has started; to `ended` if the content is available or
  ///   the file cannot be created, by a result of the load that comes first, or by `cancel`.
  /// - `loading`: to `ended` with the result of the load, an error of the file, or by `cancel`.
  /// - `ended`: final. No further bytes are written, and no further event is reported.
  private enum Phase {
    case starting
    case loading(Navigation)
    case ended

    var isEnded: Bool { if case .ended = self { true } else { false } }
  }

  private let url: String
  private let file: PartialFile
  private let report: @Sendable (DownloadEvent) -> Void
  private let state = Mutex(State())

  init(
    url: String, file: PartialFile, report: @escaping @Sendable (DownloadEvent) -> Void
  ) {
    self.url = url
    self.report = report
    self.file = file
  }

  /// Creates the partial file, and writes the content of the download to it, which is loaded first
  /// if necessary.
  func start(_ download: Download, _ profile: Profile) {
    do throws(PartialFile.Failure) {
      guard try file.open() else { return }
    } catch {
      if error.exists {
        _ = end()
        return report(.exists(path: file.path))
      }
      return fail(error.message)
    }
    if let content = download.content {
      state.withLock { $0.mediaType = MediaType(download.mediaType).essence }
      write(content)
      return finish()
    }
    var options = download.options
    options.isUserEntered = true
    let acceptsErrors = download.source == .received(nil)
    let request: WebRequest
    do throws(LoadError) {
      request = try WebRequest(written: url)
    } catch {
      return fail(error.description)
    }
    let load = profile.cache.startInSession(request, options: options) { [self, options] in
      receive($0, options, acceptsErrors: acceptsErrors)
    }
    let isOver = state.withLock { state in
      guard !state.phase.isEnded else { return true }
      state.phase = .loading(load)
      return false
    }
    if isOver { load.cancel() }
  }

  /// Cancels the download. No further event is reported.
  func cancel() {
    end()?.cancel()
  }

  private func receive(_ event: NavigationEvent, _ options: LoadOptions, acceptsErrors: Bool) {
    switch event {
    case .redirected, .refreshed, .checked: break
    case .response(let response, _):
      guard acceptsErrors || (200..<300).contains(response.response.status) else {
        return fail("the server returned \(response.response.status)")
      }
      state.withLock { state in
        state.expectedByteCount = response.response.fields["Content-Length"].flatMap { Int($0) }
        state.mediaType = MediaType(response.response.fields["Content-Type"]).essence
      }
    case .data(let bytes): write(bytes)
    case .finished: finish()
    case .failed(let error): fail(ReaderError(error, url: url, options: options).description)
    }
  }

  /// Appends bytes to the partial file, and reports the progress at intervals.
  private func write(_ bytes: [UInt8]) {
    do throws(PartialFile.Failure) {
      guard try file.write(bytes) else { return }
    } catch {
      return fail(error.message)
    }
    let progress: DownloadEvent? = state.withLock { state in
      state.receivedByteCount += bytes.count
      guard state.pace.shouldReport(state.receivedByteCount) else { return nil }
      return .progressed(received: state.receivedByteCount, expected: state.expectedByteCount)
    }
    if let progress { report(progress) }
  }

  /// Renames the complete file to its final path, and reports it.
  private func finish() {
    do throws(PartialFile.Failure) {
      guard try file.complete() else { return }
    } catch {
      return fail(error.message)
    }
    let (length, mediaType) = state.withLock { ($0.receivedByteCount, $0.mediaType) }
    _ = end()
    report(.done(path: file.path, length: length, mediaType: mediaType))
  }

  /// Ends the download with an error, and reports it, unless the download has ended already.
  private func fail(_ text: String) {
    guard !state.withLock(\.phase.isEnded) else { return }
    let load = end()
    report(.failed(text))
    load?.cancel()
  }

  /// Ends the download, and deletes its partial file unless the file is complete. No further bytes
  /// are written.
  /// - Returns: the load that the caller must cancel; nil if there is none.
  private func end() -> Navigation? {
    file.discard()
    return state.withLock { state in
      defer { state.phase = .ended }
      return if case .loading(let navigation) = state.phase { navigation } else { nil }
    }
  }
}
