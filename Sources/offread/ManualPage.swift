import Platform
import Configuration
import Foundation
import Reader

/// `offread help COMMAND` on a terminal is the command's page of the manual, as `man` shows it.
enum ManualPage {
  /// The file of a page that was installed with the program, or lies beside its sources.
  /// - Parameters:
  ///   - arguments: those of the program.
  ///   - commands: the names of all commands.
  ///   - files: what the program was installed with.
  /// - Returns: nil where other help than this is asked for, and where the page is not there.
  static func file(
    for arguments: [String], commands: Set<String>, files: SharedFiles? = SharedFiles.find()
  ) -> URL? {
    guard arguments.first == "help", arguments.count <= 2, let files else { return nil }
    let command = arguments.dropFirst().first
    guard command.map(commands.contains) ?? true else { return nil }
    let name = (["offread"] + (command.map { [$0] } ?? [])).joined(separator: "-") + ".1"
    let folder = files.seed.deletingLastPathComponent()
    let places = [
      folder.deletingLastPathComponent().appendingPathComponent("man/man1"),
      folder.appendingPathComponent("man"),
    ]
    return places.flatMap { place in [name, name + ".gz"].map(place.appendingPathComponent) }
      .first { FileManager.default.isReadableFile(atPath: $0.path) }
  }

  /// Becomes `man` with a page; comes back only where there is no such program.
  static func show(_ file: URL) {
    var words: [UnsafeMutablePointer<CChar>?] = []
    for word in ["man", file.path] { words.append(strdup(word)) }
    words.append(nil)
    defer { words.forEach { free($0) } }
    execvp("man", &words)
  }
}
