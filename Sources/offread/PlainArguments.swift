import Configuration
import Document
import Layout
import OfflineCache
import Pages

/// Arguments that are parsed without ArgumentParser, whose reflection over all commands takes
/// longer than loading the page of a short dump.
///
/// Only unambiguous arguments are accepted: known options, each once, with valid values. Everything
/// else (errors, help, `--`) is left to ArgumentParser, which has the messages for it.
struct PlainArguments {
  /// The positional arguments.
  private(set) var operands: [String] = []
  private var optionValues: [(option: String, text: String)] = []
  private var flags: [String] = []
  private var isPlain = true

  /// Sorts arguments; returns nil if they are not all plain.
  /// - Parameters:
  ///   - arguments: the arguments after the command.
  ///   - valueOptions: the options that take a value, with their hyphens.
  init?(_ arguments: ArraySlice<String>, valueOptions: [String]) {
    var name: String?
    for argument in arguments {
      if let option = name {
        guard !argument.hasPrefix("-"), parse(option, argument) else { return nil }
        name = nil
      } else if argument == "-" || !argument.hasPrefix("-") {
        operands.append(argument)
      } else if valueOptions.contains(argument) {
        name = argument
      } else if argument.hasPrefix("--"), let sign = argument.firstIndex(of: "="),
        valueOptions.contains(String(argument[..<sign]))
      {
        let value = String(argument[argument.index(after: sign)...])
        guard parse(String(argument[..<sign]), value) else { return nil }
      } else {
        guard !flags.contains(argument) else { return nil }
        flags.append(argument)
      }
    }
    guard name == nil else { return nil }
  }

  private mutating func parse(_ option: String, _ value: String) -> Bool {
    guard !optionValues.contains(where: { $0.option == option }) else { return false }
    optionValues.append((option, value))
    return true
  }

  /// Whether all arguments were consumed and had valid values.
  var isUsedUp: Bool { isPlain && optionValues.isEmpty && flags.isEmpty }

  /// Consumes a flag and returns whether it is present.
  /// - Parameter name: its name without hyphens.
  /// - Returns: whether it is present.
  mutating func consumeFlag(_ name: String) -> Bool {
    let spelled = Self.spelling(name)
    guard let index = flags.firstIndex(of: spelled) else { return false }
    flags.remove(at: index)
    return true
  }

  /// Consumes an option and returns its text.
  /// - Parameter name: its name without hyphens.
  /// - Returns: the text; nil if the option is missing.
  mutating func consumeText(_ name: String) -> String? {
    let spelled = Self.spelling(name)
    return optionValues.firstIndex { $0.option == spelled }.map { optionValues.remove(at: $0).text }
  }

  /// Returns an option name with its hyphens: one for a single letter, otherwise two.
  private static func spelling(_ name: String) -> String {
    (name.utf8.count == 1 ? "-" : "--") + name
  }

  /// Consumes an option and returns its value; nil if the option is missing, or if its value is
  /// invalid. An invalid value makes the arguments not plain.
  mutating func consumeValue<Value>(_ name: String, _ read: (String) -> Value?) -> Value? {
    guard let text = consumeText(name) else { return nil }
    let value = read(text)
    isPlain = isPlain && value != nil
    return value
  }
}

/// A command with plain arguments.
enum PlainCommand {
  case read(ReaderStart)
  case dump(Dump)
  case fetch(FetchChoices)

  /// Whether the command may load a page or an image through a URLSession. The dump of a local file
  /// without images loads nothing.
  var usesSession: Bool {
    guard case .dump(let dump) = self, !dump.presentation.drawsImages,
      let address = try? Address(typed: dump.target)
    else { return true }
    switch address {
    case .file, .standardInput: return false
    case .web, .builtIn, .book, .feedItem: return true
    }
  }

  /// Runs the command.
  func run() throws {
    switch self {
    case .read(let reading): try reading.run()
    case .dump(let dump): try dump.runAfterCheckingTarget()
    case .fetch(let fetch): try fetch.run()
    }
  }
}

extension Dump {
  /// Creates the dump that plain arguments request; nil if they are not valid.
  init?(_ arguments: PlainArguments) {
    var arguments = arguments
    guard let target = arguments.operands.first, arguments.operands.count == 1 else { return nil }
    self.init(
      target: target, presentation: PageChoices(&arguments), load: LoadChoices(&arguments),
      isPrivate: arguments.consumeFlag("private"))
    guard arguments.isUsedUp, arguments.areValid(presentation, load, isPrivate: isPrivate) else {
      return nil
    }
  }
}

