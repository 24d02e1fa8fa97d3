import Configuration
import ArgumentParser
import Foundation
import OfflineCache

/// The options for cookies, passwords and certificates; they override the settings file.
struct IdentityArguments: ParsableArguments {
  @Option(
    name: .named(IdentityOption.cookies),
    help: ArgumentHelp("Send the cookies of this file (Netscape format).", valueName: "file"),
    transform: NonemptyArgument.parse)
  var cookies: String?

  @Flag(
    name: .named(IdentityOption.netrc), help: "Read user names and passwords from ~/.netrc.")
  var netrc = false

  @Option(
    name: .named(IdentityOption.netrcFile),
    help: ArgumentHelp("Read user names and passwords from this file.", valueName: "file"),
    transform: NonemptyArgument.parse)
  var netrcFile: String?

  @Option(
    name: .named(IdentityOption.cert),
    help: ArgumentHelp("Client certificate (PEM) for the host of the URL.", valueName: "file"),
    transform: NonemptyArgument.parse)
  var cert: String?

  @Option(
    name: .named(IdentityOption.key),
    help: ArgumentHelp("Private key of the certificate (PEM).", valueName: "file"),
    transform: NonemptyArgument.parse)
  var key: String?

  @Option(
    name: .named(IdentityOption.cacert),
    help: ArgumentHelp("Trust only the certificates in this file (PEM).", valueName: "file"),
    transform: NonemptyArgument.parse)
  var cacert: String?

  /// The values of the options.
  var choices: IdentityChoices {
    IdentityChoices(
      cookies: cookies, netrc: netrc, netrcFile: netrcFile, cert: cert, key: key, cacert: cacert)
  }
}
