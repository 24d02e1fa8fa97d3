import Configuration
import DOM
import Document
import Reader

/// A program that offread starts where it is installed, and what is missing where it is not.
struct OptionalProgram {
  /// The name by which it is found in `PATH`.
  var name: String
  /// The Debian package that it is in.
  var package: String
  /// What does not work without it.
  var loss: String

  /// The programs that offread can use.
  static func all(_ settings: Settings) -> [OptionalProgram] {
    [
      OptionalProgram(
        name: "pdftotext", package: "poppler-utils", loss: "PDF files are not shown as text"),
      OptionalProgram(
        name: settings.render.command, package: "chromium",
        loss: "pages whose text only scripts make are not rendered"),
      OptionalProgram(
        name: "bwrap", package: "bubblewrap",
        loss: "the browser that renders pages is enclosed by unshare alone, or is not started"),
      OptionalProgram(
        name: "offread-zim", package: "offread-zim", loss: "ZIM files are not read"),
    ]
  }

  /// What `doctor` says of it. Nobody needs all of them: that one is missing is no fault.
  var finding: Finding {
    let isFound = ChildProcess.find(name) != nil
    // The name of the browser is in the settings, and may have a path of the user.
    let shown = name.split(separator: "/").last.map { SafeText.line(String($0)) } ?? package
    return Finding(
      .program, shown, isFound ? "found" : "not found: \(loss) (package \(package))")
  }
}
