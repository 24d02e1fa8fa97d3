package import OfflineCache

/// An error of a load, classified by what the user can do about it.
package enum ReaderError: Error, Sendable, Equatable {
  /// The text is not a valid URL.
  case invalidURL(String)
  /// The text is a file name. If `exists`, the file exists, but the context requires a web page;
  /// otherwise, there is no such file.
  case noFile(String, exists: Bool)
  /// offread does not support the scheme.
  case unsupportedScheme(String)
  /// A web page links to a local file or a built-in page.
  case forbiddenTarget(String)
  /// There was no complete response, and no copy is saved.
  case unreachable(url: String, TransportFailure)
  /// There was no complete response, and saved copies were excluded.
  case noResponse(url: String, TransportFailure)
  /// No saved version matches the request.
  case noSuchVersion(url: String, CopySelection)
  /// No web archive has the page; the values are the messages for each archive.
  case notInArchives(url: String, [String])
  /// Rendering the page in a browser failed; the value is the reason.
  case notRendered(url: String, String)
  /// The method requires the network, which was excluded.
  case needsNetwork(url: String, method: String)
  /// The page is not saved, and the network was excluded. If `isStrict`, a copy may be saved, but
  /// saved copies were excluded as well.
  case notSaved(url: String, isStrict: Bool = false)
  /// The server responded with an error status, and no copy is saved.
  case status(url: String, Int)
  /// The saved copy cannot be read.
  case archive(url: String, ArchiveError)
  /// The built-in page does not exist, or the built-in pages are not installed.
  case noBuiltInPage(url: String)
  /// The content is not text; it can be written to a file. `reason` is the reason why no text was
  /// extracted, or empty.
  case notText(url: String, mediaType: String, length: Int, reason: String = "")
  /// The content exceeds the size limit, which the message of the failure names.
  /// `isSavable` is false if it was not received because of `size_limit`.
  case tooLarge(url: String, TransportFailure, isSavable: Bool = true)
  /// A local file cannot be read; the value is the reason.
  case unreadableFile(path: String, String)
  /// A setting, option or path is wrong; the value is the message.
  case usage(String)
}
