import CSeccomp

/// Calls of the system that a process gives up for good, by seccomp: always those that have to do with other
/// processes, the kernel and its file systems, and sockets that lead to no network; and what is named here.
/// The only file that imports it.
package struct CallFilter: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Has no network.
  package static let network = CallFilter(rawValue: OFFREAD_NO_NETWORK)
  /// Changes no file and sends nobody a signal.
  package static let changes = CallFilter(rawValue: OFFREAD_NO_CHANGES)
  /// Makes no sockets; those that are open, such as that of the launcher, can be used.
  package static let sockets = CallFilter(rawValue: OFFREAD_NO_SOCKETS)
  /// Starts no process and no other program, and signals no other process.
  package static let programs = CallFilter(rawValue: OFFREAD_NO_PROGRAMS)

  /// Whether this kernel has filters, and they are known for this architecture.
  package static var isPossible: Bool { offread_filter_works() != 0 }

  /// Gives them up, for the calling thread and what it begins from now on.
  /// - Returns: whether that was possible; `errno` says why not.
  func begin() -> Bool { offread_filter_begin(rawValue) == 0 }
}
