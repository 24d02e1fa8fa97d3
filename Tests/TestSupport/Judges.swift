public import Foundation

/// Programs of others in Python, as outside judges: those that scripts/test installs and `OFFREAD_PYTHON` names.
public enum Judges {
  /// Runs a script of Python; nil when nobody can be asked.
  /// - Parameters:
  ///   - script: the script.
  ///   - arguments: its arguments.
  ///   - input: its standard input.
  /// - Returns: the process once it has ended.
  /// - Throws: `Program.SpawnError` when it cannot be started.
  public static func python(
    _ script: String, _ arguments: [String] = [], input: Data? = nil
  ) throws -> Program? {
    guard let python = ProcessInfo.processInfo.environment["OFFREAD_PYTHON"] else { return nil }
    return try Program.run(python, ["-c", script] + arguments, input: input)
  }

  /// Runs a program that was installed beside that Python; nil when nobody can be asked.
  /// - Parameters:
  ///   - name: the program.
  ///   - arguments: its arguments.
  /// - Returns: the process once it has ended.
  /// - Throws: `Program.SpawnError` when it cannot be started.
  public static func run(_ name: String, _ arguments: [String]) throws -> Program? {
    guard let python = ProcessInfo.processInfo.environment["OFFREAD_PYTHON"] else { return nil }
    let folder = URL(fileURLWithPath: python).deletingLastPathComponent()
    return try Program.run(folder.appendingPathComponent(name).path, arguments)
  }
}
