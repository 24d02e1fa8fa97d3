import Library

/// The state of the transfer of one enclosure. The state machine decides how each response and each
/// block of content changes the partial file; its owner sends the requests and writes the file.
///
/// ```
/// requesting ── 200, 206 ──> receiving ── end of the content ──> ended
///     ^    └─ another file, another range ─┐
///     └───────────── once, from the start ─┘
/// ```
///
/// Both states also change to `ended` with a failure, and `requesting` if the partial file turns
/// out to be complete (416).
package struct EnclosureMachine: Sendable, Equatable {
  /// A state of a transfer.
  package enum State: Sendable, Equatable {
    /// A request for the bytes from `offset` on was sent.
    case requesting(offset: Int64)
    /// The partial file has `length` bytes; `total` is the size of the whole file, or nil if
    /// unknown.
    case receiving(length: Int64, total: Int64?)
    /// The transfer has ended; `failure` is nil if the file is complete.
    case ended(failure: EnclosureFailure?)
  }

  /// An event of a transfer.
  package enum Event: Sendable, Equatable {
    case response(EnclosureResponse)
    /// This number of bytes was received.
    case content(Int64)
    /// The response is complete.
    case finished
    case failed(EnclosureFailure)
  }

  /// An action that the owner performs.
  package enum Action: Sendable, Equatable {
    /// Empty the partial file, and record the response from which the next bytes come.
    case begin(EnclosureResponse)
    /// Append the received bytes to the partial file.
    case append
    /// Cancel the request, empty the partial file, and request the whole file from its original
    /// URL.
    case restart
    /// Flush the partial file, and make it the complete file, which has this size.
    case complete(size: Int64)
    /// Cancel the request. The partial file remains if it can be resumed.
    case suspend
    /// Cancel the request and remove the partial file.
    case discard
  }

  /// The maximum size of the file in bytes, and the failure to report if it is exceeded.
  package struct Limit: Sendable, Equatable {
    package var maxSize: Int64
    package var failure: EnclosureFailure

    package init(maxSize: Int64, failure: EnclosureFailure) {
      (self.maxSize, self.failure) = (maxSize, failure)
    }
  }

  package private(set) var state: State
  /// The size of the file in bytes: the total or, if that is unknown, a lower bound; nil if neither
  /// is known.
  package private(set) var knownSize: Int64?
  private let limit: Limit
  /// The validator in the `If-Range` field of the request; nil if the request is for the whole
  /// file.
  private var validator: String?
  private var hasRestarted = false

  /// Creates the state after the first request was sent.
  /// - Parameters:
  ///   - offset: The number of bytes of the partial file; 0 to request the whole file.
  ///   - validator: The validator of the partial file, which `If-Range` contains; nil if there is
  ///     none.
  ///   - size: The size of the whole file according to the response that the partial file came
  ///     from; nil if it is unknown.
  ///   - limit: The maximum size.
  package init(offset: Int64, validator: String?, size: Int64?, limit: Limit) {
    state = .requesting(offset: offset)
    self.validator = validator
    knownSize = offset > 0 ? size : nil
    self.limit = limit
  }

  /// Handles an event.
  /// - Returns: The actions to perform, in order.
  package mutating func handle(_ event: Event) -> [Action] {
    switch (state, event) {
    case (.requesting(let offset), .response(let response)): return receive(response, at: offset)
    case (.receiving(let length, let total), .content(let count)):
      let (sum, hasOverflow) = length.addingReportingOverflow(count)
      guard !hasOverflow, sum <= limit.maxSize else {
        return failBecauseTooLarge(hasOverflow ? .max : sum)
      }
      state = .receiving(length: sum, total: total)
      return [.append]
    case (.receiving(let length, let total), .finished):
      if let total, length != total { return end(.incomplete, [.suspend]) }
      guard length > 0 else { return end(.incomplete, [.discard]) }
      knownSize = length
      return end(nil, [.complete(size: length)])
    case (_, .failed(let failure)) where !isEnded: return end(failure, [.suspend])
    case (.requesting, .finished): return end(.incomplete, [.suspend])
    case (.requesting, .content), (.receiving, .response), (.ended, _), (.receiving, .failed),
      (.requesting, .failed):
      return []
    }
  }

  /// Whether the transfer has ended.
  package var isEnded: Bool {
    if case .ended = state { true } else { false }
  }

  private mutating func receive(_ response: EnclosureResponse, at offset: Int64) -> [Action] {
    switch response.status {
    case 200:
      // The page of a captive portal must not cause received bytes to be discarded.
      if let failure = refusal(of: response, at: offset) {
        return end(failure, [offset > 0 ? .suspend : .discard])
      }
      return begin(response)
    case 206:
      guard offset > 0, let part = response.part, part.start == offset,
        validator.map({ continues(response, $0) }) ?? false,
        knownSize == nil || part.total == nil || part.total == knownSize
      else { return restart() }
      let totalSize = part.total ?? knownSize
      if let totalSize, totalSize > limit.maxSize { return failBecauseTooLarge(totalSize) }
      knownSize = totalSize
      state = .receiving(length: offset, total: totalSize)
      return []
    case 416 where offset > 0 && offset == knownSize && response.totalOfUnsatisfiable == offset:
      return end(nil, [.complete(size: offset)])
    case 400..<500 where offset > 0:
      // The URL from which the partial file came may have expired.
      return response.isBusy ? end(.status(response.status), [.suspend]) : restart()
    case let status:
      let failure = EnclosureFailure.status(status)
      return end(failure, failure.isTransient ? [.suspend] : [.discard])
    }
  }

  private mutating func begin(_ response: EnclosureResponse) -> [Action] {
    if let length = response.length, length > limit.maxSize { return failBecauseTooLarge(length) }
    knownSize = response.length
    validator = nil
    state = .receiving(length: 0, total: response.length)
    return [.begin(response)]
  }

  /// Returns whether a partial response continues the file to which a validator belongs. A server
  /// that supports `If-Range` sends the same validator; one that ignores the field may send a range
  /// of another file.
  private func continues(_ response: EnclosureResponse, _ validator: String) -> Bool {
    (response.validator ?? response.entityTag).map { $0 == validator } ?? true
  }

  /// Returns the failure if a page was sent instead of a file, for example by a captive portal; nil
  /// if the response may be the file. Servers declare unknown files as plain text, but such a
  /// response must not cause received bytes to be discarded.
  private func refusal(of response: EnclosureResponse, at offset: Int64) -> EnclosureFailure? {
    guard let type = response.mediaType, EnclosureRecord.kind(of: type) == nil,
      type != "application/octet-stream", type != "binary/octet-stream",
      !response.isPlainText || offset > 0
    else { return nil }
    return .unsupportedMediaType(type)
  }

  private mutating func restart() -> [Action] {
    guard !hasRestarted else { return end(.changed, [.discard]) }
    hasRestarted = true
    (validator, knownSize) = (nil, nil)
    state = .requesting(offset: 0)
    return [.restart]
  }

  private mutating func failBecauseTooLarge(_ size: Int64) -> [Action] {
    knownSize = max(size, knownSize ?? 0)
    return end(limit.failure, [.discard])
  }

  private mutating func end(_ failure: EnclosureFailure?, _ actions: [Action]) -> [Action] {
    state = .ended(failure: failure)
    return actions
  }
}

extension EnclosureResponse {
  /// Whether the server asks the client to try again later.
  fileprivate var isBusy: Bool { [408, 425, 429].contains(status) }
}
