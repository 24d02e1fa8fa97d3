package import Foundation
package import OfflineCache
import Library

/// The file in which choices are stored. Every method blocks and may be called from any thread;
/// several processes may use the same file at once.
package struct ChoiceFile: Sendable {
  private let file: URL

  /// Creates a value for the file; nothing is opened yet.
  package init(file: URL) {
    self.file = file
  }

  /// The stored choices; none if the file does not exist.
  /// - Throws: `ArchiveError.unreadable` if the file cannot be read, or is damaged.
  package var choices: Choices {
    get throws(ArchiveError) {
      // A new file is empty.
      guard let bytes = try LocalFileSystem().contents(of: file.path), !bytes.isEmpty else {
        return Choices()
      }
      do { return try JSONDecoder().decode(Choices.self, from: Data(bytes)) } catch {
        throw .unreadable("\(file.path): the file is damaged")
      }
    }
  }

  /// Adds a choice to the file. A decision about cookies for the session only is stored as no
  /// decision. A damaged file is replaced, and copied to one whose name ends in `.damaged`.
  /// - Parameter choice: The choice.
  /// - Returns: Whether the file was damaged.
  /// - Throws: `ArchiveError` if the file cannot be read or written.
  @discardableResult
  package func add(_ choice: Choices.Choice) throws(ArchiveError) -> Bool {
    let state = StateFile(file: file)
    let opened = try state.openLocked()
    defer { opened.unlock() }
    guard let data = FileManager.default.contents(atPath: file.path) else {
      throw .unreadable(file.path)
    }
    let known = try? JSONDecoder().decode(Choices.self, from: data)
    // A new file is empty.
    let isDamaged = known == nil && !data.isEmpty
    if isDamaged {
      let copy = StateFile(file: file.appendingPathExtension("damaged"))
      try copy.replace(with: Array(data))
    }
    var choices = known ?? Choices()
    choices.apply(choice.persistent)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let text = try? encoder.encode(choices) else { return isDamaged }
    try state.replace(with: Array(text) + [10])
    return isDamaged
  }
}
