import Foundation
import TestSupport

extension Program {
  /// The path of `TestProcess`, which is built in the same directory as the tests.
  static let testProcess = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("TestProcess").path
}
