import Foundation

/// warcio, the reference reader of WARC files, as an outside judge.
public enum Warcio {
  /// What warcio finds wrong with a WARC file: its digests and its form.
  ///
  /// `scripts/test --all` installs it. `scripts/test` does not ask it; callers check the file by our own reader besides.
  /// - Parameter file: the path of the file.
  /// - Returns: nil when nothing is wrong or not everything is tested, else all that warcio says.
  /// - Throws: `Judges.Failure` or `Program.SpawnError` when it is missing.
  public static func complaint(about file: String) throws -> String? {
    guard Effort.isWhole else { return nil }
    let run = try Judges.run("warcio", ["check", "-v", file])
    let isFine = run.status == 0 && run.text.contains("digest pass") && !run.text.contains("fail")
    return isFine ? nil : run.text + run.errorText
  }
}
