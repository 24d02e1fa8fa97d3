public import OfflineCache
import Synchronization

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

// URLSession knows only the class of a protocol, and on Linux nothing of a configuration reaches
// `startLoading`. So every pair of a cache and options gets a class of its own: a specialisation of
// a generic class by a number made of types, which the runtime makes as they are needed. A number is
// never given to another cache, so a session of a cache that is closed loads nothing any more.

extension HTTPCache {
  /// Makes sessions with this configuration load through the cache.
  ///
  /// Several caches, and several options of one, work side by side in one process. A delegate of
  /// URLSession cannot say what it has used up, so content queues up in front of a slow one;
  /// `startInSession` keeps that below about 1 MB.
  ///
  /// The sessions do not keep the cache: whoever made it does. When it is closed, or let go, their loads
  /// fail.
  /// - Parameters:
  ///   - configuration: gets the cache's protocol before the others it has; a session that was made of it
  ///     before is as it was. Its `httpAdditionalHeaders` go along as they are now; its cookie storage is
  ///     taken out, since the cache has cookies of its own (`Identity`), and its URL cache. What it says
  ///     of `httpMaximumConnectionsPerHost` holds for all of the cache, unless it is the system's 6.
  ///   - options: how requests are loaded that have none of their own (`URLRequest.cacheOptions`).
  ///     Without a mode, the configuration's `requestCachePolicy` gives it, as it is now. Where its
  ///     `timeoutIntervalForRequest` and `timeoutIntervalForResource` are not the system's 60 s and 7 days,
  ///     they are the limits for a pause and for the whole.
  public func install(
    in configuration: URLSessionConfiguration, options: LoadOptions = LoadOptions()
  ) {
    var options = options
    if !options.isModeChosen { options.follow(configuration.requestCachePolicy) }
    options.follow(
      pause: configuration.timeoutIntervalForRequest,
      total: configuration.timeoutIntervalForResource)
    let connections = configuration.httpMaximumConnectionsPerHost
    if connections != SessionDefaults.connectionsPerHost { limit(connectionsPerHost: connections) }
    let own: AnyClass = BindingTable.shared.protocolClass(
      for: self, options, FieldLines(configuration.httpAdditionalHeaders ?? [:]))
    uninstall(from: configuration)
    configuration.protocolClasses = [own] + (configuration.protocolClasses ?? [])
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
  }

  /// Takes the protocol of this or another cache out of a configuration.
  /// - Parameter configuration: sessions that are made of it from now on load without a cache; those that
  ///   were made before are as they were.
  public func uninstall(from configuration: URLSessionConfiguration) {
    configuration.protocolClasses?.removeAll { $0 is CachingURLProtocol.Type }
  }
}

extension HTTPCache {
  /// Makes this the cache of the whole process: the one of `CachingURLProtocol` wherever that was put by hand,
  /// and on systems of Apple's of every session. On Linux sessions ask registered classes only for what they
  /// cannot load themselves: there each configuration needs the class, or `install`. The process keeps the
  /// cache until `unregister()`; one that was registered before is let go.
  /// - Parameter options: how requests are loaded that have none of their own.
  public func register(options: LoadOptions = LoadOptions()) {
    BindingTable.shared.register(self, options)
    _ = URLProtocol.registerClass(CachingURLProtocol.self)
  }

  /// Lets go of the cache, if it is the one that was registered.
  public func unregister() {
    guard BindingTable.shared.unregister(self) else { return }
    URLProtocol.unregisterClass(CachingURLProtocol.self)
  }
}

extension FieldLines {
  /// The headers of a session's configuration, sorted by their names.
  fileprivate init(_ headers: [AnyHashable: Any]) {
    self.init(
      headers.compactMap { name, value in
        (name.base as? String).map { Field($0, String(describing: value)) }
      }.sorted { $0.name < $1.name })
  }
}

/// A number as a type, digit by digit.
private protocol Slot {
  static var index: Int { get }
}

private enum ZeroSlot: Slot {
  static var index: Int { 0 }
}

/// Twice another number.
private enum EvenSlot<Half: Slot>: Slot {
  static var index: Int { 2 * Half.index }
}

/// Twice another number and one.
private enum OddSlot<Half: Slot>: Slot {
  static var index: Int { 2 * Half.index + 1 }
}

/// The protocol class of one slot.
private final class BoundURLProtocol<S: Slot>: CachingURLProtocol {
  override class var binding: CacheBinding? { BindingTable.shared.binding(at: S.index) }
  override class var reasonWithoutBinding: LoadError { .closed }
}

/// Which cache has which slot.
final class BindingTable: Sendable {
  static let shared = BindingTable()
  /// Why a class that was put somewhere by hand loads nothing.
  static let missing = "CachingURLProtocol has no cache: HTTPCache.register() gives it one"

  private struct State {
    var bindings: [Int: CacheBinding] = [:]
    var count = 0
    var registered: (cache: HTTPCache, binding: CacheBinding)?
  }

  private let state = Mutex(State())

  private init() {}

  func binding(at index: Int) -> CacheBinding? {
    state.withLock { $0.bindings[index] }
  }

  /// The binding of the cache of the whole process.
  var registered: CacheBinding? { state.withLock { $0.registered?.binding } }

  func register(_ cache: HTTPCache, _ options: LoadOptions) {
    let former = state.withLock { state in
      defer { state.registered = (cache, CacheBinding(cache, options, FieldLines())) }
      return state.registered
    }
    // Not under the lock: it may be the last that keeps it.
    withExtendedLifetime(former) {}
  }

  /// - Returns: whether it was this one.
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
    if isFirst { cache.atClose { self.release(id) } }
    var digits: [Bool] = []
    var rest = index
    while rest > 0 {
      digits.append(rest % 2 == 1)
      rest /= 2
    }
    return Self.makeClass(ZeroSlot.self, digits[...])
  }

  /// Lets go of the bindings of a cache.
  private func release(_ id: ObjectIdentifier) {
    state.withLock { state in state.bindings = state.bindings.filter { $0.value.id != id } }
  }

  /// The class of a number.
  /// - Parameters:
  ///   - slot: its first digits.
  ///   - digits: those that are left, the lowest first.
  /// - Returns: the class, the same one each time.
  private static func makeClass<S: Slot>(_ slot: S.Type, _ digits: ArraySlice<Bool>) -> AnyClass {
    guard let isOdd = digits.last else { return BoundURLProtocol<S>.self }
    return isOdd
      ? makeClass(OddSlot<S>.self, digits.dropLast())
      : makeClass(EvenSlot<S>.self, digits.dropLast())
  }
}
