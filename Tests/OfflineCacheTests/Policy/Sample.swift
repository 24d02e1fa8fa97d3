import Foundation

@testable import OfflineCache
@testable import WebArchive
import TestFiles

/// Responses for test tables. Times are seconds after an arbitrary date.
enum Sample {
  static let now = Date(timeIntervalSince1970: 1_700_000_000)

  static func response(_ status: Int = 200, _ fields: [(String, String)] = []) -> ResponseHead {
    ResponseHead(status: status, fields: FieldLines(fields.map { .init($0.0, $0.1) }))
  }

  static func stored(
    _ status: Int = 200, _ fields: [(String, String)] = [], age: TimeInterval = 0,
    id: String = "one", rejectionReason: RejectionReason? = nil, varying: [VaryingField] = []
  ) -> StoredResponse {
    let date = now - age
    return StoredResponse(
      id: id, key: "http://h/", response: response(status, fields), requestTime: date,
      responseTime: date, contentDate: date, varying: varying, rejectionReason: rejectionReason,
      length: 5000)
  }

  static func request(_ method: String = "GET", _ fields: [(String, String)] = []) -> WebRequest {
    WebRequest(
      method: method, url: "http://h/", fields: FieldLines(fields.map { .init($0.0, $0.1) }))
  }

  static func date(_ offset: TimeInterval) -> String { HTTPDate.format(now + offset) }
}
