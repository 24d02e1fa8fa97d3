import Sandbox
import Document
import ArgumentParser
import OfflineCache
import Platform
import Pages
import Profiles
import Session

/// The values of the arguments of `fetch`.
struct FetchChoices: PlainChoices {
  var url: String
  var showsHead = false
  var isHead = false
  var method: String?
  var fields: [String] = []
  var content: String?
  var user: String?
  var maxRedirects = 20
  var output: String?
  var isVerbose = false
  var load = LoadChoices()
  var isPrivate = false

  mutating func read(_ name: String, _ value: inout PlainValue) -> Bool {
    switch FetchOption(rawValue: name) {
    case nil:
      load.read(name, &value) || PrivateArguments.read(name, &value, &isPrivate)
    case .head: value.set(&showsHead)
    case .headOnly: value.set(&isHead)
    case .method: value.read(&method)
    case .field: value.read(&fields)
    case .maxRedirects: value.read(&maxRedirects)
    case .output: value.read(&output)
    case .verbose: value.set(&isVerbose)
    // Their values may begin with a hyphen, or are secret.
    case .content, .user: false
    }
  }

  /// Checks the values and their combination.
  func validate() throws {
    try PrivateArguments.validate(isPrivate: isPrivate, with: load)
    try load.rejectTimeLimitsOffline()
    guard maxRedirects >= 0 else { throw ValidationError("--max-redirects takes 0 or more") }
    _ = try ContentOutput.path(ofArgument: output)
    if content == "@" { throw ValidationError("--data takes the path of a file after @") }
    for field in fields {
      guard Self.parseField(field) != nil else {
        throw ValidationError("-H takes 'Name: value', not '\(SafeText.line(field))'")
      }
    }
    if let method {
      guard !method.isEmpty, method.utf8.allSatisfy(Self.isTokenByte) else {
        throw ValidationError("-X takes a method such as GET, not '\(SafeText.line(method))'")
      }
    }
  }

  /// Sends the request and writes the response.
  func run() throws {
    let address = try address()
    if address.isInFile { throw ExitCode(try writeItem(at: address)) }
    var request = try request(to: address)
    try load.checkLog()
    let credentials = try credentials(for: request.url)
    request.url = request.url.withoutCredentials
    let profile = try load.profile(for: url, isPrivate: isPrivate)
    let outcome = load.confine(profile, outputs: outputs)
    if isVerbose, outcome == .missing {
      StandardOutput.printError("running without a file sandbox: this kernel has no Landlock")
    }
    var options = load.options(over: profile.settings)
    options.pauseFallbackDelay = options.fallbackDelay
    let isOffline = options.mode == .cacheOnly
    options.isSchemeAssumed =
      Address.assumesScheme(url, isOffline: isOffline) && (isOffline || credentials == nil)
    options.userSetFields = Set(fields.compactMap { Self.parseField($0)?.name.lowercased() })
    let fetch = Fetch(
      request: request, options: options,
      maxRedirects: maxRedirects,
      showsHead: showsHead || isHead, output: output, isVerbose: isVerbose)
    // Over plain http, wait for the challenge: a server that supports Digest never receives the
    // password.
    if let credentials {
      let isPreemptive = user == nil || request.url.scheme == "https"
      profile.cache.signIn(credentials, at: request.url, isPreemptive: isPreemptive)
    }
    throw ExitCode(fetch.run(in: profile))
  }

  private var outputs: [OutputGrant] {
    output.map { [OutputGrant($0, replacesExisting: true)] } ?? []
  }

  /// Returns the credentials of `-u`, otherwise those in the URL; nil if there are none. Overwrites
  /// them in the process list, and asks the user for a missing password.
  private func credentials(for url: WebURL) throws -> Credentials? {
    guard let user else {
      guard url.credentials != nil else { return nil }
      if let text = ProcessArgumentMasking.credentials(inURL: self.url) {
        ProcessArgumentMasking.overwritePassword(text, in: self.url)
      }
      return Credentials(of: url)
    }
    ProcessArgumentMasking.overwritePassword(user, in: user)
    let text = PathText.displayText(user)
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 { return Credentials(user: String(parts[0]), password: String(parts[1])) }
    let host = url.host ?? ""
    guard
      let password = PasswordPrompt.readPassword("Password for \(SafeText.line(text)) at \(host): ")
    else {
      StandardOutput.printError(
        "no password for \(SafeText.line(text)); use --netrc, or -u user:password")
      throw ExitCode(1)
    }
    return Credentials(user: text, password: password)
  }

