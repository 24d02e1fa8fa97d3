/// The names of the options of `fetch` besides those of all commands that load pages.
enum FetchOption: String, CaseIterable {
  case head = "i"
  case headOnly = "I"
  case method = "X"
  case field = "H"
  case content = "data"
  case user = "u"
  case maxRedirects = "max-redirects"
  case output = "o"
  case verbose = "v"
}
