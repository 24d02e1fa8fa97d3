public import Foundation

/// A file or directory that replaces network responses, such as a documentation package for the web
/// site from which it was generated.
///
/// The first substitution that has a file for a URL is used; a URL for which the directory has no
/// file is loaded as usual. Files outside the directory are never served, regardless of the URL and
/// of symbolic links in the directory.
public struct Substitution: Sendable, Hashable {
  /// The URLs whose responses are replaced.
  public var source: Source
  /// The file to serve, or the directory with the files, in which `index.html` represents the
  /// directory itself.
  public var file: URL

  /// The matching URLs.
  public enum Source: Sendable, Hashable {
    /// A single URL, including its query.
    case url(String)
    /// A URL and everything below it. If `Substitution.file` is a single file, it is served for all
    /// these URLs.
    case prefix(String)
  }

  /// Creates a substitution.
  public init(_ source: Source, file: URL) {
    self.source = source
    self.file = file
  }

  /// Whether the source URL is valid.
  public var isValid: Bool {
    switch source {
    case .url(let text): WebURL(text)?.host != nil
    case .prefix(let text): URLPrefix(text) != nil
    }
  }
}
