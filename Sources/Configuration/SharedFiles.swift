package import Foundation

/// The read-only files that ship with the program: built-in pages and themes.
package struct SharedFiles: Sendable, Equatable {
  /// The seed directory of the built-in pages (`about/manual.html`).
  package var seed: URL
  /// The directory of `*.toml` themes.
  package var themes: URL

  /// Finds the files relative to the executable, at most six levels up: in `share/offread` of an
  /// enclosing directory (installed), or in an enclosing directory itself (a build in the source
  /// tree).
  /// - Returns: The files; nil if they do not exist, as when only the binary was copied.
  package static func find(executable: URL? = Self.executable) -> SharedFiles? {
    // Paths instead of URLs, whose first change takes long.
    guard var directory = executable?.path else { return nil }
    for _ in 0..<6 {
      guard let slash = directory.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
      directory = String(directory[..<slash])
      for candidate in [directory + "/share/offread", directory]
      where access(candidate + "/seed/about/offread.html", F_OK) == 0 {
        return SharedFiles(
          seed: URL(fileURLWithPath: candidate + "/seed", isDirectory: true),
          themes: URL(fileURLWithPath: candidate + "/themes", isDirectory: true))
      }
    }
    return nil
  }

  /// The executable of the running program, with symbolic links resolved; nil if it is unknown.
  package static var executable: URL? {
    #if os(Linux)
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      Bundle.main.executableURL?.resolvingSymlinksInPath()
    #endif
  }
}
