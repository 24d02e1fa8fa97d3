import TestSupport
import Testing

@Suite("Many loads at once")
struct StressTests {
  #if OFFREAD_SANITIZE_THREAD || OFFREAD_SANITIZE_ADDRESS
    /// A sanitizer makes a load ten times as slow, and keeps what is freed for a while; leaks it
    /// finds by itself.
    private static let (count, growth) = (16 * 200, 64 << 20)
  #else
    /// What a load leaves behind for good is less than 1500 bytes; buffers in use come and go.
    private static let count = 16 * Effort.rounds(2000, part: 400)
    private static let growth = count * 1500
  #endif

  @Test func `thousands of loads through URLSession: none lost, nothing piles up`() throws {
    let run = try Program.run(Program.testProcess, ["loads", "\(Self.count)", "\(Self.growth)"])
    #expect(run.status == 0, "\(run.errorText)")
  }
}
