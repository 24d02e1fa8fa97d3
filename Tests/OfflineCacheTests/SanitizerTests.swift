#if OFFREAD_SANITIZE_THREAD || OFFREAD_SANITIZE_ADDRESS
  import TestSupport
  import Testing

  /// The sanitizers detect known faults, so that a run without reports is meaningful.
  @Suite("The sanitizers")
  struct SanitizerTests {
    #if OFFREAD_SANITIZE_THREAD
      // A "data race" or a "Swift access race", depending on which is detected first.
      static let faults = [("race", "race (pid=")]
    #else
      static let faults = [
        ("use-after-free", "heap-use-after-free"), ("leak", "detected memory leaks"),
      ]
    #endif

    @Test(arguments: faults)
    func `a known fault is detected`(_ name: String, _ report: String) throws {
      let run = try Program.run(Program.testProcess, [name])
      #expect(run.status != 0)
      #expect(run.errorText.contains(report), "\(run.errorText)")
    }
  }
#endif
