extension FailureKind: CustomStringConvertible {
  /// The name of the kind in lower case with hyphens, such as `host-not-found`.
  public var description: String { rawValue }
}

extension RejectionReason: CustomStringConvertible {
  /// The name of the reason in lower case with hyphens, such as `login-wall`.
  public var description: String { rawValue }
}

extension StoredResponse.Check.Result: CustomStringConvertible {
  /// The result as a phrase, such as `unchanged` or `status 503`.
  public var description: String {
    switch self {
    case .unchanged: "unchanged"
    case .replaced: "replaced by a newer version"
    case .status(let status): "status \(status)"
    case .suspect(let rejectionReason): "not trusted (\(rejectionReason))"
    case .failed(let failure): "failed (\(failure))"
    }
  }
}
