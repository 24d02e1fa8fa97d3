import FoundationNetworking
import Foundation

/// Stores load options as text in a request: in `mainDocumentURL` on Linux, and in a property of
/// `URLProtocol` elsewhere.
enum RequestOptions {
  /// The scheme of `mainDocumentURL` on Linux, and the name of the property elsewhere.
  static let name = "offread-load-options"

  #if canImport(FoundationNetworking)
    /// Returns the text of the options; nil if the request has none.
    static func text(in request: URLRequest) -> String? {
      guard let url = request.mainDocumentURL, url.scheme == name else { return nil }
      return URLComponents(url: url, resolvingAgainstBaseURL: false)?.percentEncodedQuery ?? ""
    }

    /// Sets the text of the options, or removes it if nil. On Linux, the URL that the application
    /// set as `mainDocumentURL` becomes the fragment.
    static func set(_ text: String?, in request: inout URLRequest) {
      var document = request.mainDocumentURL
      if let url = document, url.scheme == name {
        let original = URLComponents(url: url, resolvingAgainstBaseURL: false)?.fragment
        document = original.flatMap { URL(string: $0) }
      }
      guard let text else {
        request.mainDocumentURL = document
        return
      }
      var components = URLComponents()
      components.scheme = name
      components.path = "options"
      components.percentEncodedQuery = text
      components.fragment = document?.absoluteString
      request.mainDocumentURL = components.url
    }
  #else
    static func text(in request: URLRequest) -> String? {
      URLProtocol.property(forKey: name, in: request) as? String
    }

    static func set(_ text: String?, in request: inout URLRequest) {
      guard let copy = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else {
        return
      }
      if let text {
        URLProtocol.setProperty(text, forKey: name, in: copy)
      } else {
        URLProtocol.removeProperty(forKey: name, in: copy)
      }
      request = copy as URLRequest
    }
  #endif
}
