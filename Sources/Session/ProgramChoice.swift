import Configuration
import Foundation
import Pages

/// Chooses the program for a file or a URL based on settings, mailcap files and environment
/// variables.
struct ProgramChoice: Sendable {
  let settings: Settings
  let environment: [String: String]

  private var opener: Opener {
    let mailcaps = Mailcap.paths(environment).compactMap { path -> Mailcap? in
      guard let bytes = try? LocalFile.read(path), bytes.count < 1 << 20 else { return nil }
      return Mailcap(String(decoding: bytes, as: UTF8.self))
    }
    let positions = (environment["PATH"] ?? "").split(separator: ":")
    return Opener(
      setting: settings.opener, player: settings.player, mailcaps: mailcaps,
      hasDesktop: positions.contains { access("\($0)/xdg-open", X_OK) == 0 })
  }

  /// Opens a file.
  /// - Parameters:
  ///   - file: the path of the file.
  ///   - mediaType: the media type of the file.
  ///   - testSucceeds: runs a shell command and returns whether it succeeds.
  ///   - start: starts a shell command in the background, and returns whether that succeeded.
  /// - Returns: the outcome.
  func open(
    file: String, mediaType: String, testSucceeds: (String) -> Bool, start: (String) -> Bool
  ) -> LauncherResponse {
    guard let command = opener.command(path: file, mediaType: mediaType, passes: testSucceeds)
    else {
      return .notStarted
    }
    if command.needsTerminal {
      return .runInTerminal(
        line: command.isCopious ? "{ \(command.line)\n} | ${PAGER:-less}" : command.line)
    }
    return start(command.line) ? .startedInBackground(program: command.program) : .failed(0)
  }

  /// Opens a URL, which the command reads from `OFFREAD_URL`. The command runs in the background on
  /// a desktop, otherwise in the terminal.
  /// - Parameters:
  ///   - url: the URL.
  ///   - start: starts a shell command in the background, and returns whether that succeeded.
  /// - Returns: the outcome.
  func open(url: String, start: (String) -> Bool) -> LauncherResponse {
    let browsers = environment["BROWSER"] ?? ""
    guard let command = opener.command(forURLIn: "OFFREAD_URL", browsers: browsers) else {
      return .notStarted
    }
    let isOnDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
      environment[$0]?.isEmpty == false
    }
    guard isOnDesktop else { return .runInTerminal(line: command.line) }
    return start(command.line) ? .startedInBackground(program: command.program) : .failed(0)
  }
}
