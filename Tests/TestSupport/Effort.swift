import Foundation

/// How much of a large set of cases is tried: all of it where `OFFREAD_TEST_ALL` is set, as `scripts/test --all` does,
/// else a part, chosen evenly.
public enum Effort {
  /// Whether everything is tried.
  public static let isWhole = ProcessInfo.processInfo.environment["OFFREAD_TEST_ALL"] == "1"

  /// How often something is tried.
  /// - Parameters:
  ///   - all: how often in all.
  ///   - part: how often when a part will do; it begins as the whole does.
  /// - Returns: the number of rounds.
  public static func rounds(_ all: Int, part: Int) -> Int { isWhole ? all : min(part, all) }

  /// The cases that are tried.
  /// - Parameters:
  ///   - cases: all of them.
  ///   - part: about how many when a part will do, from the first to the last.
  /// - Returns: those cases, in their order.
  public static func some<Cases: RandomAccessCollection>(
    _ cases: Cases, part: Int
  ) -> [Cases.Element] where Cases.Index == Int {
    guard !isWhole, cases.count > part else { return Array(cases) }
    let last = cases.count - 1
    return (0..<part).map { cases[cases.startIndex + $0 * last / max(1, part - 1)] }
  }
}
