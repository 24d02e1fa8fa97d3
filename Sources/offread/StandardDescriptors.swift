import Platform

/// The descriptors of standard input, output and error.
enum StandardDescriptors {
  /// Opens those that the caller has closed, so that reading from them and writing to them fails.
  /// Otherwise files of the archive would get their numbers, and output would be written to them.
  static func openMissing() {
    let modes = [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ]
    for (descriptor, mode) in modes where fcntl(descriptor, F_GETFD) < 0 {
      // The new descriptor is the lowest that is free, and those below are open.
      _ = open("/dev/null", mode)
    }
  }
}
