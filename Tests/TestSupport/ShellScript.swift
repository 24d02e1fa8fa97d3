import Foundation

/// Executable files for tests.
public enum ShellScript {
  /// Writes an executable shell script.
  ///
  /// A process of its own writes the file. A process that another test starts at the same time
  /// would inherit a descriptor of this process for a moment, and the system does not execute a
  /// file that is open for writing (`ETXTBSY`).
  /// - Parameters:
  ///   - text: The commands.
  ///   - path: The path of the script.
  /// - Throws: A Cocoa error, or `Program.SpawnError`.
  public static func write(_ text: String, to path: String) throws {
    let draft = path + ".source"
    try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(fileURLWithPath: draft))
    defer { try? FileManager.default.removeItem(atPath: draft) }
    let copy = try Program.run("install", ["-m", "755", draft, path])
    guard copy.status == 0 else { throw Program.SpawnError(description: copy.errorText) }
  }
}
