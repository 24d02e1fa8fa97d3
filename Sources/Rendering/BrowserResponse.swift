import DOM
import Foundation
import OfflineCache

/// The response to a request of the browser.
enum BrowserResponse: Sendable, Equatable {
  /// A complete response of the cache, with the identifier of its saved version, if it has one.
  case response(ResponseHead, [UInt8], version: String?)
  /// The reason why there is no response.
  case failure(String)

  /// Returns the command that delivers the response to the browser.
  func command(for request: BrowserRequest) -> DevToolsCommand {
    guard case .response(let head, let content, _) = self else {
      return .refusing(request.id, in: request.session)
    }
    let fields = head.fields.lines.filter { !Self.droppedFields.contains($0.name.lowercased()) }
    return DevToolsCommand(
      "Fetch.fulfillRequest",
      [
        "requestId": .string(request.id), "responseCode": .number(Double(head.status)),
        "responseHeaders": .array(
          fields.map { .object(["name": .string($0.name), "value": .string($0.value)]) }),
        "body": .string(Data(content).base64EncodedString()),
      ], to: request.session)
  }

  /// Response fields that describe the transfer, or that would make the browser store or send
  /// something.
  private static let droppedFields: Set<String> = [
    "alt-svc", "connection", "content-encoding", "content-length", "keep-alive", "nel",
    "report-to", "reporting-endpoints", "set-cookie", "strict-transport-security",
    "transfer-encoding",
  ]
}
