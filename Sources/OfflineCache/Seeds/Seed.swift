public import Foundation

/// A read-only source of pages that were shipped with an application or a system. A page of a seed
/// is served if no response was saved for its URL.
///
/// A seed acts like a good copy that is older than anything saved. It is served offline, after a
/// failure, and if the mode prefers copies. Network responses replace the seed. They are saved even
/// if they contain `no-store`, so that the seed does not reappear.
public enum Seed: Sendable, Hashable {
  /// A directory with files in the layout `HOST/PATH`, as written by `wget --mirror` (also with
  /// `--adjust-extension` and `--restrict-file-names`). Built-in pages are in the subdirectory
  /// `about`.
  case folder(URL)
  /// A WARC file (`.warc`, `.warc.gz`), or a directory of such files.
  case warc(URL)
}
