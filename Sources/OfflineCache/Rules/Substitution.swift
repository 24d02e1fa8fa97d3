public import Foundation

/// A file or a folder that answers instead of the network, such as a documentation package for the
/// web site it was made from.
///
/// Of several substitutions the first that has the URL answers; a URL that a folder does not have is
/// loaded as usual. Nothing outside of the folder is ever given out, whatever the URL or a link in
/// the folder says.
public struct Substitution: Sendable, Hashable {
  /// The URLs that are meant.
  public var source: Source
  /// The file that answers; or the folder with the files, in which `index.html` stands for the
  /// folder itself.
  public var file: URL

  /// The URLs that are meant.
  public enum Source: Sendable, Hashable {
    /// One URL, with its query.
    case url(String)
    /// A URL and everything below it; with a file, all of them are that file.
    case prefix(String)
  }

  /// Makes a substitution.
  public init(_ source: Source, file: URL) {
    self.source = source
    self.file = file
  }

  /// Whether the URLs can be used.
  public var isValid: Bool {
    switch source {
    case .url(let text): WebURL(text)?.host != nil
    case .prefix(let text): URLPrefix(text) != nil
    }
  }
}
