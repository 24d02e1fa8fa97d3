import TestSupport

extension Program {
  /// The path of the built `offread`.
  static let offread = built("offread")
}
