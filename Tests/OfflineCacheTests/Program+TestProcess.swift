import TestSupport

extension Program {
  /// The path of the built `TestProcess`.
  static let testProcess = built("TestProcess")
}
