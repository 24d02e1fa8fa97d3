import Platform
import ArgumentParser

/// How many files the process may have open at once. With too few, the system's own libraries crash or wait for
/// ever; so it is asked before.
enum DescriptorLimit {
  /// So many are needed to load pages and keep them.
  static let needed = 64
  /// As many are asked for where the system gives more.
  private static let wanted: rlim_t = 1024

  /// Takes as many as the system gives.
  /// - Throws: exit code 1 when they are too few, after telling what to do.
  static func ensure() throws {
    var limit = rlimit()
    guard getrlimit(SystemValue.openFiles, &limit) == 0 else { return }
    if limit.rlim_cur < wanted {
      limit.rlim_cur = min(wanted, limit.rlim_max)
      setrlimit(SystemValue.openFiles, &limit)
    }
    guard limit.rlim_cur < needed else { return }
    StandardOutput.complain(
      "only \(limit.rlim_cur) files may be open at once, and \(needed) are needed; in a new shell, allow more:"
        + " ulimit -n 256")
    throw ExitCode(1)
  }
}