  private func address() throws -> Address {
    do throws(ReaderError) {
      return try Address(typed: url, exists: { _ in false })
    } catch {
      StandardOutput.printError(error.description)
      throw ExitCode(error.exitCode)
    }
  }

  /// Writes an item of a file, or an imported file, without using the network.
  /// - Parameter address: the address of the item or the imported file.
  /// - Returns: the exit code.
  /// - Throws: an exit code, after the error was reported.
  private func writeItem(at address: Address) throws -> Int32 {
    guard !showsHead, !isHead, method == nil, fields.isEmpty, content == nil, user == nil else {
      StandardOutput.printError(
        "a part of a file has no header and is not requested; leave out -i, -I, -X, -H, --data and -u"
      )
      return 2
    }
    try load.checkLog()
    let profile = try load.profile(for: nil, isPrivate: isPrivate)
    defer { StandardOutput.closeAndPrintNotices(closing: profile) }
    load.confine(profile, outputs: outputs) { confinement in
      if case .file(let path) = address { confinement.allowReading(named: path) }
    }
    do {
      let bytes = try profile.bytes(inFile: address)
      var target = try ContentOutput(path: output)
      try target.write(bytes)
      try target.finish()
      return 0
    } catch let error as ReaderError {
      StandardOutput.printError(error.description)
      return error.exitCode
    } catch let error as StandardOutput.WriteError {
      StandardOutput.printError("\(ContentOutput.displayName(of: output)): \(error.message)")
      return 1
    }
  }

  /// Returns the content that the value of `--data` states, or the content of the file that it
  /// names.
  private static func bytes(ofContent argument: String) throws -> [UInt8] {
    guard argument.hasPrefix("@") else { return PathText.bytes(of: argument) }
    let path = String(argument.dropFirst())
    guard path != "-" || isatty(STDIN_FILENO) == 0 else {
      StandardOutput.printError("--data: standard input is the terminal; pipe the content to fetch")
      throw ExitCode(2)
    }
    do throws(ReaderError) {
      return try path == "-" ? LocalFile.readStandardInput() : LocalFile.read(path)
    } catch {
      StandardOutput.printError("--data: \(error.description)")
      throw ExitCode(1)
    }
  }

  private func request(to address: Address) throws -> WebRequest {
    let target: WebURL
    switch address {
    case .web(let url), .builtIn(let url): target = url
    case .file, .book, .feedItem, .standardInput:
      StandardOutput.printError(
        "fetch takes http, https, about and book URLs, and items inside a local file; to print a"
          + " file, use cat"
      )
      throw ExitCode(2)
    }
    let body = try content.map(Self.bytes(ofContent:)) ?? []
    let method = method ?? (isHead ? "HEAD" : content == nil ? "GET" : "POST")
    var request = WebRequest(method: method, url: target, body: body)
    for field in fields.compactMap(Self.parseField) {
      request.fields.append(field.name, field.value)
    }
    if content != nil, request.fields["Content-Type"] == nil {
      request.fields.append("Content-Type", "application/x-www-form-urlencoded")
    }
    return request
  }

  /// Parses a header field from `Name: value`; returns nil if the name is not a token or the value
  /// contains a line break.
  static func parseField(_ text: String) -> FieldLines.Field? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = String(text[..<colon])
    var value = text[text.utf8.index(after: colon)...]
    while let first = value.utf8.first, first == 0x20 || first == 0x09 { value.removeFirst() }
    while let last = value.utf8.last, last == 0x20 || last == 0x09 { value.removeLast() }
    guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else { return nil }
    guard !value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else { return nil }
    return FieldLines.Field(name, String(value))
  }

  /// Returns whether a byte is a `tchar` (RFC 9110 §5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
