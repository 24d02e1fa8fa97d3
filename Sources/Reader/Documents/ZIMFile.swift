import Platform
import Containers
import Exchange
import Foundation

/// A ZIM file (openZIM), such as Wikipedia for Kiwix, by the program `offread-zim`: a process for each question, with
/// little time, memory and room. What it can be asked stands in Helpers/Zim/offread-zim.cpp.
package struct ZIMFile: Sendable {
  /// Its path.
  let path: String
  /// Another program that reads it, with what it may use; nil for `offread-zim`.
  var substitute: (program: String, limits: LimitedProcess.Limits)?

  private static let mark: [UInt8] = [0x5A, 0x49, 0x4D, 0x04]

  /// Whether bytes begin a ZIM file.
  static func isBegun(by bytes: [UInt8]) -> Bool { bytes.starts(with: mark) }

  /// When the file was changed; nil when it is not there.
  var modified: Date? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
  }

  /// The page with which it begins; nil when it names none.
  /// - Throws: `ContainerError`.
  func mainPage() throws(ContainerError) -> ZIMAnswer? { try answer("main") }

  /// What is at a path in it, redirects followed; nil when there is nothing.
  /// - Throws: `ContainerError`.
  func entry(at inner: String) throws(ContainerError) -> ZIMAnswer? {
    try answer("get " + ZIMAnswer.encoded(inner))
  }

  /// Pages with words, the best first.
  /// - Throws: `ContainerError`.
  func search(_ words: String, limit: Int) throws(ContainerError) -> ZIMAnswer? {
    try answer("search \(limit) \(Self.line(words))")
  }

  /// Pages with titles that have words, or begin with them.
  /// - Throws: `ContainerError`.
  func suggest(_ words: String, limit: Int) throws(ContainerError) -> ZIMAnswer? {
    try answer("suggest \(limit) \(Self.line(words))")
  }

  private static func line(_ words: String) -> String {
    String(words.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
  }

  private func answer(_ request: String) throws(ContainerError) -> ZIMAnswer? {
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
    return try ZIMAnswer(output)
  }
}
