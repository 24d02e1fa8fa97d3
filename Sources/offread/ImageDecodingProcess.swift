import Platform
import Images
import Reader
import Sandbox
import Terminal

/// `offread --decode-image ARGUMENTS`: decodes an image from standard input to standard output in a
/// sandboxed process. Internal.
enum ImageDecodingProcess {
  /// Decodes an image and exits if the arguments request that; otherwise returns.
  static func run(ifAskedBy arguments: [String]) {
    guard arguments.first == DecoderProgram.imageArgument else { return }
    guard let request = ImageRequest(arguments: Array(arguments.dropFirst())) else { exit(2) }
    do throws(ImageFailure) {
      let decoder = try ImageDecoder(try readInput(), for: request)
      confine()
      let image = try decoder.decoded()
      exit(OutputDescriptor(STDOUT_FILENO).write(image.bytes) == 0 ? 0 : 1)
    } catch {
      exit(error.status)
    }
  }

  private static func readInput() throws(ImageFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= ImageProcess.maxInputLength {
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
    throw .tooLarge
  }

  /// Drops the rights to open files, to use the network and to start programs. The parent process
  /// limits memory and time.
  private static func confine() {
    var confinement = Confinement()
    confinement.deniedCalls = [.network, .changes, .programs]
    _ = confinement.apply()
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(SystemValue.openFileLimit, &none)
  }
}
