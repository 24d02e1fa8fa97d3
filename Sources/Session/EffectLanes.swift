import Dispatch
import Foundation

/// The queues on which effects run. They do not wait for each other, unless an effect does.
struct EffectLanes: Sendable {
  /// The name of a queue.
  enum Lane: Int, CaseIterable {
    /// Changes of the library, one after the other.
    case changes
    /// Reading positions, open tabs and choices, one after the other.
    case positions
    /// The start of other programs, one after the other.
    case programs
    /// What only reads.
    case lookups
    case downloads
    case images
    /// The decoding of images, as many at a time as there are processors.
    case decoding

    fileprivate var isSerial: Bool { self == .changes || self == .positions || self == .programs }
  }

  private let queues: [DispatchQueue]
  private let decoding = OperationQueue()

  init() {
    queues = Lane.allCases.map { lane in
      DispatchQueue(label: "offread.\(lane)", attributes: lane.isSerial ? [] : .concurrent)
    }
    decoding.maxConcurrentOperationCount = max(1, ProcessInfo.processInfo.activeProcessorCount)
  }

  /// Runs work on a lane.
  func run(_ lane: Lane, _ work: @escaping @Sendable () -> Void) {
    if lane == .decoding {
      decoding.addOperation(work)
    } else {
      queues[lane.rawValue].async(execute: work)
    }
  }

  /// Runs work after all that was put on a serial lane before, and waits for it.
  func wait<Result>(for lane: Lane, _ work: () -> Result = {}) -> Result {
    queues[lane.rawValue].sync(execute: work)
  }
}
