import Sandbox
import Foundation

/// A sandbox for a browser, made of Linux namespaces by bubblewrap or, with weaker isolation, by
/// `unshare`: no network, and with bubblewrap no files of the user. The sandbox of the browser
/// stays enabled inside.
///
/// The browser runs there with an unprivileged user ID, so that its own sandbox works even if
/// offread runs as root in tests.
enum BrowserEnclosure: Equatable {
  /// A sandbox made by bubblewrap; the value is its path. The browser has no network, sees no other
  /// processes, and can read only the program directories of the file system.
  case bubblewrap(String)
  /// A sandbox made by `unshare` of util-linux; the value is its path. The browser has no network
  /// and sees no other processes, but can access all files.
  case unshare(String)

  /// Returns the best sandbox that is installed.
  /// - Parameter find: returns the path of a program, or nil.
  /// - Returns: the sandbox; nil if no program for it is installed.
  static func available(_ find: (String) -> String? = ChildProcess.find) -> BrowserEnclosure? {
    find("bwrap").map(Self.bubblewrap) ?? find("unshare").map(Self.unshare)
  }

  /// Whether the browser needs a directory for its files. With bubblewrap it writes to a file
  /// system in memory.
  var needsDirectory: Bool { if case .unshare = self { true } else { false } }

  /// Returns the command line that starts a browser in the sandbox.
  /// - Parameters:
  ///   - browser: the path of the browser.
  ///   - directory: the directory that it may write to.
  /// - Returns: the path of the program and its arguments.
  func commandLine(for browser: String, directory: String) -> [String] {
    prefix(of: browser) + [browser] + Self.options + [
      "--user-data-dir=\(directory)/profile"
    ]
  }

  private func prefix(of browser: String) -> [String] {
    switch self {
    case .bubblewrap(let path):
      let directories = [
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix/store",
        "/gnu/store",
      ]
      let isElsewhere = !directories.contains { browser.hasPrefix($0 + "/") }
      return [
        path, "--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000",
        "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev", "--tmpfs",
        "/tmp",
      ] + (directories + (isElsewhere ? [browser] : [])).flatMap { ["--ro-bind-try", $0, $0] } + [
        "--"
      ]
    case .unshare(let path):
      return [
        path, "--user", "--map-user=1000", "--map-group=1000", "--net", "--ipc", "--pid", "--fork",
        "--kill-child", "--mount-proc", "--",
      ]
    }
  }

  /// Options for a headless browser without images and background activity.
  private static let options = [
    "--headless", "--remote-debugging-pipe", "--no-startup-window", "--no-first-run",
    "--disable-gpu",
    "--blink-settings=imagesEnabled=false", "--mute-audio", "--disable-extensions",
    "--disable-sync", "--disable-component-update", "--disable-background-networking",
    "--disable-default-apps", "--disable-breakpad", "--deny-permission-prompts",
    "--js-flags=--max-old-space-size=512",
  ]
}
