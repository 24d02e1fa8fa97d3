import TestSupport
import Testing

/// Many loads at once, with which the sanitizers detect races and leaks.
@Suite struct StressTests {
  @Test func `thousands of loads through URLSession complete`() throws {
    // Sanitizers make a load ten times slower and delay the reuse of freed memory.
    let growth = 64 << 20
    let run = try Program.run(Program.testProcess, ["loads", "\(16 * 200)", "\(growth)"])
    #expect(run.status == 0, "\(run.errorText)")
  }
}
