import Platform

/// The descriptors of standard input, output and error.
enum StandardDescriptors {
  /// Opens the standard descriptors that the calling process has closed, so that reading from them
  /// and writing to them fails. Otherwise, files of the archive would get these numbers, and output
  /// would be written to the files.
  static func openMissing() {
    let modes = [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ]
    for (descriptor, mode) in modes where fcntl(descriptor, F_GETFD) < 0 {
      // `open` returns the lowest free descriptor, and all lower ones are open.
      _ = open("/dev/null", mode)
    }
  }
}
