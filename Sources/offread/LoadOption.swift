/// The names of the options of all commands that load pages.
enum LoadOption: String, CaseIterable {
  case dataDirectory = "data-dir"
  case mode, offline
  case noFallback = "no-fallback"
  case respectNoStore = "respect-no-store"
  case copy, patience
  case connectTimeout = "connect-timeout"
  case timeout, log
}
