import Foundation
import DOM
import OfflineCache
import Reader

/// A file that a load was found to give in the place of a page.
struct OfferedFile {
  var offer: FileOffer
  /// The content, once it has been received; else nil.
  var attachment: Attachment?
  /// Whether the load goes on, and will report the content.
  var isLoading = false
  /// Whether it is the response to a request with content, which must not be sent again.
  var isSent = false
  /// When the content was saved, if no server was reached for it.
  var savedDate: Date?

  /// Creates the file of a load's report; nil if the report says something else.
  init?(_ event: LoadEvent, of request: LoadRequest) {
    switch event {
    case .offered(let offer):
      self.offer = offer
      isLoading = true
      isSent = request.content != nil
    case .failed(.tooLarge(let url, _), _):
      // What is too large for a page can be written to a file as it is received.
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
