import Foundation

/// A user name and a password. Printed, the password does not show.
public struct Credentials: Sendable, Equatable {
  /// The user name.
  public var user: String
  /// The password.
  public var password: String

  /// Makes credentials from a user name and a password.
  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  /// The credentials of a URL (`user:password`, percent-encoded), nil when it has none.
  package init?(of url: WebURL) {
    guard let text = url.credentials else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.removingPercentEncoding ?? String($0) }
    self.init(user: parts[0], password: parts.count > 1 ? parts[1] : "")
  }

  /// The value of `Authorization` by the scheme Basic (RFC 7617 §2).
  var basic: String {
    "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
  }
}

extension Credentials: CustomStringConvertible, CustomReflectable {
  /// The user name, and that there is a password.
  public var description: String { "\(user):(password)" }
  /// Nothing that the description does not say, for `dump` and debuggers.
  public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
