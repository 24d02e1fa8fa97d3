import Dispatch
import Synchronization
import Testing

@testable import Session

@Suite struct EffectLanesTests {
  @Test(arguments: [EffectLanes.Lane.changes, .positions, .programs])
  func `work on a serial lane runs in order, and a caller can wait for it`(
    _ lane: EffectLanes.Lane
  ) {
    let lanes = EffectLanes()
    let done = Mutex<[Int]>([])
    for number in 0..<100 { lanes.run(lane) { done.withLock { $0.append(number) } } }
    #expect(lanes.wait(for: lane) { done.withLock { $0 } } == Array(0..<100))
  }

  @Test(arguments: EffectLanes.Lane.allCases)
  func `a lane does not wait for the others`(_ lane: EffectLanes.Lane) {
    let lanes = EffectLanes()
    let (gate, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let others = EffectLanes.Lane.allCases.filter { $0 != lane }
    for other in others { lanes.run(other) { gate.wait() } }
    lanes.run(lane) { isDone.signal() }
    #expect(isDone.wait(timeout: .now() + 60) == .success)
    for _ in others { gate.signal() }
  }

  @Test(arguments: [EffectLanes.Lane.lookups, .downloads, .images])
  func `work on a concurrent lane does not wait for other work on it`(_ lane: EffectLanes.Lane) {
    let lanes = EffectLanes()
    let (gate, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    lanes.run(lane) { gate.wait() }
    lanes.run(lane) { isDone.signal() }
    #expect(isDone.wait(timeout: .now() + 60) == .success)
    gate.signal()
  }
}
