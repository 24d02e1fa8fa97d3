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
// a generic class by a counter made of types, which the runtime makes as they are needed.

extension HTTPCache {
  /// Makes sessions with this configuration load through the cache.
  ///
  /// Several caches, and several options of one, work side by side in one process. A delegate of
  /// URLSession cannot say what it has used up, so content queues up in front of a slow one;
  /// `start` keeps that below about 1 MB.
  public func install(
    in configuration: URLSessionConfiguration, options: LoadOptions = LoadOptions()
  ) {
    let own: AnyClass = BindingTable.shared.protocolClass(for: self, options)
    let others = (configuration.protocolClasses ?? []).filter {
      !($0 is CachingURLProtocol.Type)
    }
    configuration.protocolClasses = [own] + others
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
  }
}

/// A number as a type.
private protocol Slot {
  static var index: Int { get }
}

private enum FirstSlot: Slot {
  static var index: Int { 0 }
}

private enum NextSlot<Previous: Slot>: Slot {
  static var index: Int { Previous.index + 1 }
}

/// The protocol class of one slot.
private final class BoundURLProtocol<S: Slot>: CachingURLProtocol {
  override class var binding: CacheBinding? { BindingTable.shared.binding(at: S.index) }
}

/// Which cache has which slot.
private final class BindingTable: Sendable {
  static let shared = BindingTable()

  private let bindings = Mutex<[CacheBinding?]>([])

  private init() {}

  func binding(at index: Int) -> CacheBinding? {
    bindings.withLock { $0.indices.contains(index) ? $0[index] : nil }
  }

  func protocolClass(for cache: HTTPCache, _ options: LoadOptions) -> AnyClass {
    let index = bindings.withLock { bindings in
      let known = bindings.firstIndex {
        $0.map { $0.cache === cache && $0.options == options } ?? false
      }
      if let known { return known }
      let isFirst = !bindings.contains { $0?.cache === cache }
      if isFirst { cache.atClose { [weak cache] in cache.map(BindingTable.shared.release) } }
      let binding = CacheBinding(cache, options)
      if let free = bindings.firstIndex(where: { $0 == nil }) {
        bindings[free] = binding
        return free
      }
      bindings.append(binding)
      return bindings.count - 1
    }
    return Self.makeClass(FirstSlot.self, stepsLeft: index)
  }

  func release(_ cache: HTTPCache) {
    bindings.withLock { bindings in
      for index in bindings.indices where bindings[index]?.cache === cache {
        bindings[index] = nil
      }
    }
  }

  private static func makeClass<S: Slot>(_ slot: S.Type, stepsLeft: Int) -> AnyClass {
    stepsLeft == 0
      ? BoundURLProtocol<S>.self : makeClass(NextSlot<S>.self, stepsLeft: stepsLeft - 1)
  }
}
