import Foundation

/// A user name and a password. Descriptions do not reveal the password.
public struct Credentials: Sendable, Equatable {
  /// The user name.
  public var user: String
  /// The password.
  public var password: String

  /// Creates credentials from a user name and a password.
  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  /// Creates credentials from the user information of a URL (`user:password`, percent-encoded); nil
  /// if it has none.
  package init?(of url: WebURL) {
    guard let text = url.credentials else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.removingPercentEncoding ?? String($0) }
    self.init(user: parts[0], password: parts.count > 1 ? parts[1] : "")
  }

  /// The value of `Authorization` for the Basic scheme (RFC 7617 §2).
  var basic: String {
    "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
  }
}

extension Credentials: CustomStringConvertible, CustomReflectable {
  /// The user name, followed by a placeholder for the password.
  public var description: String { "\(user):(password)" }
  /// A mirror without secrets, for `dump` and debuggers.
  public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
