import Dispatch
import Foundation

/// The queues on which effects run. The queues are independent of each other, except where an
/// effect waits for another queue.
struct EffectLanes: Sendable {
  /// The name of a queue.
  enum Lane: Int, CaseIterable {
    /// Changes of the library, run one after the other.
    case changes
    /// Writes of reading positions, open tabs and choices, run one after the other.
    case positions
    /// Starts of other programs, run one after the other.
    case programs
    /// Read-only work, run concurrently.
    case lookups
    case downloads
    case images
    /// Decoding of images, with at most one operation per processor.
    case decoding

    fileprivate var isSerial: Bool { self == .changes || self == .positions || self == .programs }
  }

  private let queues: [DispatchQueue]
  private let decodingQueue = OperationQueue()

  init() {
    queues = Lane.allCases.map { lane in
      DispatchQueue(label: "offread.\(lane)", attributes: lane.isSerial ? [] : .concurrent)
    }
    decodingQueue.maxConcurrentOperationCount = max(1, ProcessInfo.processInfo.activeProcessorCount)
  }

  /// Runs work asynchronously on a lane.
  func run(_ lane: Lane, _ work: @escaping @Sendable () -> Void) {
    if lane == .decoding {
      decodingQueue.addOperation(work)
    } else {
      queues[lane.rawValue].async(execute: work)
    }
  }

  /// Waits for all work already queued on a serial lane, then runs a closure on that lane and
  /// returns its result.
  func wait<Result>(for lane: Lane, _ work: () -> Result = {}) -> Result {
    queues[lane.rawValue].sync(execute: work)
  }
}