extension ReaderStart {
  /// Creates a start of the reader from plain arguments; nil if they are not valid.
  init?(_ arguments: PlainArguments) {
    var arguments = arguments
    guard arguments.operands.count <= 1 else { return nil }
    self.init(
      target: arguments.operands.first, presentation: PageChoices(&arguments),
      load: LoadChoices(&arguments), isPrivate: arguments.consumeFlag("private"))
    guard arguments.isUsedUp, arguments.areValid(presentation, load, isPrivate: isPrivate) else {
      return nil
    }
  }
}

extension PlainArguments {
  /// Returns whether the values are valid, alone and together.
  fileprivate func areValid(_ page: PageChoices, _ load: LoadChoices, isPrivate: Bool) -> Bool {
    (try? page.validate()) != nil && (try? load.validate()) != nil
      && (try? PrivateArguments.validate(isPrivate: isPrivate, with: load)) != nil
  }
}

extension FetchChoices {
  /// The options of `fetch` that take a value and may be plain arguments, besides those of all
  /// commands that load pages.
  static let plainValueOptions = ["-X", "-H", "-o", "--max-redirects"]

  /// Creates the request that plain arguments describe; nil if they are not valid.
  init?(_ arguments: PlainArguments) {
    var arguments = arguments
    guard let url = arguments.operands.first, arguments.operands.count == 1 else { return nil }
    self.init(url: url)
    showsHead = arguments.consumeFlag("i")
    isHead = arguments.consumeFlag("I")
    method = arguments.consumeText("X")
    fields = arguments.consumeText("H").map { [$0] } ?? []
    maxRedirects = arguments.consumeValue("max-redirects") { Int($0) } ?? 20
    output = arguments.consumeText("o")
    isVerbose = arguments.consumeFlag("v")
    load = LoadChoices(&arguments)
    isPrivate = arguments.consumeFlag("private")
    guard arguments.isUsedUp, (try? validate()) != nil, (try? load.validate()) != nil else {
      return nil
    }
  }
}

extension PageChoices {
  fileprivate init(_ arguments: inout PlainArguments) {
    self.init()
    width = arguments.consumeValue("width") { Int($0) }
    base = arguments.consumeText("base")
    color = arguments.consumeValue("color") { Settings.ColorChoice(rawValue: $0) }
    format = arguments.consumeValue("format") { DumpFormat(rawValue: $0) } ?? .text
    links = arguments.consumeValue("links") { LayoutOptions.LinkNumbers(rawValue: $0) } ?? .none
    images = arguments.consumeValue("images") { Settings.ImageChoice(rawValue: $0) }
    reader = arguments.consumeFlag("reader")
    full = arguments.consumeFlag("full")
    meta = arguments.consumeFlag("meta")
    explain = arguments.consumeFlag("explain")
    keepsComments = arguments.consumeFlag("with-comments")
    linear = arguments.consumeFlag("linear")
    failsOnStale = arguments.consumeFlag("fail-stale")
  }
}

extension LoadChoices {
  fileprivate init(_ arguments: inout PlainArguments) {
    self.init()
    dataDirectory = arguments.consumeText("data-dir")
    mode = arguments.consumeValue("mode") { LoadMode(rawValue: $0) }
    offline = arguments.consumeFlag("offline")
    refusesFallback = arguments.consumeFlag("no-fallback")
    respectsNoStore = arguments.consumeFlag("respect-no-store")
    copy = arguments.consumeValue("copy") { CopySelection(argument: $0) } ?? .latest
    fallbackDelay = arguments.consumeValue("patience") { Double($0) }
    connectTimeout = arguments.consumeValue("connect-timeout") { Double($0) }
    timeout = arguments.consumeValue("timeout") { Double($0) }
    log = arguments.consumeText("log")
    identity = IdentityChoices(&arguments)
    sandbox = SandboxChoices(&arguments)
  }
}

extension SandboxChoices {
  fileprivate init(_ arguments: inout PlainArguments) {
    self.init()
    isOff = arguments.consumeFlag("no-sandbox")
  }
}

extension IdentityChoices {
  fileprivate init(_ arguments: inout PlainArguments) {
    self.init()
    cookies = arguments.consumeText("cookies")
    netrc = arguments.consumeFlag("netrc")
    netrcFile = arguments.consumeText("netrc-file")
    cert = arguments.consumeText("cert")
    key = arguments.consumeText("key")
    cacert = arguments.consumeText("cacert")
  }
}
