import Platform

/// Examines standard input.
enum StandardInput {
  /// Whether standard input is a pipe, a socket or a file, as in `offread < page.html`.
  static var isPipedOrFile: Bool {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { return false }
    return [S_IFIFO, S_IFREG, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }
}
