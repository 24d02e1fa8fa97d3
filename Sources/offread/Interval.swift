import Configuration
import ArgumentParser

/// An interval as typed: `12h`, `1 w`.
struct Interval: ExpressibleByArgument, Equatable {
  /// The interval in seconds, at least 60.
  var seconds: Double

  /// Parses an interval; nil if it is invalid or shorter than a minute.
  init?(argument: String) {
    guard let seconds = Units.seconds(typed: argument), seconds >= 60 else { return nil }
    self.seconds = seconds
  }
}
