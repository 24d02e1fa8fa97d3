import Foundation
import Synchronization

/// The network thread. All libcurl handles are used only on this thread; other threads post
/// commands and wake it.
///
/// `@unchecked Sendable`: `multi` and `transfers` are used only on the loop's own thread, except
/// for `CurlMulti.wakeUp`, which libcurl allows on any thread while the handle is open.
final class CurlLoop: @unchecked Sendable {
  enum Command {
    case add(CurlExchange, @Sendable (TransportEvent) -> Void)
    case resume(CurlExchange)
    case resumeSending(CurlExchange)
    case cancel(CurlExchange)
    case limit(Int)
  }

  private struct Mailbox {
    var commands: [Command] = []
    var phase = Phase.idle
  }

  private enum Phase {
    /// No request was posted yet, so there is no thread.
    case idle
    /// The thread performs commands.
    case running
    /// The thread cancels all transfers and ends.
    case stopping
    /// There is no thread any more.
    case stopped

    /// The phase after a request to stop.
    var stopping: Phase {
      switch self {
      case .running, .stopping: .stopping
      case .idle, .stopped: .stopped
      }
    }
  }

  private let mailbox = Mutex(Mailbox())
  /// Whether the handle is open and may be woken. The lock is held while waking the handle.
  private let isOpen = Mutex(true)
  private let stopSignal = DispatchSemaphore(value: 0)
  private let multi = CurlMulti()
  private let identity: Identity
  private let addresses: CurlAddresses
  private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
  private var maxConnectionsPerHost: Int

  init(_ identity: Identity, maxConnectionsPerHost: Int, addresses: CurlAddresses) {
    self.identity = identity
    self.addresses = addresses
    self.maxConnectionsPerHost = maxConnectionsPerHost
    multi?.limit(maxConnectionsPerHost: maxConnectionsPerHost)
  }

  func post(_ command: Command) {
    let (isAccepted, isFirst) = mailbox.withLock { mailbox in
      guard [.idle, .running].contains(mailbox.phase), multi != nil else { return (false, false) }
      mailbox.commands.append(command)
      guard mailbox.phase == .running else {
        mailbox.phase = .running
        let thread = Thread { self.run() }
        thread.name = "offread-network"
        thread.start()
        return (true, false)
      }
      return (true, mailbox.commands.count == 1)
    }
    // If other commands are pending, the loop has already been woken. `wakeUp` must not be called
    // while the mailbox is locked, because the loop locks the mailbox next.
    if isFirst { wakeUp() }
    if !isAccepted, case .add(_, let receive) = command {
      receive(.failed(TransportFailure(.cancelled, "the transport is closed")))
    }
  }

  func stop() {
    let former = mailbox.withLock { mailbox in
      defer { mailbox.phase = mailbox.phase.stopping }
      return mailbox.phase
    }
    switch former {
    case .idle: close()
    case .running: wakeUp()
    case .stopping, .stopped: break
    }
  }

  private func wakeUp() {
    isOpen.withLock { isOpen in
      if isOpen { multi?.wakeUp() }
    }
  }

  private func close() {
    isOpen.withLock { $0 = false }
    multi?.close()
  }

  func waitUntilStopped() {
    guard mailbox.withLock(\.phase) != .stopped else { return }
    stopSignal.wait()
    stopSignal.signal()
  }

  // MARK: On the loop's thread

  private func run() {
    while true {
      let (commands, isStopping) = mailbox.withLock { mailbox in
        let commands = mailbox.commands
        mailbox.commands = []
        return (commands, mailbox.phase == .stopping)
      }
      commands.forEach(perform)
      guard !isStopping else { break }
      multi?.perform()
      finishTransfers()
      multi?.wait(milliseconds: checkClocks())
    }
    for transfer in transfers.values {
      transfer.end(TransportFailure(.cancelled, "the transport is closed"))
      multi?.remove(transfer.easy)
    }
    transfers = [:]
    close()
    mailbox.withLock { $0.phase = .stopped }
    stopSignal.signal()
  }

  private func perform(_ command: Command) {
    switch command {
    case .add(let exchange, let receive):
      guard
        let transfer = CurlTransfer(
          exchange, identity: identity, addresses: addresses, receive: receive)
      else {
        return
      }
      add(transfer)
    case .resume(let exchange):
      guard let transfer = transfers[ObjectIdentifier(exchange)] else { return }
      transfer.resume()
      if transfer.isOver { remove(transfer) }
    case .resumeSending(let exchange): transfers[ObjectIdentifier(exchange)]?.resumeSending()
    case .cancel(let exchange):
      guard let transfer = transfers[ObjectIdentifier(exchange)] else { return }
      transfer.end(TransportFailure(.cancelled, "cancelled"))
      remove(transfer)
    case .limit(let count):
      maxConnectionsPerHost = count
      multi?.limit(maxConnectionsPerHost: count)
    }
  }

  private func add(_ transfer: CurlTransfer) {
    transfers[ObjectIdentifier(transfer.exchange)] = transfer
    guard multi?.add(transfer.easy) != true else { return }
    transfer.end(TransportFailure(.other, "libcurl accepts no more requests"))
    transfers[ObjectIdentifier(transfer.exchange)] = nil
  }

  private func finishTransfers() {
    while let (isOf, result) = multi?.nextResult() {
      guard let transfer = transfers.values.first(where: { isOf($0.easy) }) else { continue }
      transfer.didEnd(result)
      if transfer.needsRestart { restart(transfer) } else if transfer.isOver { remove(transfer) }
    }
  }

  /// Sends the request of a transfer again in another way, because libcurl cannot receive the
  /// response otherwise.
  private func restart(_ transfer: CurlTransfer) {
    remove(transfer)
    guard let next = transfer.restarted(identity: identity, addresses: addresses) else { return }
    add(next)
  }

  /// Ends the transfers that have exceeded a time limit.
  /// - Returns: The number of milliseconds until the next time limit.
  private func checkClocks() -> Int32 {
    let now = Self.now
    var next = now + 60
    for transfer in transfers.values { transfer.recordSent(at: now) }
    let full = saturatedOrigins()
    for transfer in transfers.values {
      if full.contains(transfer.origin) { transfer.recordWaiting(at: now) }
      if let failure = transfer.clock.expiryFailure(at: now) {
        transfer.end(failure)
        remove(transfer)
      } else {
        next = min(next, transfer.clock.deadline)
      }
    }
    return Int32(max(0, min(60_000, ((next - now) * 1000).rounded(.up))))
  }

  /// Returns the origins that have the maximum number of running requests. Other requests to these
  /// origins wait for a connection; the wait does not count against their connection timeout.
  private func saturatedOrigins() -> Set<String> {
    guard maxConnectionsPerHost > 0, transfers.count > maxConnectionsPerHost else { return [] }
    var counts: [String: Int] = [:]
    for transfer in transfers.values where transfer.clock.isSent {
      counts[transfer.origin, default: 0] += 1
    }
    return Set(counts.filter { $0.value >= maxConnectionsPerHost }.keys)
  }

  private func remove(_ transfer: CurlTransfer) {
    multi?.remove(transfer.easy)
    transfers[ObjectIdentifier(transfer.exchange)] = nil
  }

  static var now: TimeInterval {
    TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1e9
  }
}
