import Dispatch
import OfflineCache
import TestSupport

/// A network in memory that has every generated page and supports conditional requests.
struct OwnNetwork: Transport {
  private struct Exchange: TransportExchange {
    func acknowledge(_ count: Int) {}
    func cancel() {}
  }

  func send(
    _ request: WebRequest, limits: TransportLimits,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> any TransportExchange {
    guard let page = GeneratedPage(url: request.url.description) else {
      receive(.failed(TransportFailure(.hostNotFound)))
      return Exchange()
    }
    let fields = FieldLines([
      FieldLines.Field("Content-Type", page.number % 3 == 0 ? "image/png" : "text/plain"),
      FieldLines.Field("ETag", "\"\(page.number)\""),
      FieldLines.Field("Cache-Control", "max-age=0"),
    ])
    DispatchQueue.global().async {
      TestProcess.step(".")
      if request.fields["If-None-Match"] != nil {
        receive(.response(ResponseHead(status: 304, reason: "Not Modified", fields: fields)))
      } else {
        receive(.response(ResponseHead(status: 200, reason: "OK", fields: fields)))
        TestProcess.step(".")
        var rest = page.content[...]
        while !rest.isEmpty {
          receive(.data(Array(rest.prefix(65_536))))
          rest = rest.dropFirst(65_536)
        }
      }
      TestProcess.step(".")
      receive(.finished)
    }
    return Exchange()
  }

  func close() {}
}
