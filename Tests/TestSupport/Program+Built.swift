import Foundation

extension Program {
  /// Returns the path of a program that is built together with the tests.
  /// - Parameter name: The name of its target.
  /// - Returns: The path, in the directory of the test bundle.
  public static func built(_ name: String) -> String {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent(name).path
  }
}
