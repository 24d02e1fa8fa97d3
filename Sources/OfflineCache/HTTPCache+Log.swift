import Logging

extension HTTPCache {
  /// Logs the counters of all loads.
  func logEnd() {
    configuration.logger?.info("closed: \(counters)")
  }

  /// Logs an error that prevents saving or reading, and reports it to the application.
  static func report(_ warning: ArchiveError, to configuration: CacheConfiguration) {
    configuration.logger?.warning("\(warning)")
    configuration.onWarning(warning)
  }

  /// Returns a receiver that logs the head, the end and any failure of a response before it calls
  /// `receive`.
  func logged(
    _ request: WebRequest, _ receive: @escaping @Sendable (CacheEvent) -> Void
  ) -> @Sendable (CacheEvent) -> Void {
    guard let logger = configuration.logger else { return receive }
    let url = request.url.withoutCredentials.description
    return { event in
      switch event {
      case .response(let response):
        let status = response.response.fields["Cache-Status"] ?? ""
        logger.info("\(request.method) \(url) \(response.response.status) \(status)")
      case .data: break
      case .finished(let stored):
        logger.debug(
          "\(request.method) \(url) finished", metadata: ["saved": "\(stored?.id ?? "no")"])
      case .failed(let error): logger.warning("\(request.method) \(url) failed: \(error)")
      case .refreshed(let stored):
        logger.info("\(request.method) \(url) refreshed", metadata: ["saved": "\(stored.id)"])
      case .checked(let check):
        logger.info("\(request.method) \(url) checked: \(check.result)")
      }
      receive(event)
    }
  }
}
