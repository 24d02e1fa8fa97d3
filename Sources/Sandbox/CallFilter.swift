import CSeccomp

/// System calls that a process gives up permanently (seccomp). Some are always refused: calls that
/// affect other processes, the kernel or its file systems, and sockets of other families than the
/// internet. The options refuse more.
///
/// This is the only file that imports `CSeccomp`.
package struct CallFilter: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Refuses all sockets.
  package static let network = CallFilter(rawValue: OFFREAD_NO_NETWORK)
  /// Refuses to open files for writing, to create or remove files, and to send signals.
  package static let changes = CallFilter(rawValue: OFFREAD_NO_CHANGES)
  /// Refuses to create or connect sockets. Open sockets, such as the connection to the launcher,
  /// stay usable.
  package static let sockets = CallFilter(rawValue: OFFREAD_NO_SOCKETS)
  /// Refuses to start processes and programs, and to signal other processes.
  package static let programs = CallFilter(rawValue: OFFREAD_NO_PROGRAMS)

  /// Whether the kernel supports filters, and offread knows the system calls of the architecture.
  package static var isPossible: Bool { offread_filter_works() != 0 }

  /// Installs the filter for the calling thread and the threads and processes that it starts.
  /// - Returns: whether the filter was installed; if not, `errno` is set.
  func install() -> Bool { offread_filter_begin(rawValue) == 0 }
}
