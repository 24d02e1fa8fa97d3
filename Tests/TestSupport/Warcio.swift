import Foundation

/// warcio, the reference reader of WARC files, as an outside judge.
public enum Warcio {
  /// What warcio finds wrong with a WARC file: its digests and its form.
  ///
  /// The program is the one that `OFFREAD_WARCIO` names; scripts/test installs it. Without it
  /// there is nobody to ask, and callers check the file by our own reader besides.
  /// - Parameter file: the path of the file.
  /// - Returns: nil when nothing is wrong, else all that warcio says.
  /// - Throws: `Program.SpawnError` when it cannot be started.
  public static func complaint(about file: String) throws -> String? {
    guard let warcio = ProcessInfo.processInfo.environment["OFFREAD_WARCIO"] else { return nil }
    let run = try Program.run(warcio, ["check", "-v", file])
    let isFine = run.status == 0 && run.text.contains("digest pass") && !run.text.contains("fail")
    return isFine ? nil : run.text + run.errorText
  }
}
