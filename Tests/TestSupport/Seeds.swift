import Foundation

/// The seeds of tests with random input. A test that fails prints its seed, which is its argument.
public enum Seeds {
  /// The seed in `OFFREAD_TEST_SEED`, or the same ones on every run.
  public static let all: [UInt64] =
    ProcessInfo.processInfo.environment["OFFREAD_TEST_SEED"].flatMap(UInt64.init).map { [$0] }
    ?? (1...UInt64(Effort.rounds(8, part: 2))).map { $0 }
}
