import Dispatch
import Foundation
import Images
import Reader
import Synchronization
import TerminalUI

/// Loads and decodes the images that the `Browser` wants to draw; answers go to the mailbox.
final class ImageWork: Sendable {
  private struct State {
    /// What is wanted now, and has not begun.
    var waiting: [ImageQuery] = []
    /// What is wanted and runs. What runs and is no longer wanted holds nobody up.
    var running: Set<ImageQuery> = []
    /// All that runs.
    var begun: Set<ImageQuery> = []
  }

  private let profile: Profile
  private let process = ImageProcess()
  private let post: @Sendable (Message) -> Void
  private let loading = DispatchQueue(label: "offread.images", attributes: .concurrent)
  private let decoding = OperationQueue()
  private let state = Mutex(State())

  /// How many are loaded at the same time.
  private static let most = 6

  /// - Parameters:
  ///   - profile: whose cache loads them.
  ///   - post: takes answers, from any thread.
  init(profile: Profile, post: @escaping @Sendable (Message) -> Void) {
    self.profile = profile
    self.post = post
    decoding.maxConcurrentOperationCount = max(1, ProcessInfo.processInfo.activeProcessorCount)
  }

  /// Draws these, in this order, and gives up others that have not begun.
  func draw(_ queries: [ImageQuery]) {
    state.withLock { state in
      state.waiting = queries.filter { !state.begun.contains($0) }
      state.running = state.begun.intersection(queries)
    }
    beginNext()
  }

  private func beginNext() {
    let next = state.withLock { state in
      var next: [ImageQuery] = []
      while state.running.count < Self.most, !state.waiting.isEmpty {
        let query = state.waiting.removeFirst()
        state.running.insert(query)
        state.begun.insert(query)
        next.append(query)
      }
      return next
    }
    for query in next { loading.async { [self] in load(query) } }
  }

  private func load(_ query: ImageQuery) {
    query.source.load(from: profile) { [self] result in
      switch result {
      case .success(let bytes): decoding.addOperation { [self] in decode(bytes, query) }
      case .failure(let error): end(query, .failed(error.description))
      }
    }
  }

  private func decode(_ bytes: [UInt8], _ query: ImageQuery) {
    do throws(ImageFailure) {
      end(query, .drawn(try process.decode(bytes, query.request)))
    } catch {
      end(query, .failed(error.description))
    }
  }

  private func end(_ query: ImageQuery, _ outcome: ImageOutcome) {
    state.withLock { state in
      state.running.remove(query)
      state.begun.remove(query)
    }
    post(.drawn(query, outcome))
    beginNext()
  }
}
