import Platform
import Configuration
import Foundation

/// Shows the manual page of a command with `man`, for `offread help COMMAND` on a terminal.
enum ManualPage {
  /// Returns the file of a manual page that is installed with the program or in its source tree.
  /// - Parameters:
  ///   - arguments: the arguments of the program.
  ///   - commands: the names of all commands.
  ///   - files: the installed files of the program.
  /// - Returns: nil if the arguments do not request a manual page, or it does not exist.
  static func manualFile(
    for arguments: [String], commands: Set<String>, files: SharedFiles? = SharedFiles.find()
  ) -> URL? {
    guard arguments.first == "help", arguments.count <= 2, let files else { return nil }
    let command = arguments.dropFirst().first
    guard command.map(commands.contains) ?? true else { return nil }
    let name = (["offread"] + (command.map { [$0] } ?? [])).joined(separator: "-") + ".1"
    let directory = files.seed.deletingLastPathComponent()
    let locations = [
      directory.deletingLastPathComponent().appendingPathComponent("man/man1"),
      directory.appendingPathComponent("man"),
    ]
    return locations.flatMap { location in
      [name, name + ".gz"].map(location.appendingPathComponent)
    }
    .first { FileManager.default.isReadableFile(atPath: $0.path) }
  }

  /// Replaces the process by `man`; returns only if `man` is not installed.
  static func show(_ file: URL) {
    var tokens: [UnsafeMutablePointer<CChar>?] = []
    for word in ["man", file.path] { tokens.append(strdup(word)) }
    tokens.append(nil)
    defer { tokens.forEach { free($0) } }
    execvp("man", &tokens)
  }
}
