import Dispatch
import Foundation

/// A fault that a sanitizer must detect, so that a run without a report is meaningful.
enum Fault: String {
  case race, leak
  case useAfterFree = "use-after-free"

  private final class Unguarded: @unchecked Sendable {
    var value = 0
  }

  private final class Circle {
    var itself: Circle?
  }

  /// Causes the fault, and continues.
  func make() {
    switch self {
    case .race:
      let unguarded = Unguarded()
      let done = DispatchSemaphore(value: 0)
      for _ in 0..<2 {
        Thread.detachNewThread {
          for _ in 0..<10_000 { unguarded.value += 1 }
          done.signal()
        }
      }
      done.wait()
      done.wait()
    case .useAfterFree:
      let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
      bytes.initialize(repeating: 1, count: 64)
      bytes.deallocate()
      print(bytes[7])
    case .leak:
      for _ in 0..<100 {
        let circle = Circle()
        circle.itself = circle
      }
    }
  }
}
