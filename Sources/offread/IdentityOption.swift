/// The names of the options for cookies, passwords and certificates.
enum IdentityOption: String, CaseIterable {
  case cookies, netrc
  case netrcFile = "netrc-file"
  case cert, key, cacert
}
