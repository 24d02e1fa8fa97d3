import Foundation

/// warcio, the reference implementation of WARC, as an independent validator.
public enum Warcio {
  /// Validates the structure and digests of a WARC file.
  ///
  /// Only done if `Effort.isWhole`; `scripts/test --all` installs warcio. Callers also check the
  /// file with our own reader.
  /// - Parameter file: The path of the file.
  /// - Returns: Nil if the file is valid or not checked, else the output of warcio.
  /// - Throws: `Judges.Failure` or `Program.SpawnError` if warcio is missing.
  public static func complaint(about file: String) throws -> String? {
    guard Effort.isWhole else { return nil }
    let run = try Judges.run("warcio", ["check", "-v", file])
    let isFine = run.status == 0 && run.text.contains("digest pass") && !run.text.contains("fail")
    return isFine ? nil : run.text + run.errorText
  }
}
