public import Foundation

/// A read-only source of pages that were shipped with an application or a system. They are served
/// if nothing was saved.
///
/// A seed acts like a good copy that is older than anything saved. It is served offline, if the
/// mode prefers copies, and after a failure. Network responses replace it, and are saved even if
/// they contain `no-store`, which never hides the seed.
public enum Seed: Sendable, Hashable {
  /// A directory with files in the layout `HOST/PATH`, as written by `wget --mirror`, also with
  /// `--adjust-extension` and `--restrict-file-names`, and with built-in pages in the subdirectory
  /// `about`.
  case folder(URL)
  /// A WARC file (`.warc`, `.warc.gz`), or a directory of such files.
  case warc(URL)
}
