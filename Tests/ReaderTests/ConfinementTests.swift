import Foundation
import Synchronization
import Testing

@testable import Profiles
@testable import Sandbox

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// File access of a confined thread. Landlock applies to the thread that uses it, so the tests
/// themselves are not affected.
@Suite("File access restrictions") struct ConfinementTests {
  /// The results of attempts after a confinement began.
  private struct Trial: Sendable {
    var outcome = Confinement.Outcome.missing
    var errors: [String: Int32] = [:]
  }

  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("confined \(UUID().uuidString.prefix(8))").path

  /// Opens files in a confined thread, and returns the error numbers; 0 means success.
  private func errors(
    _ confinement: Confinement, _ opened: [(name: String, path: String, flags: Int32)]
  ) -> Trial {
    let found = Mutex(Trial())
    let isOver = DispatchSemaphore(value: 0)
    let thread = Thread {
      let outcome = confinement.apply()
      var errors: [String: Int32] = [:]
      for (name, path, flags) in opened {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        errors[name] = descriptor < 0 ? errno : 0
        if descriptor >= 0 { close(descriptor) }
      }
      let trial = Trial(outcome: outcome, errors: errors)
      found.withLock { $0 = trial }
      isOver.signal()
    }
    thread.start()
    isOver.wait()
    return found.withLock(\.self)
  }

  private func make(_ names: String...) throws {
    for name in names {
      let url = URL(fileURLWithPath: directory + "/" + name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("x".utf8).write(to: url)
    }
  }

  @Test
  func `files that are not granted can be neither read nor written, if the kernel supports it`()
    throws
  {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try make("home/.ssh/id", "data/a", "out/x", "out/y", "book.epub")
    var confinement = Confinement()
    confinement.writablePaths = [directory + "/data"]
    confinement.readablePaths = ["/etc", directory + "/not there"]
    confinement.allowReading(named: directory + "/book.epub/3")
    // A regular file is written by the launcher.
    confinement.allowWriting(named: directory + "/out/y")
    confinement.allowWriting(named: "/dev/stdin")
    let trial = errors(
      confinement,
      [
        ("secret", directory + "/home/.ssh/id", O_RDONLY),
        ("written", directory + "/home/new", O_WRONLY | O_CREAT),
        ("data", directory + "/data/a", O_RDWR),
        ("new data", directory + "/data/b", O_RDWR | O_CREAT),
        ("settings", "/etc/passwd", O_RDONLY), ("no settings", "/etc/new", O_WRONLY | O_CREAT),
        ("named", directory + "/book.epub", O_RDONLY),
        ("output", directory + "/out/y", O_WRONLY),
        ("beside output", directory + "/out/z", O_CREAT),
        ("null", "/dev/null", O_RDWR),
      ])
    guard let version = Confinement.version else {
      // A kernel without Landlock restricts nothing, which is reported.
      #expect(trial.outcome == .missing && trial.errors["secret"] == 0)
      return
    }
    #expect(trial.outcome == .confined(version: version))
    for name in ["secret", "written", "no settings", "output", "beside output"] {
      #expect(trial.errors[name] == EACCES, "\(name)")
    }
    for name in ["data", "new data", "settings", "named", "null"] {
      #expect(trial.errors[name] == 0, "\(name)")
    }
    // Other threads are not affected.
    #expect(access(directory + "/home/.ssh/id", R_OK) == 0)
  }

  @Test func `granting a missing path allows nothing`() {
    var confinement = Confinement()
    confinement.allowReading(named: "/usr/not there/at all")
    #expect(confinement.readablePaths == [])
    confinement.allowReading(named: "/usr")
    #expect(confinement.readablePaths == ["/usr"])
  }

  @Test
  func `a user may grant paths that are not hidden, but not the home directory or its parents`()
    throws
  {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try make("me/.ssh/id", "me/docs/a", "me/page.html", "me/.notes/deep/n.html")
    let real = URL(fileURLWithPath: directory).resolvingSymlinksInPath().path
    let home = real + "/me"
    var confinement = Confinement()
    confinement.readOpenable(home: home, current: home, target: home + "/page.html")
    #expect(
      confinement.readablePaths.isSuperset(of: [home + "/docs", home + "/page.html", "/usr"]))
    #expect(
      confinement.readablePaths.isDisjoint(
        with: ["/", "/proc", "/dev", "/run", real, home, home + "/.ssh", home + "/.notes"]))
    confinement.readOpenable(
      home: home, current: home + "/docs", target: home + "/.notes/deep/n.html")
    #expect(confinement.readablePaths.contains(home + "/.notes/deep"))
    #expect(confinement.readablePaths.isDisjoint(with: [home, home + "/.notes"]))
    // Symbolic links count as their targets.
    for (name, target) in [("me", "."), ("above", ".."), ("all", "/"), ("notes", ".notes")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(home)/\(name)", withDestinationPath: target)
    }
    let link = home + "-link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: home)
    defer { try? FileManager.default.removeItem(atPath: link) }
    var linked = Confinement()
    linked.readOpenable(home: link, current: link, target: link + "/page.html")
    let opened = linked.readablePaths.map(Confinement.realPath)
    #expect(opened.contains(home + "/docs"))
    #expect(Set(opened).isDisjoint(with: ["/", real, home, home + "/.notes", home + "/.ssh"]))
    let ancestry = FileAncestry(home)
    for path in [home + "/", link, link + "/docs/..", "/", real, home + "/me", home + "/above"] {
      #expect(ancestry.contains(path), "\(path)")
    }
    for path in [home + "/docs", home + "/nowhere", "/usr"] {
      #expect(!ancestry.contains(path), "\(path)")
    }
  }

  @Test func `a home directory that does not exist is compared by its path`() {
    let ancestry = FileAncestry("/nowhere/a/b")
    for path in ["/nowhere/a/b", "/nowhere/a/b/", "/nowhere/a/c/../b", "/nowhere", "/"] {
      #expect(ancestry.contains(path), "\(path)")
    }
    #expect(!ancestry.contains("/nowhere/a/b/c"))
    #expect(!FileAncestry(nil).contains("/usr"))
    #expect(FileAncestry(nil).contains("/"))
  }

  @Test(
    arguments: [(1, 13), (2, 14), (3, 15), (4, 15), (5, 16), (6, 16), (99, 16)] as [(Int, Int)])
  func `only rights known to the Landlock version are requested`(_ version: Int, _ bits: Int) {
    let known = Confinement.Right.rightsSupported(in: version)
    #expect(known.rawValue.nonzeroBitCount == bits)
    #expect(known.contains(.move) == (version > 1) && known.contains(.truncate) == (version > 2))
    #expect(known.isSuperset(of: [.readFile, .writeFile, .makeFile, .execute]))
  }
}
