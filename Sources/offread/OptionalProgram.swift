import Doctor
import TerminalUI
import Configuration
import DOM
import Document
import Pages
import Rendering
import Sandbox

/// An optional program that offread uses if it is installed.
struct OptionalProgram {
  /// The name of the executable in `PATH`.
  var name: String
  /// The Debian package that contains the program.
  var package: String
  /// The features that are missing without the program.
  var missingFeatures: String

  /// Returns the optional programs.
  static func optionalPrograms(_ settings: Settings) -> [OptionalProgram] {
    [
      OptionalProgram(
        name: "pdftotext", package: "poppler-utils",
        missingFeatures: "PDF files are not shown as text"),
      OptionalProgram(
        name: settings.render.command, package: "chromium",
        missingFeatures: "pages whose text is made by scripts are not rendered"),
      OptionalProgram(
        name: "bwrap", package: "bubblewrap",
        missingFeatures:
          "the browser that renders pages is isolated by unshare only, or is not started"),
      OptionalProgram(
        name: "offread-zim", package: "offread-zim", missingFeatures: "ZIM files cannot be read"),
    ]
  }

  /// The finding that `doctor` prints. A missing program is not an error, because all of them are
  /// optional.
  var finding: Finding {
    let isFound = ChildProcess.find(name) != nil
    // The browser in the settings may be a path that contains the user's name.
    let shown = name.split(separator: "/").last.map { SafeText.line(String($0)) } ?? package
    return Finding(
      .program, shown, isFound ? "found" : "not found: \(missingFeatures) (package \(package))")
  }
}
