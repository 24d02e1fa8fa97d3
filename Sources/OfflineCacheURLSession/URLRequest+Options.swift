public import OfflineCache

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension URLRequest {
  /// The options with which a cache installed in the session loads this request, instead of the
  /// options of `HTTPCache.install`; nil to use those.
  ///
  /// The options are a part of the request, and are never sent to a server, whatever loads the
  /// request. On Linux, where URLSession loses the properties of a request, they are a prefix of
  /// `mainDocumentURL`, which URLSession does not use there.
  public var cacheOptions: LoadOptions? {
    get { RequestOptions.text(in: self).flatMap { LoadOptions(text: $0) } }
    set { RequestOptions.set(newValue?.text, in: &self) }
  }
}
