import Reader
import Testing

@Suite struct ProgressPaceTests {
  @Test func `a slow load reports its progress every second`() {
    let start = ContinuousClock.now
    var pace = ProgressPace(minByteCount: 1000, start: start)
    // 100 bytes every 300 ms.
    let reported = (1...10).filter {
      pace.shouldReport($0 * 100, at: start + .milliseconds($0 * 300))
    }
    #expect(reported == [4, 8])
    let isIdleReported = pace.shouldReport(1000, at: start + .seconds(9))
    let isRepeated = pace.shouldReport(1000, at: start + .seconds(12))
    #expect(isIdleReported && !isRepeated)
  }

  @Test func `a fast load reports its progress by bytes, and a short one not at all`() {
    let start = ContinuousClock.now
    var pace = ProgressPace(minByteCount: 1000, start: start)
    let reported = (1...10).filter {
      pace.shouldReport($0 * 300, at: start + .milliseconds($0))
    }
    #expect(reported == [4, 8])
    var short = ProgressPace(minByteCount: 1000, start: start)
    let isReported = short.shouldReport(900, at: start + .milliseconds(999))
    #expect(!isReported)
  }
}
