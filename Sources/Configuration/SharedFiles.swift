package import Foundation

/// The read-only files that ship with the program: built-in pages and themes.
package struct SharedFiles: Sendable, Equatable {
  /// The seed directory of the built-in pages (`about/manual.html`).
  package var seed: URL
  /// The directory of `*.toml` themes.
  package var themes: URL

  /// Finds the files relative to the executable: in `PREFIX/share/offread` beside `PREFIX/bin`,
  /// else in the package's own directories above a build product.
  /// - Returns: The files; nil if they do not exist, as when only the binary was copied.
  package static func find(executable: URL? = Self.executable) -> SharedFiles? {
    guard var folder = executable?.deletingLastPathComponent() else { return nil }
    for _ in 0..<6 {
      for candidate in [folder.appendingPathComponent("share/offread"), folder] {
        let seed = candidate.appendingPathComponent("seed")
        let start = seed.appendingPathComponent("about/offread.html")
        if FileManager.default.fileExists(atPath: start.path) {
          return SharedFiles(seed: seed, themes: candidate.appendingPathComponent("themes"))
        }
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  /// The executable of the running program, with symbolic links resolved.
  package static var executable: URL? {
    #if os(Linux)
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      Bundle.main.executableURL?.resolvingSymlinksInPath()
    #endif
  }
}
