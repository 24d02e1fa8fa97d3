import Foundation

/// The share of a large set of cases that is tested: all if `OFFREAD_TEST_ALL` is set, as by
/// `scripts/test --all`; otherwise an evenly distributed part.
public enum Effort {
  /// Whether all cases are tested.
  public static let isWhole = ProcessInfo.processInfo.environment["OFFREAD_TEST_ALL"] == "1"

  /// Returns a number of repetitions.
  /// - Parameters:
  ///   - all: The number of repetitions if all cases are tested.
  ///   - part: The maximum number otherwise.
  /// - Returns: The number of repetitions.
  public static func rounds(_ all: Int, part: Int) -> Int { isWhole ? all : min(part, all) }

  /// Returns the cases to test.
  /// - Parameters:
  ///   - cases: All cases.
  ///   - part: The maximum number of cases if not all are tested; they are evenly distributed.
  /// - Returns: The chosen cases in their original order.
  public static func some<Cases: RandomAccessCollection>(
    _ cases: Cases, part: Int
  ) -> [Cases.Element] where Cases.Index == Int {
    guard !isWhole, cases.count > part else { return Array(cases) }
    let last = cases.count - 1
    return (0..<part).map { cases[cases.startIndex + $0 * last / max(1, part - 1)] }
  }
}
