#if OFFREAD_SANITIZE_THREAD || OFFREAD_SANITIZE_ADDRESS
  import Foundation
  import Testing

  /// What the sanitizers are for is found: so a run without a report means something.
  @Suite("The sanitizers")
  struct SanitizerTests {
    #if OFFREAD_SANITIZE_THREAD
      private final class Unguarded: @unchecked Sendable {
        var value = 0
      }

      @Test("a race is found")
      func race() async throws {
        let result = await #expect(
          processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
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
        }
        let report = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(report.contains("WARNING: ThreadSanitizer"))
      }
    #else
      @Test("a use after free is found")
      func useAfterFree() async throws {
        let result = await #expect(
          processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
          let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
          bytes.initialize(repeating: 1, count: 64)
          bytes.deallocate()
          print(bytes[7])
        }
        let report = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(report.contains("heap-use-after-free"))
      }

      private final class Circle {
        var itself: Circle?
      }

      @Test("a circle of references is found")
      func leak() async {
        // As scripts/sanitize has it; the report comes too late to be observed.
        await #expect(processExitsWith: .exitCode(66)) {
          for _ in 0..<100 {
            let circle = Circle()
            circle.itself = circle
          }
        }
      }
    #endif
  }
#endif
