import OfflineCache
import Synchronization

#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
#else
  import Foundation
#endif

/// The cache and the options of a protocol class, and the table that finds them by the class.
///
/// Only the class of a protocol identifies its session: `canInit` is a class method that receives
/// a request, and in Swift 6.3 on Linux neither the properties of a request (already lost when an
/// `NSMutableURLRequest` becomes a `URLRequest`) nor the headers of the session's configuration
/// reach it or `startLoading`. Each pair of a cache and options therefore gets a class of its own,
/// which cannot store anything, so that a table of the process is needed.
final class CacheBinding: Sendable {
  /// The cache, which is not retained.
  weak let cache: HTTPCache?
  let options: LoadOptions
  /// The identity of the cache while it exists.
  private let id: ObjectIdentifier
  /// The session's `httpAdditionalHeaders`.
  let fields: FieldLines

  private init(_ cache: HTTPCache, _ options: LoadOptions, _ fields: FieldLines) {
    self.fields = fields
    self.cache = cache
    id = ObjectIdentifier(cache)
    self.options = options
  }

  /// Returns the options of a request: its own, or else those of the class with the policy and the
  /// time limits of the request.
  func options(for request: URLRequest) -> LoadOptions {
    if let own = request.cacheOptions { return own }
    var options = options
    options.follow(request.cachePolicy)
    options.follow(pause: request.timeoutInterval)
    return options
  }

  // MARK: The table

  private struct Table {
    /// The bindings and their classes, by class.
    var bound: [ObjectIdentifier: (binding: CacheBinding, type: CachingURLProtocol.Type)] = [:]
    /// The number of classes so far. A number is never reused for another cache, so loads of a
    /// session whose cache is closed fail.
    var classCount = 0
    /// The cache of the whole process; nil if none is registered.
    var registered: (cache: HTTPCache, binding: CacheBinding)?
  }

  private static let table = Mutex(Table())

  /// The protocol class for the cache's own sessions (`LoadSession`). It accepts every request,
  /// because it is not bound to a cache that might not handle the request; the cache is in
  /// `LoadSession.Request`.
  static let unboundClass = numberedClass(0, Void.self)

  /// Returns the binding of a protocol class; nil if it has no cache.
  static func of(_ type: CachingURLProtocol.Type) -> CacheBinding? {
    table.withLock { table in
      type == CachingURLProtocol.self
        ? table.registered?.binding : table.bound[ObjectIdentifier(type)]?.binding
    }
  }

  /// Makes this the cache of the whole process.
  static func register(_ cache: HTTPCache, _ options: LoadOptions) {
    let former = table.withLock { table in
      defer { table.registered = (cache, CacheBinding(cache, options, FieldLines())) }
      return table.registered
    }
    // Released outside the lock, because this may be the last reference.
    withExtendedLifetime(former) {}
  }

  /// Removes the cache from the process.
  /// - Returns: Whether the cache was the registered one.
  static func unregister(_ cache: HTTPCache) -> Bool {
    table.withLock { table in
      guard table.registered?.cache === cache else { return false }
      table.registered = nil
      return true
    }
  }

  /// Returns the protocol class of a cache and options, the same one for the same arguments.
  static func protocolClass(
    for cache: HTTPCache, _ options: LoadOptions, _ fields: FieldLines
  ) -> CachingURLProtocol.Type {
    let id = ObjectIdentifier(cache)
    let (type, isFirst) = table.withLock { table in
      let own = table.bound.values.filter { $0.binding.id == id && $0.binding.cache != nil }
      if let known = own.first(where: {
        $0.binding.options == options && $0.binding.fields == fields
      }) {
        return (known.type, false)
      }
      table.classCount += 1
      let type = numberedClass(table.classCount, Void.self)
      table.bound[ObjectIdentifier(type)] = (CacheBinding(cache, options, fields), type)
      return (type, own.isEmpty)
    }
    if isFirst { cache.onClose { release(id) } }
    return type
  }

  /// Removes the bindings of a cache.
  private static func release(_ id: ObjectIdentifier) {
    table.withLock { table in table.bound = table.bound.filter { $0.value.binding.id != id } }
  }

  /// Returns the protocol class of a number, which the runtime creates on demand: the binary digits
  /// become a type, an array for 1 and an optional for 0, the lowest digit innermost.
  private static func numberedClass<Digits>(
    _ rest: Int, _ digits: Digits.Type
  ) -> CachingURLProtocol.Type {
    guard rest > 0 else { return NumberedURLProtocol<Digits>.self }
    return rest % 2 == 1
      ? numberedClass(rest / 2, [Digits].self) : numberedClass(rest / 2, Digits?.self)
  }
}

/// The protocol class of one number.
private final class NumberedURLProtocol<Digits>: CachingURLProtocol {}
