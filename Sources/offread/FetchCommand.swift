import ArgumentParser
import Foundation
import OfflineCache

/// `offread fetch URL`: sends one request through the cache and writes the content.
struct FetchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Send one HTTP request through the cache and write the response.")

  @Argument(help: "An http, https or about URL.")
  var url: String

  @Flag(
    name: .named(FetchOption.head),
    help: "Write the status line and the header before the content.")
  var showsHead = false

  @Flag(
    name: .named(FetchOption.headOnly), help: "Send a HEAD request and write only the header.")
  var usesHEAD = false

  @Option(
    name: .named(FetchOption.method), parsing: .unconditional,
    help: ArgumentHelp("Request method.", valueName: "method"),
    completion: .list(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]))
  var method: String?

  @Option(
    name: .named(FetchOption.field), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Request header field, 'Name: value'.", valueName: "field"))
  var fields: [String] = []

  @Option(
    name: .named(FetchOption.content), parsing: .unconditional,
    help: ArgumentHelp(
      "Request content, @FILE, or @- for standard input; implies POST.", valueName: "content"))
  var content: String?

  @Option(
    name: .named(FetchOption.user), parsing: .unconditional,
    help: ArgumentHelp(
      "Sign in; asks for the password if it is missing.", valueName: "user[:password]"))
  var user: String?

  @Option(
    name: .named(FetchOption.maxRedirects), parsing: .unconditional,
    help: "Maximum number of redirects; with 0, write the redirect itself.")
  var maxRedirects = 20

  @Option(
    name: .named(FetchOption.output), parsing: .unconditional,
    help: ArgumentHelp("Write the content to a file.", valueName: "file"))
  var output: String?

  @Flag(
    name: .named(FetchOption.verbose), help: "Print requests and responses to standard error.")
  var isVerbose = false

  @OptionGroup var load: LoadArguments
  @OptionGroup var privacy: PrivateArguments

  mutating func validate() throws {
    output = try ContentOutput.path(ofArgument: output)
    try choices.validate()
  }

  /// The request that the arguments describe.
  var choices: FetchChoices {
    FetchChoices(
      url: url, showsHead: showsHead, isHead: usesHEAD, method: method, fields: fields,
      content: content, user: user, maxRedirects: maxRedirects, output: output,
      isVerbose: isVerbose, load: load.choices, isPrivate: privacy.isPrivate)
  }

  mutating func run() throws { try choices.run() }
}
