import Foundation

extension StoredResponse.Check.Result {
  /// The result as one line, for a record or an index row.
  var text: String {
    switch self {
    case .unchanged: "unchanged"
    case .replaced: "replaced"
    case .status(let status): "status \(status)"
    case .suspect(let rejectionReason): "suspect \(rejectionReason.rawValue)"
    case .failed(let failure):
      "failed \(failure.kind.storedName)" + (failure.message.isEmpty ? "" : " " + failure.message)
    }
  }

  /// Parses the format of `text`.
  init?(text: String) {
    let parts = text.utf8.split(separator: 32, maxSplits: 2, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    switch (parts[0], parts.count > 1 ? parts[1] : nil) {
    case ("unchanged", nil): self = .unchanged
    case ("replaced", nil): self = .replaced
    case ("status", let status?):
      guard let status = Int(status) else { return nil }
      self = .status(status)
    case ("suspect", let name?):
      self = .suspect(RejectionReason(stored: name))
    case ("failed", let name?):
      let message = parts.count > 2 ? parts[2] : ""
      self = .failed(TransportFailure(FailureKind(stored: name, message: message), message))
    default: return nil
    }
  }
}

extension RejectionReason {
  /// Parses a stored reason. An unknown value, which a later version wrote, is still a reason not
  /// to trust the response.
  init(stored text: String) { self = RejectionReason(rawValue: text) ?? .otherKind }
}

extension VaryingField {
  /// The field as one line: `name: value`, or the name alone if the request did not have the field.
  var text: String { value.map { "\(name): \($0)" } ?? name }

  /// Parses the format of `text`.
  init(text: String) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      self.init(name: text, value: nil)
      return
    }
    let rest = text[text.index(after: colon)...]
    let value = rest.first == " " ? rest.dropFirst() : rest
    self.init(name: String(text[..<colon]), value: String(value))
  }
}

extension Date {
  /// Milliseconds since 1970, the precision of all dates in the archive.
  package var milliseconds: Int64 {
    let value = (timeIntervalSince1970 * 1000).rounded()
    return abs(value) < 1e15 ? Int64(value) : 0
  }

  init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }
}
