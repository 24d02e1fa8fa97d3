public import OfflineCache
import Synchronization

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

// URLSession knows only the class of a protocol, and on Linux nothing of a configuration reaches
// `startLoading`. Each pair of a cache and options therefore gets a class of its own: a
// specialization of a generic class by a type-level number, which the runtime creates on demand. A
// number is never reused for another cache, so loads of a session whose cache is closed fail.

extension HTTPCache {
  /// Makes sessions with this configuration load through the cache.
  ///
  /// Several caches, and several options of one cache, can be used in one process at the same time.
  /// While the delegate of a session is slow, at most about 2 MB of content is buffered. The
  /// content for a completion handler is held in memory; see `CachingURLProtocol`.
  ///
  /// The sessions do not retain the cache. When the cache is closed or deallocated, the loads of
  /// the sessions fail.
  /// - Parameters: - configuration: The configuration, in which the cache's protocol is put before
  ///   all others. Sessions created from it before are not affected. Its current
  ///   `httpAdditionalHeaders` are sent too. Its cookie storage is removed, because the cache
  ///   manages cookies itself (`Identity`), and so is its URL cache. Its
  ///   `httpMaximumConnectionsPerHost`, unless it is the system's 6, applies to the whole cache. -
  ///   options: The options of requests that have none of their own (`URLRequest.cacheOptions`). If
  ///   no mode was chosen, the configuration's current `requestCachePolicy` determines it. The
  ///   configuration's `timeoutIntervalForRequest` and `timeoutIntervalForResource`, unless they
  ///   are the system's 60 s and 7 days or not positive, become the limits for a pause and for the
  ///   whole load.
  public func install(
    in configuration: URLSessionConfiguration, options: LoadOptions = LoadOptions()
  ) {
    var options = options
    if !options.isModeChosen { options.follow(configuration.requestCachePolicy) }
    options.follow(
      pause: configuration.timeoutIntervalForRequest,
      total: configuration.timeoutIntervalForResource)
    let connections = configuration.httpMaximumConnectionsPerHost
    if connections != SessionDefaults.connectionsPerHost {
      limit(maxConnectionsPerHost: connections)
    }
    let own: AnyClass = BindingTable.shared.protocolClass(
      for: self, options, FieldLines(configuration.httpAdditionalHeaders ?? [:]))
    uninstall(from: configuration)
    configuration.protocolClasses = [own] + (configuration.protocolClasses ?? [])
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
  }

  /// Removes the protocol of this or another cache from a configuration.
  /// - Parameter configuration: The configuration. Sessions created from it afterwards load without
  ///   a cache; existing ones are not affected.
  public func uninstall(from configuration: URLSessionConfiguration) {
    configuration.protocolClasses?.removeAll { $0 is CachingURLProtocol.Type }
  }
}

extension HTTPCache {
  /// Makes this the cache of the whole process. `CachingURLProtocol` uses it wherever the class was
  /// added manually; on Apple platforms, so does every session.
  ///
  /// On Linux, sessions use registered classes only for URLs that they cannot load themselves, so
  /// each configuration needs the class or `install`. The process retains the cache until
  /// `unregister()` and releases one that was registered before.
  /// - Parameter options: The options of requests without options of their own.
  public func register(options: LoadOptions = LoadOptions()) {
    BindingTable.shared.register(self, options)
    _ = URLProtocol.registerClass(CachingURLProtocol.self)
  }

  /// Unregisters the cache and releases it, if it is the one that is registered.
  public func unregister() {
    guard BindingTable.shared.unregister(self) else { return }
    URLProtocol.unregisterClass(CachingURLProtocol.self)
  }
}

extension FieldLines {
  /// Creates fields from the headers of a session's configuration, sorted by name.
  fileprivate init(_ headers: [AnyHashable: Any]) {
    self.init(
      headers.compactMap { name, value in
        (name.base as? String).map { Field($0, String(describing: value)) }
      }.sorted { $0.name < $1.name })
  }
}

