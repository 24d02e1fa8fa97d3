/// The name and the version of this software, for `--version`, the `User-Agent` of requests, and
/// written files. A release changes the version here only.
package enum Software {
  /// The version (Semantic Versioning).
  package static let version = "1.0.0"
  /// The product identifier for `User-Agent` (RFC 9110 §10.1.5) and the `software` field of
  /// `warcinfo` records.
  package static let product = "offread/" + version
}
