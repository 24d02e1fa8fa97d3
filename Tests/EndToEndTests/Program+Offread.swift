import Foundation
import TestSupport

extension Program {
  /// The built `offread`, which is in the directory of the test bundle.
  static let offread: String = {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent("offread").path
  }()
}
