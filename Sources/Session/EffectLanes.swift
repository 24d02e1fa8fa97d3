import Dispatch
import Foundation

/// The queues on which effects run. The queues are independent of each other, except where an
/// effect waits for another queue.
struct EffectLanes: Sendable {
  /// The name of a queue.
  enum Lane: Int, CaseIterable {
    /// Changes of the library, one after the other.
    case changes
    /// Reading positions, open tabs and choices, one after the other.
    case positions
    /// The start of other programs, one after the other.
    case programs
    /// Work that only reads; it runs concurrently.
    case lookups
    case downloads
    case images
    /// The decoding of images, with at most one operation per processor.
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

  /// Waits for all work queued on a serial lane before, then runs a closure there.
  func wait<Result>(for lane: Lane, _ work: () -> Result = {}) -> Result {
    queues[lane.rawValue].sync(execute: work)
  }
}
