import Profiles
import Foundation
import Images
import Platform
import Pages
import Rendering
import Sandbox
import Synchronization
import TestSupport
import Testing

@testable import Configuration
@testable import Session

@Suite(.serialized) struct LauncherTests {
  private static let requests: [LauncherRequest] = [
    .shell(line: "ls 'a b'", url: ""), .pipe(line: "wc", url: "https://a.example/\u{E4}"),
    .preparedCommand(line: "x", url: "y"), .viewText(url: "u"), .editFile(path: "/a b", url: ""),
    .editText,
    .openFile(path: "/a", mediaType: "image/png"), .openURL("https://a.example/"),
    .openForReading(path: "/a"), .createPartialFile(partialPath: "a.1.part", path: "a"),
    .renamePartialFile(partialPath: "b", path: "c"),
    .removePartialFile(partialPath: "d"), .startBrowser, .stopJob, .resumeForeground, .endLauncher,
    .openOutput(path: "/a b"),
    .completeOutput(path: "c"), .discardOutput(path: "\u{E4}"), .makeOutputDirectory(path: "d"),
    .startDecoder(.pdf), .startDecoder(.pdfBoxes), .startDecoder(.zim(path: "/a.zim")),
    .startDecoder(.image(ImageRequest(maxSizeInCells: ImageSize(width: 20, height: 10)))),
    .startReadHook(url: "https://a.example/", title: "a\n b"),
  ]

