/// The limits for the load on sites.
package struct PaceLimits: Sendable, Equatable {
  /// The maximum number of running loads per host.
  package var maxLoadsPerHost = 2
  /// The minimum time between the starts of two loads of a host.
  package var minGap: Duration = .milliseconds(250)
  /// The maximum number of hosts with running loads.
  package var hosts = 8
  /// The maximum gap that a host can ask for.
  package var maxGap: Duration = .seconds(30)
  /// The minimum pause for a busy host; it is doubled for each consecutive load that ends with
  /// `busy`.
  package var backoff: Duration = .seconds(2)
  /// The maximum pause. Loads of a host that asks for a longer pause are abandoned.
  package var maxPause: Duration = .seconds(15)

  /// Creates the default limits: two loads at each of eight hosts, 250 ms apart.
  package init() {}
}
