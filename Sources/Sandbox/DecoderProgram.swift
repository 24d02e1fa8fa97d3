import Configuration
package import Images
import Foundation
import Platform
import Synchronization

/// A decoder with its arguments. The cases list all decoders, so that the launcher can start them
/// safely for a process that may be compromised.
package enum DecoderProgram: Sendable, Equatable {
  /// offread itself, which decodes an image.
  case image(ImageRequest)
  /// `pdftotext`, which reads a PDF file from its standard input and writes the lines of its pages.
  case pdf
  /// `pdftotext -bbox-layout`, which writes the words of a PDF file with their positions on the
  /// pages.
  case pdfBoxes
  /// `offread-zim`, which responds to queries of a ZIM file.
  case zim(path: String)

  /// A running decoder.
  package struct Running: Sendable {
    /// Kills the decoder.
    let kill: @Sendable () -> Void
    /// Waits for the end of the decoder; may be called once. Returns its exit status, or the
    /// negative number of the signal that killed it.
    let wait: @Sendable () -> Int32

    package init(kill: @escaping @Sendable () -> Void, wait: @escaping @Sendable () -> Int32) {
      (self.kill, self.wait) = (kill, wait)
    }
  }

  /// A function that starts a decoder with a socket as its standard input and output; it returns
  /// nil if that fails, with `errno` set.
  package typealias Starting = @Sendable (DecoderProgram, Int32) -> Running?

  private static let starting = Mutex<Starting?>(nil)

  /// Sets the function that starts decoders from now on, in another process.
  package static func setStarter(_ starting: @escaping Starting) {
    Self.starting.withLock { $0 = starting }
  }

  /// The function that starts decoders in another process; nil if this process starts them itself.
  static var starter: Starting? { starting.withLock(\.self) }

  /// The argument that makes offread decode an image.
  package static let imageArgument = "--decode-image"

  /// The name or the path of the program.
  package var name: String {
    switch self {
    case .image: SharedFiles.executable?.path ?? "offread"
    case .pdf, .pdfBoxes: "pdftotext"
    case .zim: "offread-zim"
    }
  }

  package var arguments: [String] {
    switch self {
    case .image(let request): [Self.imageArgument] + request.arguments
    // The input is a pipe, so its name cannot be mistaken for an option.
    case .pdf: ["-layout", "-enc", "UTF-8", "-", "-"]
    case .pdfBoxes: ["-bbox-layout", "-enc", "UTF-8", "-", "-"]
    case .zim(let path): [path]
    }
  }

  /// The files that the program reads besides its input; nil for a program that confines itself.
  var files: [String]? {
    switch self {
    case .image: nil
    case .pdf, .pdfBoxes: []
    case .zim(let path): Self.archivePaths(of: path)
    }
  }

  /// Returns the path of a ZIM file, or the paths of all parts if it is the first part of a split
  /// file (`.zimaa`).
  private static func archivePaths(of path: String) -> [String] {
    guard path.hasSuffix(".zimaa") else { return [path] }
    let (directory, name) = ((path as NSString).deletingLastPathComponent, path.dropLast(2))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.map { "\(directory)/\($0)" }.filter { $0.hasPrefix(name) }
  }

  /// The resource limits.
  package var limits: LimitedProcess.Limits {
    switch self {
    case .image: LimitedProcess.Limits(maxSeconds: 5)
    case .pdf, .pdfBoxes: LimitedProcess.Limits()
    // Memory-mapped tables of a large file count as memory.
    case .zim: LimitedProcess.Limits(maxSeconds: 20, maxMemory: 4 << 30)
    }
  }

  /// The file that the requesting process must have open as proof of access; nil when none is
  /// needed.
  package var file: String? {
    if case .zim(let path) = self { path } else { nil }
  }

  /// Returns whether a descriptor proves that its owner may read the file.
  package func mayRead(with descriptor: Int32?) -> Bool {
    guard let file else { return true }
    guard let descriptor, fcntl(descriptor, F_GETFL) & (O_ACCMODE | Self.pathOnly) == O_RDONLY
    else { return false }
    var (named, opened) = (stat(), stat())
    return stat(file, &named) == 0 && fstat(descriptor, &opened) == 0
      && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino
  }

  /// `O_PATH`, which needs no permission to read.
  private static let pathOnly: Int32 = 0o10_000_000

  /// Starts the decoder.
  /// - Parameter socket: its standard input and output.
  /// - Returns: the process; nil if that fails, with `errno` set.
  package func start(_ socket: Int32) -> ChildProcess? {
    guard let path = ChildProcess.find(name) else {
      errno = ENOENT
      return nil
    }
    let text = files.map { Decoder.commandLine(path, arguments, reads: $0) } ?? [path] + arguments
    return ChildProcess(
      text, limits: limits.ofProcess, socket: socket, as: [STDIN_FILENO, STDOUT_FILENO])
  }

  /// The decoder as a list of strings, for messages to the launcher.
  package var commandLine: [String] {
    switch self {
    case .image(let request): ["image"] + request.arguments
    case .pdf: ["pdf"]
    case .pdfBoxes: ["pdf-boxes"]
    case .zim(let path): ["zim", path]
    }
  }

  /// Parses the strings of `commandLine`; nil if they are not valid.
  package init?(commandLine: [String]) {
    switch commandLine.first {
    case "image":
      guard let request = ImageRequest(arguments: Array(commandLine.dropFirst())),
        request.arguments == Array(commandLine.dropFirst())
      else { return nil }
      self = .image(request)
    case "pdf" where commandLine.count == 1: self = .pdf
    case "pdf-boxes" where commandLine.count == 1: self = .pdfBoxes
    case "zim" where commandLine.count == 2: self = .zim(path: commandLine[1])
    default: return nil
    }
  }
}
