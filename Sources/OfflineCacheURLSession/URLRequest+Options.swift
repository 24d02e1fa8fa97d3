public import OfflineCache
import Synchronization

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension URLRequest {
  /// How this one request is loaded by a cache that is installed in its session, in place of the
  /// options of `HTTPCache.install`; nil takes those.
  ///
  /// Nothing of it goes over the wire: it is a property of the request, which on Linux, where
  /// URLSession loses those, is a number in a header field that the cache takes out again. A session
  /// without the cache would send the number.
  public var cacheOptions: LoadOptions? {
    get { OptionsTable.number(in: self).flatMap(OptionsTable.shared.options) }
    set {
      let number = newValue.map(OptionsTable.shared.number)
      OptionsTable.set(number, in: &self)
    }
  }
}

/// The options that requests of this process have asked for, by number. There are few different
/// ones, so none are ever dropped.
final class OptionsTable: Sendable {
  static let shared = OptionsTable()
  /// The header field, where there are no properties.
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
