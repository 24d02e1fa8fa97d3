import Platform
import ArgumentParser

/// The limit of open files of the process. With too few, system libraries crash or hang, so
/// commands check it first.
enum DescriptorLimit {
  /// Minimum number of descriptors for loading and saving pages.
  static let minDescriptors = 64
  /// Number of descriptors that is requested if the hard limit permits.
  private static let targetDescriptors: rlim_t = 1024

  /// Raises the soft limit to 1024, or to the hard limit if that is lower.
  /// - Throws: exit code 1 if the limit is too low, after that was reported.
  static func ensureMinimum() throws {
    var limit = rlimit()
    guard getrlimit(SystemValue.openFileLimit, &limit) == 0 else { return }
    if limit.rlim_cur < targetDescriptors {
      limit.rlim_cur = min(targetDescriptors, limit.rlim_max)
      setrlimit(SystemValue.openFileLimit, &limit)
    }
    guard limit.rlim_cur < minDescriptors else { return }
    StandardOutput.printError(
      "only \(limit.rlim_cur) files can be open at once, but \(minDescriptors) are needed; in a new shell, run:"
        + " ulimit -n 256")
    throw ExitCode(1)
  }
}
