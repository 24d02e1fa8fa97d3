import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import OfflineCache

@Suite("Many loads at once", .serialized)
struct StressTests {
  /// How many descriptors the process has open.
  private static var descriptors: Int {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count
  }

  /// The resident memory of the process in bytes.
  private static var residentMemory: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let words = text.components(separatedBy: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
  }

  /// Runs numbered loads, a number of them at a time, and counts those that gave what they should.
  private static func run(
    _ cache: HTTPCache, _ numbers: Range<Int>, parallel: Int,
    url: @escaping @Sendable (Int) -> String,
    expected: @escaping @Sendable (Int) -> String
  ) -> Int {
    let right = Atomic<Int>(0)
    let next = Atomic<Int>(numbers.lowerBound)
    DispatchQueue.concurrentPerform(iterations: parallel) { _ in
      while true {
        let number = next.add(1, ordering: .relaxed).oldValue
        guard number < numbers.upperBound else { return }
        let record = SessionRecord()
        let load = cache.start(HTTPRequest(url: url(number)), event: record.take)
        // Every seventh is given up at once.
        if number % 7 == 3 { load.cancel() }
        let result = record.waitForEnd()
        let isCancelled = number % 7 == 3 && result.error?.failureKind == .cancelled
        if isCancelled || result.text == expected(number) {
          right.add(1, ordering: .relaxed)
        }
      }
    }
    return right.load(ordering: .relaxed)
  }

  @Test("thousands of loads through URLSession: none lost, nothing piles up")
  func loads() async {
    // In a process of its own, where nothing else opens descriptors or takes memory.
    await #expect(processExitsWith: .success) { try Self.loadThousands() }
  }

  #if OFFREAD_SANITIZE_THREAD || OFFREAD_SANITIZE_ADDRESS
    /// A sanitizer makes a load ten times as slow, and keeps what is freed for a while; leaks it
    /// finds by itself.
    private static let (count, growth) = (16 * 200, 64 << 20)
  #else
    /// What a load leaves behind for good is less than 1500 bytes; buffers in use come and go.
    private static let (count, growth) = (16 * 2000, 16 * 2000 * 1500)
  #endif

  private static func loadThousands() throws {
    let server = try ScriptedServer()
    let filler = String(repeating: "text ", count: 400)
    server.onOthers { request in
      .response([("Cache-Control", "max-age=1000")], text: request.target + filler)
    }
    let fixture = CacheFixture()
    let base = server.url
    let url = { @Sendable (number: Int) in "\(base)/page/\(number % 200)" }
    let expected = { @Sendable (number: Int) in "/page/\(number % 200)" + filler }
    // Everything that is made once is made.
    #expect(run(fixture.cache, 0..<2000, parallel: 16, url: url, expected: expected) == 2000)
    #expect(fixture.cache.finishBackgroundWork(timeout: 60))
    let (open, memory) = (descriptors, residentMemory)
    #expect(open > 0 && memory > 0)
    #expect(run(fixture.cache, 0..<count, parallel: 16, url: url, expected: expected) == count)
    #expect(fixture.cache.finishBackgroundWork(timeout: 60))
    #expect(descriptors <= open + 8)
    let grown = residentMemory - memory
    #expect(grown <= growth, "\(memory) grew by \(grown)")
  }
}
