/// The name and the version of this software, as `--version`, the `User-Agent` of its requests and the files that it
/// writes give them. A release changes the version here and nowhere else.
package enum Software {
  /// The version (Semantic Versioning).
  package static let version = "1.0.0"
  /// A product as `User-Agent` and the `software` field of `warcinfo` records have it (RFC 9110 §10.1.5).
  package static let product = "offread/" + version
}
