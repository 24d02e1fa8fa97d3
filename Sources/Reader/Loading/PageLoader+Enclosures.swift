import ReaderMode
import Profiles
import Pages
import Library
import OfflineCache

/// Serves the enclosures of feeds from their files once these have been downloaded.
extension PageLoader {
  /// Returns the event for the URL of an enclosure whose file has been downloaded. The file is not
  /// requested again, and another program shows it.
  /// - Parameters:
  ///   - url: The URL.
  ///   - request: The request, which may ask for the response of the server.
  /// - Returns: The event; nil if there is no such file, or if the request must not use it.
  func storedEnclosure(at url: WebURL, for request: LoadRequest) -> LoadEvent? {
    let store = profile.enclosures
    guard url.isWeb, request.content == nil, !request.isRendered, request.mementoDate == nil,
      request.view != .source, !request.options.isReload, request.options.copy == .latest,
      let contents = try? store.contents(
        url: url.withoutFragment.withoutCredentials.description),
      let record = contents.records.first(where: store.isReady),
      let length = record.size.flatMap({ Int(exactly: $0) })
    else { return nil }
    let date = store.dateOfFile(of: record)
    var attachment = Attachment(
      url: record.url, mediaType: record.mediaType, length: length, date: date)
    attachment.storedPath = store.path(of: record)
    let page = AttachmentPage(attachment: attachment, keyNames: keyNames).page(
      requestedURL: DocumentAddress(request.target),
      provenance: Provenance(source: .saved(.preferred), contentDate: date))
    return .failed(
      .notText(url: record.url, mediaType: record.mediaType, length: length, reason: ""),
      explanation: page)
  }
}
