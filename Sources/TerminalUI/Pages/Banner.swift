package import Foundation
package import Layout
package import Reader

/// The words of the banner: what is on screen when it is not a new answer, and why.
package enum Banner {
  /// What a command without a screen says of a substitute.
  package static let substituted =
    "a local file in place of the page, by [[substitute]] in the settings"

  /// One thing that the banner says.
  package struct Part: Sendable, Equatable {
    package var text: String
    package var weight: Weight

    /// How much it is meant to be seen.
    package enum Weight: Sendable, Equatable {
      /// What is on the screen: the words that stand out.
      case headline
      /// From when it is, and why.
      case reason
      /// What keys do about it.
      case keys
    }

    init(_ text: String, _ weight: Weight = .reason) {
      self.text = text
      self.weight = weight
    }
  }

  /// How many words there are for it: where fewer fill one row less, they do.
  enum Length: Int, CaseIterable {
    /// `from Tue 3 Nov 2026, 18 days old · last check failed today: no network · ( older versions: 3`
    case full
    /// `from Tue 3 Nov 2026, 18 days old · check failed today: no network · ( 3 older`
    case brief
    /// `from Tue 3 Nov 2026, 18 days old · no network yesterday · r asks again · ( 3 older`
    case short
    /// `from Tue 3 Nov 2026 · no network · r asks again · ( 3 older`
    case briefest
    /// `from Tue 3 Nov 2026, 18 days old · no network yesterday · ( 3 older`: in the place of the one before,
    /// where it fills no more rows; what keys do can be looked up, an age cannot
    case facts
    /// `18 days old · no network`, for a screen that has one row for it.
    case single
  }

  /// What the banner says.
  /// - Parameters:
  ///   - provenance: where the page is from.
  ///   - hasNewer: whether a newer version has come and waits.
  ///   - version: which of the saved versions was asked for.
  ///   - isOffline: whether the network is left alone now.
  ///   - columns: the room of a row.
  ///   - limit: the most rows.
  ///   - isShort: whether the screen has room for one row of few words.
  ///   - separator: what stands between two parts.
  ///   - now: the time.
  ///   - timeZone: in which dates are told.
  ///   - widths: how wide characters are.
  /// - Returns: rows of parts from left to right; none when there is no banner.
  package static func rows(
    of provenance: Provenance, hasNewer: Bool, version: String? = nil, isOffline: Bool,
    columns: Int, limit: Int, isShort: Bool = false, separator: String, now: Date,
    timeZone: TimeZone, widths: DisplayWidth = DisplayWidth()
  ) -> [[Part]] {
    let lengths: [Length] = isShort ? [.single] : Length.allCases
    // What is cut says less than fewer words.
    var best: (parts: [Part], length: Length, cost: (Int, Int)) = ([], .full, (.max, .max))
    for length in lengths {
      let parts = parts(
        of: provenance, hasNewer: hasNewer, version: version, length: length, isOffline: isOffline,
        now: now, timeZone: timeZone)
      let rows = fill(parts, columns: columns, separator: separator, widths: widths).count
      let cut = parts.count { widths.width(of: $0.text) > columns }
      // For want of room alone nothing is left out.
      if length == .single, best.cost.0 == 0 { continue }
      let mayReplace = best.length == .briefest && provenance.source != .saved(.signInPage)
      let isBetter =
        length == .facts
        ? mayReplace && rows <= limit && (cut, rows) <= best.cost : (cut, rows) < best.cost
      if isBetter { best = (parts, length, (cut, rows)) }
    }
    return fill(best.parts, columns: columns, limit: limit, separator: separator, widths: widths)
  }

  /// The parts of the banner in the order of their weight; empty when there is none.
  static func parts(
    of provenance: Provenance, hasNewer: Bool, version: String? = nil, length: Length = .full,
    isOffline: Bool, now: Date, timeZone: TimeZone
  ) -> [Part] {
    if provenance.source == .substituted {
      let date = provenance.contentDate.map { words(for: $0, length, now: now, timeZone: timeZone) }
      return [Part("LOCAL FILE", .headline)] + (date.map { [Part($0)] } ?? [])
        + [Part("in place of the page, by [[substitute]]")]
    }
    if let doubt = provenance.doubt {
      return [Part("NOT SAVED", .headline), Part(doubt.text)]
        + (advice(for: doubt, isOffline: isOffline).map { [Part($0, .keys)] } ?? [])
    }
    guard case .saved(let reason) = provenance.source else {
      return hasNewer ? [Part("newer version: r", .headline)] : []
    }
    var parts = [Part("SAVED COPY", .headline)]
    if let date = provenance.contentDate {
      parts.append(Part(words(for: date, length, now: now, timeZone: timeZone)))
    }
    // Whose capture it is says more than why it is shown, and why an own copy is not.
    if provenance.isFromRemote, let words = provenance.foreignWords { parts.append(Part(words)) }
    if let words = provenance.variantWords { parts.append(Part(words)) }
    if hasNewer { parts.append(Part("newer version: r")) }
    // What was waited for has come.
    if provenance.isFromRemote ? reason != .requested : !hasNewer || reason != .waiting {
      let words =
        switch reason {
        case .requested: version ?? reason.text
        case .offlineMode where !isOffline: "read in offline mode"
        default: reason.text
        }
      let day = provenance.lastCheck.map {
        DateWords.relativeDay($0.date, now: now, in: timeZone)
      }
      parts +=
        provenance.isFresh
        ? [Part(words)]
        : reasons(reason, words, provenance.lastCheck, day ?? "", length).map { Part($0) }
    }
    if !provenance.isFromRemote, let words = provenance.foreignWords { parts.append(Part(words)) }
    if !hasNewer, length != .facts, let advice = advice(for: reason, isOffline: isOffline) {
      parts.append(Part(advice, .keys))
    }
    if provenance.olderVersions > 0 {
      let count = provenance.olderVersions
      parts.append(Part(length == .full ? "( older versions: \(count)" : "( \(count) older", .keys))
    }
    return parts
  }

  private static func words(
    for date: Date, _ length: Length, now: Date, timeZone: TimeZone
  ) -> String {
    let isRecent = now.timeIntervalSince(date) < 86_400
    switch length {
    case .full, .brief, .short, .facts: return DateWords.age(of: date, now: now, in: timeZone)
    case .briefest where !isRecent: return "from \(DateWords.day(date, in: timeZone))"
    case .briefest, .single: return DateWords.plainAge(of: date, now: now)
    }
  }

  /// Returns the reason why a copy is shown, with the same wording on every page, and the result of the last check.
  private static func reasons(
    _ reason: SavedReason, _ words: String, _ check: Provenance.Check?, _ day: String,
    _ length: Length
  ) -> [String] {
    guard let check, length != .single else { return [words] }
    let last = length == .full ? "last " : ""
    switch reason {
    case _ where reason.isWantOfNetwork || reason == .offlineMode:
      return [words] + check.fact(besides: reason, day: day, last: last, length)
    case .waiting, .requested:
      return [words, failure(of: check, day, last, length) ?? "\(last)checked \(day)"]
    default:
      return [failure(of: check, day, last, length) ?? "\(words); \(last)checked \(day)"]
    }
  }

  private static func failure(
    of check: Provenance.Check, _ day: String, _ last: String, _ length: Length
  ) -> String? {
    check.failure.map { failure in
      switch length {
      case .full, .brief: "\(last)check failed \(day): \(failure.text)"
      // Without a word of it the day is this one.
      case .short, .facts, .briefest, .single:
        day == "today" ? failure.text : "\(failure.text) \(day)"
      }
    }
  }

  private static func advice(for reason: SavedReason, isOffline: Bool) -> String? {
    switch reason {
    // Nobody can be asked.
    case .imported: nil
    case .offlineMode where isOffline: "x leaves offline mode"
    case .waiting: "a newer version will be offered"
    case .requested: ") newer version"
    case .rendered: ":render makes it anew"
    case .signInPage: "sign in to the network, then r"
    case .status(401): "r asks again, to sign in"
    default: "r asks again"
    }
  }

  /// Fills at most `limit` rows of a width with parts, as wide as `widths` says they are.
  static func fill(
    _ parts: [Part], columns: Int, limit: Int = .max, separator: String,
    widths: DisplayWidth = DisplayWidth()
  ) -> [[Part]] {
    var rows: [[Part]] = []
    var used = 0
    for part in parts {
      let gap = rows.last?.last.map { Self.gap(after: $0, separator) } ?? ""
      let width = widths.width(of: gap + part.text)
      if let last = rows.indices.last, used + width <= columns {
        rows[last].append(part)
        used += width
      } else if rows.count < limit {
        rows.append([part])
        used = widths.width(of: part.text)
      }
    }
    return rows
  }

  /// What stands between a part and the next one of its row.
  static func gap(after part: Part, _ separator: String) -> String {
    part.weight == .headline ? "  " : separator
  }
}

extension Provenance.Check {
  /// Returns what the banner says about a check if no server can be reached: nothing about a check of today,
  /// because the reason explains it.
  fileprivate func fact(
    besides reason: SavedReason, day: String, last: String, _ length: Banner.Length
  ) -> [String] {
    let isLong = length == .full || length == .brief
    guard let failure else { return day == "today" ? [] : ["\(last)checked \(day)"] }
    if failure.isWantOfNetwork {
      if day == "today" { return [] }
      let words = isLong ? "\(last)check failed \(day)" : "failed \(day)"
      return [failure.text == reason.text ? words : "\(words): \(failure.text)"]
    }
    return switch length {
    case .full, .brief: ["\(last)check failed \(day): \(failure.text)"]
    case .short, .facts, .briefest, .single: ["\(failure.text) \(day)"]
    }
  }
}
