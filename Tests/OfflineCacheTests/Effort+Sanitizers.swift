import TestSupport

extension Effort {
  /// Whether the tests are compiled for ThreadSanitizer. A case then takes long, and only faults of
  /// threads are of interest. All cases run under AddressSanitizer, too.
  static var isThreadSanitized: Bool {
    #if OFFREAD_SANITIZE_THREAD
      true
    #else
      false
    #endif
  }

  /// Returns a number of repetitions, like `rounds(_:part:)`, but at most `part` under
  /// ThreadSanitizer.
  static func roundsOutsideThreadSanitizer(_ all: Int, part: Int) -> Int {
    isThreadSanitized ? min(part, all) : rounds(all, part: part)
  }
}
