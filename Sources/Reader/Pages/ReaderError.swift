package import OfflineCache

/// What can go wrong for a reader, by what the reader can do about it.
package enum ReaderError: Error, Sendable, Equatable {
  /// The words are no address.
  case notAnAddress(String)
  /// The words are the name of a file: there is none, or files are not what is wanted.
  case noFile(String, isThere: Bool)
  /// The scheme is not one that offread reads.
  case unsupportedScheme(String)
  /// A page of the web asked for a local file or a built-in page.
  case forbiddenTarget(String)
  /// No complete answer came, and nothing is saved.
  case unreachable(url: String, TransportFailure)
  /// No complete answer came, and saved copies were not to be shown.
  case unanswered(url: String, TransportFailure)
  /// No saved version is the one that was asked for.
  case noSuchVersion(url: String, CopySelection)
  /// No archive of the web gave the page, with the words of each.
  case notInArchives(url: String, [String])
  /// No browser has made the text of the page, and why.
  case notRendered(url: String, String)
  /// The method needs a server, and the network was not to be asked.
  case needsNetwork(url: String, method: String)
  /// Offline was asked for, and nothing is saved.
  case notSaved(url: String, isStrict: Bool = false)
  /// The server answered with an error status and nothing is saved.
  case status(url: String, Int)
  /// A saved copy cannot be read.
  case archive(url: String, ArchiveError)
  /// There is no built-in page of this name, or the built-in pages are not installed.
  case noBuiltInPage(url: String)
  /// The content is not text; it can be saved.
  case notText(url: String, mediaType: String, length: Int, why: String = "")
  /// The content is larger than what is taken; the failure's message names the limit.
  case tooLarge(url: String, TransportFailure)
  /// A local file cannot be read, with the system's words.
  case unreadableFile(path: String, String)
  /// A setting, option or path is wrong; the text says what to do.
  case usage(String)
}
