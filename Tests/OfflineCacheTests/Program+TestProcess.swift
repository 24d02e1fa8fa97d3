import Foundation
import TestSupport

extension Program {
  /// The path of `TestProcess`, which is built beside the tests.
  static let testProcess = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("TestProcess").path
}
