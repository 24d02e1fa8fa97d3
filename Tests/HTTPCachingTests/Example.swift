import Foundation
import HTTPTypes

import HTTPCaching

/// Messages of an example. Times are seconds after an arbitrary date.
enum Example {
  typealias Lines = [(String, String)]

  static let start = Date(timeIntervalSince1970: 1_700_000_000)

  static func date(_ seconds: Double) -> String { HTTPDate.format(start + seconds) }

  static func fields(_ lines: Lines) -> HTTPFields { HTTPFields(fieldLines(lines)) }

  static func fieldLines(_ lines: Lines) -> FieldLines {
    FieldLines(lines.map { FieldLines.Field($0.0, $0.1) })
  }

  static func request(_ lines: Lines = [], method: String = "GET") -> HTTPRequest {
    HTTPRequest(
      method: HTTPRequest.Method(method) ?? .get, scheme: "https", authority: "h.example",
      path: "/a?b", headerFields: fields(lines))
  }

  static func response(_ lines: Lines, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: .init(code: status), headerFields: fields(lines))
  }

  static func entry(
    _ lines: Lines, for request: HTTPRequest = request(), status: Int = 200, length: Int64 = 0,
    in kind: CacheKind = .private
  ) -> CacheEntry? {
    CacheEntry(
      request, response(lines, status: status), requestTime: start, responseTime: start,
      length: length, in: kind)
  }
}
