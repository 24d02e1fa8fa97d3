/// Overwrites passwords in the arguments of the process, which other users can see in the process
/// list.
package enum ProcessArgumentMasking {
  /// Overwrites a password with `x` in every argument that ends with the given text.
  /// - Parameters:
  ///   - credentials: the user name and the password, separated by a colon.
  ///   - argument: the end of the argument that contains them, decoded by `PathText`.
  package static func overwritePassword(_ credentials: some StringProtocol, in argument: String) {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let text = CommandLine.unsafeArgv[index] else { continue }
      overwritePassword(credentials, in: argument, at: text)
    }
  }

  /// Overwrites the password in a C string if that ends with the bytes of `argument`.
  package static func overwritePassword(
    _ credentials: some StringProtocol, in argument: String, at cString: UnsafeMutablePointer<CChar>
  ) {
    let ending = PathText.bytes(of: argument)
    let secret = PathText.bytes(of: String(credentials))
    guard let colon = secret.firstIndex(of: UInt8(ascii: ":")),
      let start = ending.indices.first(where: { ending[$0...].starts(with: secret) })
    else { return }
    let first = strlen(cString) - ending.count
    guard first >= 0,
      ending.indices.allSatisfy({ UInt8(bitPattern: cString[first + $0]) == ending[$0] })
    else { return }
    for index in start + colon + 1..<start + secret.count {
      cString[first + index] = CChar(bitPattern: UInt8(ascii: "x"))
    }
  }

  /// Returns the user name and the password that a typed URL contains as they are written, without
  /// normalization; nil if there are none.
  package static func credentials(inURL text: String) -> Substring? {
    let start = text.firstRange(of: "//")?.upperBound ?? text.startIndex
    let authority = text[start...].prefix { !"/?#".contains($0) }
    return authority.lastIndex(of: "@").map { authority[..<$0] }
  }
}
