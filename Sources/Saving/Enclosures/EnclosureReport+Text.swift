import Document
import Library

extension EnclosureReport {
  /// The lines that report the files that could not be fetched.
  package var failureLines: [String] {
    var lines = failures.map { failure in
      let url = SafeText.line(SafeText.withoutCredentials(failure.record.url))
      return "failed \(url): \(SafeText.line(failure.reason.description))"
    }
    if let problem { lines.append("enclosures cannot be stored: \(SafeText.line(problem))") }
    if isBusy { lines.append("another offread process is fetching the enclosures") }
    if damagedCount > 0 { lines.append(Self.damageText(damagedCount)) }
    return lines
  }

  /// Returns the message about records that cannot be read.
  package static func damageText(_ count: Int) -> String {
    "\(CountFormatter.countText(count, "record")) of enclosures cannot be read"
  }

  /// The lines that report the numbers of files.
  package var summaryLines: [String] {
    let counts: [(Int, String)] = [
      (fetchedCount, "fetched; \(CountFormatter.byteCountText(bytes))"),
      (tooLargeCount, "not fetched: larger than file_limit"),
      (withoutSpaceCount, "not fetched: feed_limit is reached"),
      (failedEarlierCount, "failed earlier, requested again later"),
      (removedCount, "of read items removed, because feed_limit is reached"),
      (waitingCount, "not fetched yet; offread sync continues"),
    ]
    return counts.filter { $0.0 > 0 }.map { "\(CountFormatter.countText($0, "enclosure")) \($1)" }
  }
}
