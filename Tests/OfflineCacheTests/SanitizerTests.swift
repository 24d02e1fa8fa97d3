#if OFFREAD_SANITIZE_THREAD || OFFREAD_SANITIZE_ADDRESS
  import TestSupport
  import Testing

  /// What the sanitizers are for is found: so a run without a report means something.
  @Suite("The sanitizers")
  struct SanitizerTests {
    #if OFFREAD_SANITIZE_THREAD
      // A "data race" or a "Swift access race": which one is seen first is not certain.
      static let faults = [("race", "race (pid=")]
    #else
      static let faults = [
        ("use-after-free", "heap-use-after-free"), ("leak", "detected memory leaks"),
      ]
    #endif

    @Test(arguments: faults)
    func `a fault is found`(_ name: String, _ report: String) throws {
      let run = try Program.run(Program.testProcess, [name])
      #expect(run.status != 0)
      #expect(run.errorText.contains(report), "\(run.errorText)")
    }
  }
#endif