/// A number represented as a type, bit by bit.
private protocol Slot {
  static var index: Int { get }
}

private enum ZeroSlot: Slot {
  static var index: Int { 0 }
}

/// The number `2 * Half`.
private enum EvenSlot<Half: Slot>: Slot {
  static var index: Int { 2 * Half.index }
}

/// The number `2 * Half + 1`.
private enum OddSlot<Half: Slot>: Slot {
  static var index: Int { 2 * Half.index + 1 }
}

/// The protocol class of one slot.
private final class BoundURLProtocol<S: Slot>: CachingURLProtocol {
  override class var binding: CacheBinding? { BindingTable.shared.binding(at: S.index) }
  override class var reasonWithoutBinding: LoadError { .closed }
}

/// The table of caches and their slots.
final class BindingTable: Sendable {
  static let shared = BindingTable()
  /// The error message if a class that was added manually has no cache.
  static let missingCacheMessage = "CachingURLProtocol has no cache: call HTTPCache.register()"

  private struct State {
    var bindings: [Int: CacheBinding] = [:]
    var count = 0
    var registered: (cache: HTTPCache, binding: CacheBinding)?
  }

  private let state = Mutex(State())

  /// The protocol class for the cache's own sessions (`LoadSession`). It accepts every request,
  /// because it is not bound to a cache that might not handle the request; the cache is in
  /// `LoadSession.Request`.
  static var unboundClass: AnyClass { BoundURLProtocol<ZeroSlot>.self }

  private init() {}

  func binding(at index: Int) -> CacheBinding? {
    state.withLock { $0.bindings[index] }
  }

  /// The binding of the cache of the whole process; nil if none is registered.
  var registered: CacheBinding? { state.withLock { $0.registered?.binding } }

  func register(_ cache: HTTPCache, _ options: LoadOptions) {
    let former = state.withLock { state in
      defer { state.registered = (cache, CacheBinding(cache, options, FieldLines())) }
      return state.registered
    }
    // Released outside the lock, because this may be the last reference.
    withExtendedLifetime(former) {}
  }

  /// Removes the cache from the process.
  /// - Returns: Whether the cache was the registered one.
  func unregister(_ cache: HTTPCache) -> Bool {
    state.withLock { state in
      guard state.registered?.cache === cache else { return false }
      state.registered = nil
      return true
    }
  }

  func protocolClass(
    for cache: HTTPCache, _ options: LoadOptions, _ fields: FieldLines
  ) -> AnyClass {
    let id = ObjectIdentifier(cache)
    let (index, isFirst) = state.withLock { state in
      let own = state.bindings.filter { $0.value.id == id && $0.value.cache != nil }
      if let known = own.first(where: {
        $0.value.options == options && $0.value.fields == fields
      }) {
        return (known.key, false)
      }
      state.count += 1
      state.bindings[state.count] = CacheBinding(cache, options, fields)
      return (state.count, own.isEmpty)
    }
    if isFirst { cache.onClose { self.release(id) } }
    var digits: [Bool] = []
    var rest = index
    while rest > 0 {
      digits.append(rest % 2 == 1)
      rest /= 2
    }
    return Self.makeClass(ZeroSlot.self, digits[...])
  }

  /// Removes the bindings of a cache.
  private func release(_ id: ObjectIdentifier) {
    state.withLock { state in state.bindings = state.bindings.filter { $0.value.id != id } }
  }

  /// Returns the protocol class for a slot number.
  /// - Parameters:
  ///   - slot: The leading bits of the number.
  ///   - digits: The remaining bits, the lowest first.
  /// - Returns: The class; each call with the same number returns the same class.
  private static func makeClass<S: Slot>(_ slot: S.Type, _ digits: ArraySlice<Bool>) -> AnyClass {
    guard let isOdd = digits.last else { return BoundURLProtocol<S>.self }
    return isOdd
      ? makeClass(OddSlot<S>.self, digits.dropLast())
      : makeClass(EvenSlot<S>.self, digits.dropLast())
  }
}