  @Test
  func `requests and replies survive encoding and decoding, and nothing else is decoded`() {
    for request in Self.requests {
      let bytes = request.bytes
      #expect(LauncherRequest(bytes) == request)
      // Neither a truncated request nor one with extra bytes is decoded.
      for end in bytes.indices { #expect(LauncherRequest(Array(bytes[..<end])) != request) }
      #expect(LauncherRequest(bytes + [0]) == nil)
      #expect(LauncherRequest(bytes + [65]) == nil)
    }
    #expect(LauncherRequest.endLauncher.bytes == [LauncherRequest.endByte])
    let responses: [LauncherResponse] = [
      .done, .failed(13), .startedInBackground(program: "cat"), .runInTerminal(line: "less 'a'"),
      .notStarted,
      .stopped, .ended(0), .ended(-9),
    ]
    for response in responses { #expect(LauncherResponse(response.bytes) == response) }
    for bytes in [[], [0], [1, 0xFF, 0, 0], [99], [4, 65], [17], [99]] as [[UInt8]] {
      #expect(LauncherRequest(bytes) == nil, "\(bytes)")
    }
  }

  @Test(arguments: Seeds.all)
  func `random bytes are decoded only if they are a valid request`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20_000 {
      let length = Int.random(in: 0...24, using: &random)
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...UInt8.max, using: &random) & 0x8F }
      guard let request = LauncherRequest(bytes) else { continue }
      #expect(request.bytes == bytes)
      #expect(LauncherResponse(bytes).map { LauncherResponse($0.bytes) == $0 } ?? true)
    }
  }

  @Test(
    arguments: [
      ("/home/me/notes/a.html", true, true), ("/home/me/.bashrc", false, false),
      ("/home/me/.ssh/id", false, false), ("/home/me/work/.git/config", false, false),
      ("/home/me", true, true), ("/home/mean/.x", false, false), ("/srv/a", true, true),
      ("/home/me/bin/ls", true, false),
      ("/tmp/a", true, true), ("/etc/cron.d/a", true, false), ("/usr/bin/a", true, false),
      ("/var/spool/a", true, false), ("/var/tmp/a", true, true), ("/proc/1/environ", false, false),
      ("/dev/sda", false, false), ("/run/user/0/bus", false, false),
      ("/run/media/me/a", true, true),
      ("a", false, false), ("", false, false),
    ] as [(String, Bool, Bool)])
  func `hidden files cannot be read or created, and programs cannot be created`(
    _ path: String, _ mayRead: Bool, _ mayCreate: Bool
  ) {
    let policy = FilePolicy(homeDirectory: "/home/me", programDirectories: ["/home/me/bin"])
    #expect(policy.mayRead(path) == mayRead)
    #expect(policy.mayCreate(path) == mayCreate)
    #expect(FilePolicy(homeDirectory: "/srv/.me").mayRead("/srv/.me/a"))
  }

  /// The results of the requests of a test.
  private struct Trial: Sendable {
    var answers: [String: LauncherResponse] = [:]
    var texts: [String: String] = [:]
  }

  /// Serves the requests of another thread on the current thread until that thread ends.
  @MainActor private func serve(
    _ home: String, _ settings: Settings = Settings(), scope: Launcher.Scope = .allReaderRequests,
    _ ask: @escaping @Sendable (Launcher, inout Trial) -> Void
  ) throws -> Trial {
    let (own, other) = try #require(SystemProcesses.makeMessageSocketPair())
    let directory = try PrivateDirectory(["TMPDIR": home])
    let found = Mutex(Trial())
    let isOver = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      // The socket closes when it ends.
      do {
        let launcher = Launcher(own, directory)
        var trial = Trial()
        ask(launcher, &trial)
        found.withLock { [trial] in $0 = trial }
      }
      isOver.signal()
    }
    let environment = ["HOME": home, "PATH": "/usr/bin:/bin"]
    LauncherProcess(other, settings, environment, directory, scope).serveRequests()
    isOver.wait()
    close(other)
    #expect(!FileManager.default.fileExists(atPath: directory.path))
    return found.withLock(\.self)
  }

  private func home() throws -> String {
    let home = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("offread-home-\(UUID().uuidString.prefix(8))").path
    for name in [".ssh", "docs"] {
      try FileManager.default.createDirectory(
        atPath: "\(home)/\(name)", withIntermediateDirectories: true)
    }
    try Data("key".utf8).write(to: URL(fileURLWithPath: home + "/.ssh/id"))
    try Data("words".utf8).write(to: URL(fileURLWithPath: home + "/docs/a"))
    try FileManager.default.createSymbolicLink(
      atPath: home + "/docs/link", withDestinationPath: home + "/.ssh")
    return home
  }

  @Test(.timeLimit(.minutes(1))) @MainActor
  func `unprepared commands, hidden files and garbage are refused`()
    throws
  {
    let home = try home()
    defer { try? FileManager.default.removeItem(atPath: home) }
    let markers = ["prepared", "opened", "typed"].map { "\(home)/\($0)" }
    let trial = try serve(home) { launcher, trial in
      for request in [
        LauncherRequest.preparedCommand(line: "touch '\(markers[0])'", url: ""),
        .openFile(path: "\(home)/docs/a", mediaType: "text/html"),
        .openFile(path: "\(launcher.directory?.path ?? "")/..", mediaType: "text/html"),
        .openURL("javascript:alert(1)"), .openURL("https://a.example/\u{1B}"),
        .openForReading(path: home + "/.ssh/id"), .openForReading(path: home + "/docs/link/id"),
        .openForReading(path: "/proc/self/mem"), .openForReading(path: "/dev/tty"),
        .createPartialFile(partialPath: home + "/.bashrc.1.part", path: home + "/.bashrc"),
        .createPartialFile(partialPath: home + "/docs/link/k.1.part", path: home + "/docs/link/k"),
        .createPartialFile(partialPath: home + "/.x", path: home + "/docs/a"),
        .createPartialFile(partialPath: home + "/docs/..", path: home + "/docs/."),
        .renamePartialFile(partialPath: home + "/docs/a", path: home + "/docs/b"),
        .editFile(path: "-x", url: ""),
      ] {
        trial.answers["\(request)"] = launcher.sendRequest(request).0
      }
      var random = SplitMix64(seed: 17)
      for _ in 0..<200 {
        guard let (own, other) = SystemProcesses.makeMessageSocketPair() else { return }
        let kind = UInt8.random(in: 17...UInt8.max, using: &random)
        let rest = (0..<20).map { _ in UInt8.random(in: 0...UInt8.max, using: &random) }
        launcher.sendMessage([kind] + rest, with: other)
        close(other)
        // The launcher closes the socket in response.
        if SystemProcesses.receive(from: own) != nil { trial.answers["garbage"] = .done }
        close(own)
      }
      let (response, files) = launcher.sendRequest(.openForReading(path: home + "/docs/a"))
      trial.answers["good"] = response
      trial.texts["good"] = files.first.flatMap { LocalFile.content(of: $0) }
        .map { String(decoding: $0, as: UTF8.self) }
      for file in files { close(file) }
    }
    #expect(trial.answers["good"] == .done && trial.texts["good"] == "words")
    #expect(trial.answers.count == 16, "\(trial.answers)")
    for (request, response) in trial.answers where request != "good" {
      #expect(response == .failed(EPERM), "\(request)")
    }
    for marker in markers { #expect(!FileManager.default.fileExists(atPath: marker)) }
  }

  @Test(.timeLimit(.minutes(1))) @MainActor
  func `a launcher limited to browsers refuses all other requests`() throws {
    let home = try home()
    defer { try? FileManager.default.removeItem(atPath: home) }
    let requests = Self.requests.filter {
      $0 != .startBrowser && $0 != .endLauncher && $0 != .stopJob
    }
    let trial = try serve(home, scope: .browsers) { launcher, trial in
      for request in requests + [.openForReading(path: home + "/docs/a")] {
        trial.answers["\(request)"] = launcher.sendRequest(request).0
      }
    }
    #expect(trial.answers.count == requests.count + 1)
    // No reply is sent.
    for (request, response) in trial.answers { #expect(response == .failed(0), "\(request)") }
  }

  @Test(.timeLimit(.minutes(1))) @MainActor
  func `files are created, renamed and dropped, and incomplete ones are deleted with the reader`()
    throws
  {
    let home = try home()
    defer { try? FileManager.default.removeItem(atPath: home) }
    let trial = try serve(home) { launcher, trial in
      for name in ["new", "dropped", "left"] {
        let file = PartialFile(for: "\(home)/\(name)", number: 1, operations: launcher.partialFiles)
        do throws(PartialFile.Failure) {
          _ = try file.open()
          _ = try file.write(Array("bytes".utf8))
          if name == "new" { _ = try file.complete() }
          if name == "dropped" { file.discard() }
        } catch {
          trial.texts[name] = error.message
        }
      }
      let hiddenFile = PartialFile(
        for: home + "/.profile", number: 1, operations: launcher.partialFiles)
      do throws(PartialFile.Failure) { _ = try hiddenFile.open() } catch {
        trial.texts["hidden"] = error.message
      }
    }
    #expect(trial.texts.count == 1)
    #expect(trial.texts["hidden"]?.contains("hidden files") == true)
    let names = try FileManager.default.contentsOfDirectory(atPath: home).sorted()
    #expect(names == [".ssh", "docs", "new"])
    #expect(FileManager.default.contents(atPath: home + "/new") == Data("bytes".utf8))
  }

  @Test(.timeLimit(.minutes(1))) @MainActor
  func `the configured program opens a file of the session, and runs in the terminal if required`()
    throws
  {
    let home = try home()
    defer { try? FileManager.default.removeItem(atPath: home) }
    var settings = Settings()
    settings.opener = "cp %s '\(home)/shown'"
    let key = "shell touch '\(home)/key'"
    settings.keys = [KeySetting(name: key, texts: ["F5"], valueText: "F5", location: "")]
    let marker = home + "/shown"
    let trial = try serve(home, settings) { launcher, trial in
      let file = try? launcher.directory?.write(Array("bytes".utf8), name: "it's.png")
      trial.answers["file"] = launcher.open(file: file ?? "", mediaType: "image/png")
      while !FileManager.default.fileExists(atPath: marker) { sched_yield() }
      // A command bound to a key needs no confirmation. Other commands do, and there is no user
      // here to confirm them.
      for name in ["key", "typed"] {
        trial.answers[name] =
          launcher.sendRequest(.shell(line: "touch '\(home)/\(name)'", url: "")).0
      }
      // Without a desktop, the configured program opens a URL in the terminal.
      let response = launcher.open(url: "https://a.example/")
      trial.answers["address"] = response
      if case .runInTerminal(let line) = response {
        trial.answers["run"] =
          launcher.sendRequest(.preparedCommand(line: "true; \(line)", url: "")).0
      }
    }
    #expect(trial.answers["file"] == .startedInBackground(program: "cp"))
    #expect(trial.answers["key"] == .done && trial.answers["typed"] != .done)
    #expect(FileManager.default.fileExists(atPath: home + "/key"))
    #expect(!FileManager.default.fileExists(atPath: home + "/typed"))
    let line = "cp \"$OFFREAD_URL\" '\(home)/shown'"
    #expect(trial.answers["address"] == .runInTerminal(line: line))
    #expect(trial.answers["run"] == .failed(EPERM))
  }

  /// Asks the launcher for a call of the hook, and returns its end and its output.
  private static func call(
    _ launcher: Launcher, _ url: String, _ title: String
  ) -> (LauncherResponse, String) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, let (own, other) = SystemProcesses.makeMessageSocketPair() else {
      return (.failed(errno), "")
    }
    launcher.sendMessage(
      LauncherRequest.startReadHook(url: url, title: title).bytes, with: other, ends[1])
    close(other)
    close(ends[1])
    let response = SystemProcesses.receive(from: own).flatMap { LauncherResponse($0.bytes) }
    close(own)
    let file = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    let output = (try? file.readToEnd()) ?? Data()
    return (response ?? .failed(0), String(decoding: output, as: UTF8.self))
  }

  @Test(.timeLimit(.minutes(1))) @MainActor
  func `the launcher calls the hook of the settings, with nothing but arguments of the reader`()
    throws
  {
    let home = try home()
    defer { try? FileManager.default.removeItem(atPath: home) }
    let script = home + "/docs/hook"
    try ShellScript.write("printf '<%s>' \"$@\"\nexit 7", to: script)
    var settings = Settings()
    settings.hooks.readCommand = HookCommand(line: "~/docs/hook {title} {url}")
    let trial = try serve(home, settings) { launcher, trial in
      let (response, output) = Self.call(
        launcher, "https://a.example/b", "--x; rm\n$(id)")
      trial.answers["good"] = response
      trial.texts["good"] = output
      for url in ["file:///etc/passwd", "-x", "javascript:alert(1)", ""] {
        trial.answers[url] = Self.call(launcher, url, "T").0
      }
      let request = LauncherRequest.startReadHook(url: "https://a.example/", title: "")
      trial.answers["without output"] = launcher.sendRequest(request).0
    }
    #expect(trial.answers["good"] == .ended(7))
    #expect(trial.texts["good"] == "< --x; rm $(id)><https://a.example/b>")
    for (name, response) in trial.answers where name != "good" {
      #expect(response == .failed(EPERM), "\(name)")
    }
    #expect(trial.answers.count == 6)
  }

  @Test(.timeLimit(.minutes(1))) @MainActor
  func `a hook that runs when the reader ends is killed, and without a hook none is called`() throws
  {
    let home = try home()
    defer { try? FileManager.default.removeItem(atPath: home) }
    let script = home + "/docs/hook"
    // Each side waits until the other one has opened the pipe.
    let marker = home + "/started"
    try #require(mkfifo(marker, 0o600) == 0)
    try ShellScript.write(": >> '\(marker)'\nwhile :; do :; done", to: script)
    var settings = Settings()
    settings.hooks.readCommand = HookCommand(line: script)
    // The end of `serveRequests` shows that the launcher does not wait for the command.
    let killedTrial = try serve(home, settings) { launcher, trial in
      guard let (own, other) = SystemProcesses.makeMessageSocketPair(),
        let (output, child) = SystemProcesses.makeMessageSocketPair()
      else { return }
      let request = LauncherRequest.startReadHook(url: "https://a.example/", title: "")
      launcher.sendMessage(request.bytes, with: other, child)
      for descriptor in [other, child] { close(descriptor) }
      let pipe = open(marker, O_RDONLY)
      trial.texts["started"] = pipe >= 0 ? "yes" : "no"
      for descriptor in [own, output, pipe] { close(descriptor) }
    }
    #expect(killedTrial.texts["started"] == "yes")
    let trialWithoutHook = try serve(home) { launcher, trial in
      trial.answers["none"] = Self.call(launcher, "https://a.example/", "T").0
    }
    #expect(trialWithoutHook.answers["none"] == .failed(ENOENT))
    var restricted = settings
    restricted.restrictToSaved()
    let trialWithoutScope = try serve(home, restricted) { launcher, trial in
      trial.answers["restricted"] = Self.call(launcher, "https://a.example/", "T").0
    }
    #expect(trialWithoutScope.answers["restricted"] == .failed(EPERM))
  }
}
