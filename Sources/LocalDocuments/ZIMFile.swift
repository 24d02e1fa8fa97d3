import Sandbox
import Platform
package import Containers
package import Exchange
package import Foundation

/// A ZIM file (openZIM), such as an offline Wikipedia, read with the program `offread-zim`.
///
/// Each query starts a process with limited time, memory and output. `Helpers/Zim/offread-zim.cpp`
/// describes the queries.
package struct ZIMFile: Sendable {
  /// The path of the file.
  let path: String
  /// The program that is run instead of `offread-zim`, with its limits; nil to run `offread-zim`.
  var substitute: (program: String, limits: LimitedProcess.Limits)?

  /// Creates a reader of the file at a path.
  package init(path: String) {
    self.path = path
  }

  private static let signature: [UInt8] = [0x5A, 0x49, 0x4D, 0x04]

  /// Returns whether bytes start with the magic number of the ZIM format.
  static func isFormat(of bytes: [UInt8]) -> Bool { bytes.starts(with: signature) }

  /// The modification date of the file; nil if the file does not exist.
  package var modificationDate: Date? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
  }

  /// Returns the main page; nil if the file declares none.
  /// - Throws: `ContainerError`.
  func mainPage() throws(ContainerError) -> ZIMResponse? { try response("main") }

  /// Returns the entry at a path after following redirects; nil if there is none.
  /// - Throws: `ContainerError`.
  func entry(at inner: String) throws(ContainerError) -> ZIMResponse? {
    try response("get " + ZIMResponse.encoded(inner))
  }

  /// Returns a response with at most `limit` pages that contain the words of `text`, best matches
  /// first; nil if there is no response.
  /// - Throws: `ContainerError`.
  package func search(_ text: String, limit: Int) throws(ContainerError) -> ZIMResponse? {
    try response("search \(limit) \(Self.line(text))")
  }

  /// Returns a response with at most `limit` pages whose titles start with `text` or contain its
  /// words; nil if there is no response.
  /// - Throws: `ContainerError`.
  package func suggest(_ text: String, limit: Int) throws(ContainerError) -> ZIMResponse? {
    try response("suggest \(limit) \(Self.line(text))")
  }

  private static func line(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
  }

  private func response(_ request: String) throws(ContainerError) -> ZIMResponse? {
    guard access(path, R_OK) == 0 else { throw .unreadable(String(cString: strerror(errno))) }
    let output: [UInt8]
    do throws(LimitedProcess.Failure) {
      let input = Array((request + "\n").utf8)
      output =
        if let substitute {
          try LimitedProcess.run(
            substitute.program, [path], input: input, limits: substitute.limits)
        } else {
          try LimitedProcess.run(.zim(path: path), input: input)
        }
    } catch {
      guard error == .missing else { throw .unreadable("offread-zim \(error)") }
      throw .unreadable(
        "ZIM files need the program offread-zim; install the package offread-zim, or run"
          + " scripts/install --with-zim")
    }
    return try ZIMResponse(output)
  }
}
