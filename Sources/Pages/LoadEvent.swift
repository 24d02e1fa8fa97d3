/// An event of a load. Any number of `progressed`, `asking` and `began` are followed by `loaded` or
/// `failed`. After a saved copy was shown, the end of its background revalidation is reported by
/// `newer` or `checked`.
package enum LoadEvent: Sendable {
  /// The number of bytes received and, if the server declared it, the total.
  case progressed(received: Int, expected: Int?)
  /// The page is not available, and the web archive at this host is queried.
  case asking(host: String)
  /// The first screens of a long page, before `loaded`; or, while web archives are queried for a
  /// page, the response that the server of the page sent.
  case began(Page)
  /// The response whose head has been received is a file to save. The load goes on, and ends with
  /// `failed`, whose explanation has the file as its attachment.
  case offered(FileOffer)
  /// A page to show.
  case loaded(Page)
  /// The background revalidation found a newer version, which is saved already; or the rest of a
  /// page was received (`Page.isArriving`).
  case newer(Page)
  /// The background revalidation ended without a newer version: nothing has changed, or it failed.
  /// The value is the provenance with the result.
  case checked(Provenance)
  /// The page is not available. The other page explains that, or is the part of the response that
  /// was received (`Page.isPartial`).
  case failed(ReaderError, explanation: Page)
}
