import Dispatch
import Foundation
import Synchronization

/// A running load, as returned by `HTTPCache.load`: performs the actions of a `FetchMachine`.
///
/// The state of the load is used on its own serial queue only, because actions block on the
/// archive. The lock is therefore never contended; the receiver of the events is called while the
/// lock is held.
public final class FetchTask: Sendable {
  let queue = DispatchQueue(label: "offread.load", target: .global())
  private let context: Mutex<FetchContext>
  private let activity = Atomic(DispatchTime.now().uptimeNanoseconds)

  init(
    _ step: RedirectStep, cache: HTTPCache, acknowledgesManually: Bool,
    receive: @escaping @Sendable (CacheEvent) -> Void
  ) {
    context = Mutex(
      FetchContext(
        step, cache: cache, acknowledgesManually: acknowledgesManually, receive: receive))
    context.withLock { $0.task = self }
  }

  /// Stops the load; no event follows. If a copy was already served, its background revalidation
  /// continues.
  public func cancel() {
    perform { $0.handle(.cancelled) }
  }

  /// Stops the background revalidation of the copy that is served, if there is one; the copy is
  /// still delivered. The result is reported only if it is known already.
  func stopRevalidation() {
    perform { $0.handle(.revalidationStopped) }
  }

  /// Stops the load and any background revalidation.
  func abort() {
    perform { $0.handle(.aborted) }
  }

  /// Acknowledges that the client consumed `count` bytes of `data`; see `HTTPCache.load`.
  package func acknowledge(_ count: Int) {
    perform { $0.handleAcknowledgment(count) }
  }

  /// Reports whether a connection to the server is established; see `RunningRequest`.
  package func checkConnection(_ report: @escaping @Sendable (Bool) -> Void) {
    perform { context in
      guard let exchange = context.exchange else { return report(false) }
      exchange.subscription.checkConnection(report)
    }
  }

  /// Starts the load. If `here` is true, it starts on the thread of the caller, which must be
  /// allowed to block on the archive; this avoids waking another thread.
  func start(here: Bool) {
    if here {
      queue.sync { performNow { $0.begin() } }
    } else {
      perform { $0.begin() }
    }
  }

  /// Fails the load before it begins, because the cache is closed.
  func refuse() {
    perform { $0.fail(.closed) }
  }

  /// Calls a function with the state, on the queue.
  func perform(_ body: @escaping @Sendable (inout FetchContext) -> Void) {
    queue.async { self.performNow(body) }
  }

  /// Calls a function with the state; must be called on the queue.
  func performNow(_ body: @Sendable (inout FetchContext) -> Void) {
    context.withLock { body(&$0) }
  }

  /// The time at which data was last received from the server or, before that, at which the load
  /// was created.
  var lastActivity: DispatchTime {
    DispatchTime(uptimeNanoseconds: activity.load(ordering: .relaxed))
  }

  func recordActivity() {
    activity.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
  }
}
