import TestSupport

extension Effort {
  /// Whether the tests are compiled for a sanitizer. A case then takes long, and only faults of
  /// memory and threads are of interest. All cases run without a sanitizer, too.
  static var isSanitized: Bool {
    #if OFFREAD_SANITIZE_THREAD || OFFREAD_SANITIZE_ADDRESS
      true
    #else
      false
    #endif
  }

  /// Returns a number of repetitions, like `rounds(_:part:)`, but at most `part` under a sanitizer.
  static func unsanitizedRounds(_ all: Int, part: Int) -> Int {
    isSanitized ? min(part, all) : rounds(all, part: part)
  }
}
