public import OfflineCache
import Synchronization

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
  /// The options are not sent to the server. They are a property of the request; on Linux, where
  /// URLSession loses properties, they are a number in a header field, which the cache removes. A
  /// session without the cache would send the number.
  public var cacheOptions: LoadOptions? {
    get { OptionsTable.number(in: self).flatMap(OptionsTable.shared.options) }
    set {
      let number = newValue.map(OptionsTable.shared.number)
      OptionsTable.set(number, in: &self)
    }
  }
}

/// The options set for requests in this process, by number. There are few distinct ones, so they
/// are never removed.
final class OptionsTable: Sendable {
  static let shared = OptionsTable()
  /// The name of the property, or of the header field where there are no properties.
  static let fieldName = "Offread-Load-Options"

  private let known = Mutex<[LoadOptions]>([])

  private init() {}

  func number(of options: LoadOptions) -> Int {
    known.withLock { known in
      if let number = known.firstIndex(of: options) { return number }
      known.append(options)
      return known.count - 1
    }
  }

  func options(_ number: Int) -> LoadOptions? {
    known.withLock { $0.indices.contains(number) ? $0[number] : nil }
  }

  static func number(in request: URLRequest) -> Int? {
    #if canImport(FoundationNetworking)
      request.value(forHTTPHeaderField: fieldName).flatMap { Int($0) }
    #else
      URLProtocol.property(forKey: fieldName, in: request) as? Int
    #endif
  }

  static func set(_ number: Int?, in request: inout URLRequest) {
    #if canImport(FoundationNetworking)
      request.setValue(number.map { String($0) }, forHTTPHeaderField: fieldName)
    #else
      guard let copy = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else {
        return
      }
      if let number {
        URLProtocol.setProperty(number, forKey: fieldName, in: copy)
      } else {
        URLProtocol.removeProperty(forKey: fieldName, in: copy)
      }
      request = copy as URLRequest
    #endif
  }
}
