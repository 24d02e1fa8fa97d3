import Foundation
import DOM
import OfflineCache
import Pages

/// A file that a load found instead of a page.
struct OfferedFile {
  var offer: FileOffer
  /// The content; nil until it has been received.
  var attachment: Attachment?
  /// Whether the load continues and will report the content.
  var isStillLoading = false
  /// Whether the file is the response to a request with content, which must not be sent again.
  var requestHasContent = false
  /// The date when the content was saved; nil if a server sent it now.
  var savedDate: Date?

  /// Creates the file from the report of a load; nil if the report is not about a file. The name
  /// that the server suggests takes precedence over that of the link.
  init?(_ event: LoadEvent, of request: LoadRequest) {
    self.init(reported: event, of: request)
    if offer.name.isEmpty { offer.name = request.suggestedName }
  }

  private init?(reported event: LoadEvent, of request: LoadRequest) {
    switch event {
    case .offered(let offer):
      self.offer = offer
      isStillLoading = true
      requestHasContent = request.content != nil
    case .failed(.tooLarge(let url, _, _), _):
      // Content that exceeds the limit for pages can be written to a file as it is received.
      guard request.content == nil, url.isWebURL else { return nil }
      offer = FileOffer(url: url)
    case .failed(_, let explanation):
      guard let attachment = explanation.attachment, explanation.errorStatus == nil,
        let offer = FileOffer(attachment)
      else { return nil }
      self.offer = offer
      self.attachment = attachment
      if case .saved = explanation.provenance.source {
        savedDate = explanation.provenance.contentDate
      }
    case .progressed, .asking, .began, .loaded, .newer, .checked: return nil
    }
  }
}
