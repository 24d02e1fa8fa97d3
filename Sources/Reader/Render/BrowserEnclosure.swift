import Foundation

/// What shuts a browser off from the network and from the files of the person: namespaces of its own, made by
/// bubblewrap, or, with less, by `unshare`. Its own sandbox stays on within.
///
/// It is a user of its own there that is nobody here, so that the sandbox works also where root tests it.
enum BrowserEnclosure: Equatable {
  /// By bubblewrap, at this path: no network, no other process, of files only the programs.
  case bubblewrap(String)
  /// By `unshare` of util-linux, at this path: no network, no other process.
  case unshare(String)

  /// What there is here.
  /// - Parameter find: finds programs.
  /// - Returns: the first that is there; nil when none is.
  static func available(_ find: (String) -> String? = ChildProcess.find) -> BrowserEnclosure? {
    find("bwrap").map(Self.bubblewrap) ?? find("unshare").map(Self.unshare)
  }

  /// The folder for what the browser writes; nil when it is one in memory, within the enclosure.
  var needsFolder: Bool { if case .unshare = self { true } else { false } }

  /// The words that start a browser.
  /// - Parameters:
  ///   - browser: the path of the browser.
  ///   - folder: where it may write.
  /// - Returns: path and arguments.
  func words(for browser: String, folder: String) -> [String] {
    prefix(of: browser) + [browser] + Self.options + [
      "--user-data-dir=\(folder)/profile"
    ]
  }

  private func prefix(of browser: String) -> [String] {
    switch self {
    case .bubblewrap(let path):
      let folders = [
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix/store",
        "/gnu/store",
      ]
      let isElsewhere = !folders.contains { browser.hasPrefix($0 + "/") }
      return [
        path, "--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000",
        "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev", "--tmpfs",
        "/tmp",
      ] + (folders + (isElsewhere ? [browser] : [])).flatMap { ["--ro-bind-try", $0, $0] } + ["--"]
    case .unshare(let path):
      return [
        path, "--user", "--map-user=1000", "--map-group=1000", "--net", "--ipc", "--pid", "--fork",
        "--kill-child", "--mount-proc", "--",
      ]
    }
  }

  /// No window, no pictures, nothing that it does by itself.
  private static let options = [
    "--headless", "--remote-debugging-pipe", "--no-startup-window", "--no-first-run",
    "--disable-gpu",
    "--blink-settings=imagesEnabled=false", "--mute-audio", "--disable-extensions",
    "--disable-sync", "--disable-component-update", "--disable-background-networking",
    "--disable-default-apps", "--disable-breakpad", "--deny-permission-prompts",
    "--js-flags=--max-old-space-size=512",
  ]
}
