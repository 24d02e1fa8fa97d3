import CForbidden
import Foundation
import Synchronization
import Testing

@testable import Sandbox

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Filtered system calls. A filter applies to the thread that installs it, so the tests themselves
/// are not affected.
@Suite("System call filters") struct CallFilterTests {
  private typealias Table = (
    name: @Sendable (Int32) -> String?, attempt: @Sendable (Int32) -> Int32
  )

  /// Runs the attempts of a table in a thread with a filter.
  private func outcomes(
    of table: Table, without calls: CallFilter
  ) -> [String: Int32] {
    let found = Mutex<[String: Int32]>([:])
    let isOver = DispatchSemaphore(value: 0)
    let thread = Thread {
      if calls.install() {
        var index: Int32 = 0
        while let name = table.name(index) {
          let error = table.attempt(index)
          found.withLock { $0[name] = error }
          index += 1
        }
      }
      isOver.signal()
    }
    thread.start()
    isOver.wait()
    return found.withLock(\.self)
  }

  private static let forbidden: Table = (
    { forbidden_name($0).map { String(cString: $0) } }, { forbidden_try($0) }
  )
  private static let allowed: Table = (
    { allowed_name($0).map { String(cString: $0) } }, { allowed_try($0) }
  )

  @Test func `other processes, kernel interfaces and special sockets are refused`() {
    guard CallFilter.isPossible else {
      #expect(!CallFilter().install())
      return
    }
    let outcomes = outcomes(of: Self.forbidden, without: [])
    #expect(outcomes.count > 34)
    // Libraries treat this as an older or different kernel.
    let unknown: Set = ["io_uring", "ptrace of x32", "ptrace of 32 bits"]
    for (name, error) in outcomes {
      #expect(error == (unknown.contains(name) ? ENOSYS : EPERM), "\(name)")
    }
  }

  @Test func `network, threads and processes are allowed by default`() {
    guard CallFilter.isPossible else { return }
    let outcomes = outcomes(of: Self.allowed, without: [])
    #expect(outcomes.count == 8 && outcomes.allSatisfy { $0.value == 0 }, "\(outcomes)")
  }

  @Test(
    arguments: [
      (CallFilter.network, ["tcp", "udp of IPv6", "routes"]), (.programs, ["process"]),
      (.sockets, ["tcp", "udp of IPv6", "routes"]),
      (.changes, []),
    ] as [(CallFilter, [String])])
  func `additional calls can be refused`(_ calls: CallFilter, _ refused: [String]) {
    guard CallFilter.isPossible else { return }
    for (name, error) in outcomes(of: Self.allowed, without: calls) {
      #expect(error == (refused.contains(name) ? EPERM : 0), "\(name)")
    }
  }

  @Test
  func `a process that starts no others can signal only itself and use only existing sockets`() {
    guard CallFilter.isPossible else { return }
    let attempts: [(Int32, @Sendable () -> Int32)] = [
      (EPERM, { kill(getppid(), 0) }), (EPERM, { kill(0, 0) }), (EPERM, { kill(-1, 0) }),
      (0, { kill(getpid(), 0) }), (0, { raise(0) }),
      (
        0,
        {
          var ends: [Int32] = [0, 0]
          guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return -1 }
          defer { for end in ends { close(end) } }
          return send(ends[0], "x", 1, 0) == 1 ? 0 : -1
        }
      ),
    ]
    let table: Table = (
      { index in index < attempts.count ? "\(index)" : nil },
      { index in attempts[Int(index)].1() != 0 ? errno : 0 }
    )
    let outcomes = outcomes(of: table, without: [.programs, .sockets])
    #expect(outcomes.count == attempts.count)
    for (index, attempt) in attempts.enumerated() {
      #expect(outcomes["\(index)"] == attempt.0, "\(index)")
    }
  }

  @Test func `a process that has given up changes cannot modify anything`() throws {
    guard CallFilter.isPossible else { return }
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("calls \(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let file = directory + "/file"
    try Data("x".utf8).write(to: URL(fileURLWithPath: file))
    let attempts: [@Sendable () -> Int32] = [
      { open(file, O_WRONLY) }, { open(file, O_RDONLY | O_CREAT, 0o600) },
      { open(file, O_RDONLY | O_TRUNC) }, { openat(AT_FDCWD, file, O_RDWR) }, { unlink(file) },
      { rename(file, file + "2") }, { mkdir(directory + "/b", 0o700) },
      { symlink("a", file + "3") },
      { chmod(file, 0) }, { kill(getppid(), 0) }, { truncate(file, 0) },
    ]
    let table: Table = (
      { index in index < attempts.count ? "\(index)" : nil },
      { index in attempts[Int(index)]() < 0 ? errno : 0 }
    )
    for (name, error) in outcomes(of: table, without: .changes) {
      #expect(error == EPERM, "\(name)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("x".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["file"])
  }
}
