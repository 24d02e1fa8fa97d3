public import Foundation

/// Pages that came with an application or a system, read-only: they answer where nothing was saved.
///
/// A seed is like a good copy that is older than anything saved. It answers offline, when the mode
/// prefers copies, and after a failure; what the network brings replaces it, is saved even when it
/// says `no-store`, and is never hidden by it.
public enum Seed: Sendable, Hashable {
  /// A folder of files in the layout `HOST/PATH`, as `wget --mirror` writes it, also with
  /// `--adjust-extension` and `--restrict-file-names`; and of built-in pages in a folder `about`.
  case folder(URL)
  /// A WARC file (`.warc`, `.warc.gz`), or a folder of them.
  case warc(URL)
}
