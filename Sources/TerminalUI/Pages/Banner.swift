package import Commands
package import Foundation
package import Layout
package import Pages
import Reader

/// The text of the banner, which describes a page that is not a new response and gives the reason.
package enum Banner {
  /// The description of a substituted page, for commands that print it.
  package static let substitutedPageText =
    "a local file instead of the page, by [[substitute]] in the settings"

  /// A part of the banner's text.
  package struct Segment: Sendable, Equatable {
    package var text: String
    package var weight: Weight

    /// The emphasis of the text.
    package enum Weight: Sendable, Equatable {
      /// The kind of copy on the screen; the most prominent text.
      case headline
      /// The date of the copy, and the reason why it is shown.
      case reason
      /// The keys with which the user can act on the copy, such as those for older versions.
      case keys
    }

    init(_ text: String, _ weight: Weight = .reason) {
      self.text = text
      self.weight = weight
    }
  }

  /// The degree of abbreviation, each with an example; `(` and `r` in the examples are keys of the
  /// preset `default`. A shorter text is chosen if it saves a row.
  enum Abbreviation: Int, CaseIterable {
    /// `from Tue 3 Nov 2026, 18 days old · last check failed today: no network · …`, ending in
    /// `( older versions: 3`
    case full
    /// `from Tue 3 Nov 2026, 18 days old · check failed today: no network · ( 3 older`
    case brief
    /// `from Tue 3 Nov 2026, 18 days old · no network yesterday · r reloads it · ( 3 older`
    case short
    /// `from Tue 3 Nov 2026 · no network · r reloads it · ( 3 older`
    case shortest
    /// `from Tue 3 Nov 2026, 18 days old · no network yesterday · ( 3 older`: like `short`, but
    /// without advice such as `r reloads it`. It replaces `shortest` if it needs no more rows,
    /// because help lists the keys, but nothing else shows the age.
    case withoutAdvice
    /// `18 days old · no network`, for a screen with a single row for the banner.
    case singleRow
  }

  /// Returns the rows of the banner.
  /// - Parameters:
  ///   - provenance: The origin of the page.
  ///   - hasNewer: Whether a newer version, or the page that was missing, has been received and can
  ///     be shown.
  ///   - isArriving: Whether the rest of the page is still being received.
  ///   - version: The description of the saved version, such as `version 2 of 5`; nil if unknown.
  ///   - isOffline: Whether offline mode is on.
  ///   - columns: The width of a row, in columns.
  ///   - maxRows: The maximum number of rows.
  ///   - isShort: Whether the screen has only one row for the banner.
  ///   - keymap: The keys that the banner names.
  ///   - separator: The text between two parts.
  ///   - now: The current time.
  ///   - timeZone: The time zone of the dates.
  ///   - widths: The widths of characters.
  /// - Returns: The parts of each row from left to right; empty if there is no banner.
  package static func rows(
    of provenance: Provenance, hasNewer: Bool, isArriving: Bool = false, version: String? = nil,
    isOffline: Bool, columns: Int, maxRows: Int, isShort: Bool = false,
    keymap: Keymap = Keymap(), separator: String, now: Date, timeZone: TimeZone,
    widths: DisplayWidth = DisplayWidth()
  ) -> [[Segment]] {
    let lengths: [Abbreviation] = isShort ? [.singleRow] : Abbreviation.allCases
    // A shorter complete text is better than a longer truncated one.
    var best: (parts: [Segment], length: Abbreviation, cost: (Int, Int)) = ([], .full, (.max, .max))
    for length in lengths {
      let parts = parts(
        of: provenance, hasNewer: hasNewer, isArriving: isArriving, version: version,
        length: length, isOffline: isOffline, keymap: keymap, now: now, timeZone: timeZone)
      let rows = fill(parts, columns: columns, separator: separator, widths: widths).count
      let cut = parts.count { widths.width(of: $0.text) > columns }
      // `singleRow` omits facts, so it is used only if the others do not fit.
      if length == .singleRow, best.cost.0 == 0 { continue }
      let mayReplace = best.length == .shortest && provenance.source != .saved(.signInPage)
      let isBetter =
        length == .withoutAdvice
        ? mayReplace && rows <= maxRows && (cut, rows) <= best.cost : (cut, rows) < best.cost
      if isBetter { best = (parts, length, (cut, rows)) }
    }
    return fill(
      best.parts, columns: columns, maxRows: maxRows, separator: separator, widths: widths)
  }

  /// Returns the parts of the banner in the order of importance; empty if there is no banner.
  static func parts(
    of provenance: Provenance, hasNewer: Bool, isArriving: Bool = false, version: String? = nil,
    length: Abbreviation = .full, isOffline: Bool, keymap: Keymap = Keymap(), now: Date,
    timeZone: TimeZone
  ) -> [Segment] {
    let reload = keymap.keyName(of: .reload)
    let date = provenance.contentDate.map {
      Segment(dateText(for: $0, length, now: now, timeZone: timeZone))
    }
    if provenance.source == .substituted {
      let origin = Segment("instead of the page, by [[substitute]]")
      return [Segment("LOCAL FILE", .headline), date, origin].compactMap(\.self)
    }
    if let reason = provenance.rejection {
      return parts(
        for: reason, isSaved: provenance.isContentSaved, hasNewer: hasNewer,
        isArriving: isArriving, isOffline: isOffline, keymap)
    }
    guard case .saved(let reason) = provenance.source else {
      let text =
        provenance.source == .explanation
        ? "the page is saved now: \(reload) shows it" : "newer version: \(reload)"
      return hasNewer ? [Segment(text, .headline)] : []
    }
    var parts = [Segment(reason.isTextOfFeed ? "TEXT OF THE FEED" : "SAVED COPY", .headline), date]
    // The web archive from which a copy comes is more important than the reason for showing it; the
    // file from which a copy was imported is less important.
    let origin = provenance.importDescription.map { Segment($0) }
    if provenance.isFromRemote { parts.append(origin) }
    parts.append(provenance.variantDescription.map { Segment($0) })
    if hasNewer { parts.append(Segment("newer version: \(reload)")) }
    // Once the newer version has been received, waiting for the server is no longer a reason.
    if provenance.isFromRemote ? reason != .requested : !hasNewer || reason != .waiting {
      let content = text(of: reason, version, isOffline: isOffline)
      let check = provenance.isFresh ? nil : provenance.lastCheck
      let day = check.map { DateTexts.relativeDay($0.date, now: now, in: timeZone) } ?? ""
      parts += reasonTexts(reason, content, check, day, length).map { Segment($0) }
    }
    if !provenance.isFromRemote { parts.append(origin) }
    let advice = hasNewer ? nil : adviceText(for: reason, isOffline: isOffline, keymap)
    return parts.compactMap(\.self) + keyParts(advice, provenance.olderVersions, length, keymap)
  }

  private static func keyParts(
    _ advice: String?, _ olderVersions: Int, _ length: Abbreviation, _ keymap: Keymap
  ) -> [Segment] {
    let key = keymap.keyName(of: .olderVersion)
    let older =
      length == .full ? "\(key) older versions: \(olderVersions)" : "\(key) \(olderVersions) older"
    return [length == .withoutAdvice ? nil : advice, olderVersions > 0 ? older : nil]
      .compactMap(\.self).map { Segment($0, .keys) }
  }

  private static func text(of reason: SavedReason, _ version: String?, isOffline: Bool) -> String {
    if reason == .requested, let version { return version }
    return reason == .offlineMode && !isOffline ? "read in offline mode" : reason.text
  }

  /// Returns the parts of the banner for a response that is not saved as the page.
  private static func parts(
    for rejection: SavedReason, isSaved: Bool, hasNewer: Bool, isArriving: Bool, isOffline: Bool,
    _ keymap: Keymap
  ) -> [Segment] {
    let advice: String? =
      if hasNewer {
        "newer version: \(keymap.keyName(of: .reload))"
      } else if isArriving {
        "the rest is loading"
      } else {
        adviceText(for: rejection, isOffline: isOffline, keymap)
      }
    let headline = isSaved ? "SAVED AS INCOMPLETE" : "NOT SAVED"
    return [Segment(headline, .headline), Segment(rejection.text)]
      + (advice.map { [Segment($0, .keys)] } ?? [])
  }

  private static func dateText(
    for date: Date, _ length: Abbreviation, now: Date, timeZone: TimeZone
  ) -> String {
    let isRecent = now.timeIntervalSince(date) < 86_400
    switch length {
    case .full, .brief, .short, .withoutAdvice:
      return DateTexts.age(of: date, now: now, in: timeZone)
    case .shortest where !isRecent: return "from \(DateTexts.dayText(date, in: timeZone))"
    case .shortest, .singleRow: return DateTexts.plainAge(of: date, now: now)
    }
  }

  /// Returns the reason why a copy is shown, with the same wording on every page, and the result of
  /// the last check.
  private static func reasonTexts(
    _ reason: SavedReason, _ text: String, _ check: Provenance.Check?, _ day: String,
    _ length: Abbreviation
  ) -> [String] {
    guard let check, length != .singleRow else { return [text] }
    let last = length == .full ? "last " : ""
    if reason.isNetworkFailure || reason == .offlineMode {
      return [text] + check.checkReasonTexts(besides: reason, day: day, lastPrefix: last, length)
    }
    let failure = failureText(of: check, day, last, length)
    return reason == .waiting || reason == .requested
      ? [text, failure ?? "\(last)checked \(day)"]
      : [failure ?? "\(text); \(last)checked \(day)"]
  }

  private static func failureText(
    of check: Provenance.Check, _ day: String, _ last: String, _ length: Abbreviation
  ) -> String? {
    check.failure.map { failure in
      switch length {
      case .full, .brief: "\(last)check failed \(day): \(failure.text)"
      // The short forms omit "today".
      case .short, .withoutAdvice, .shortest, .singleRow:
        day == "today" ? failure.text : "\(failure.text) \(day)"
      }
    }
  }

  private static func adviceText(
    for reason: SavedReason, isOffline: Bool, _ keymap: Keymap
  ) -> String? {
    let reload = keymap.keyName(of: .reload)
    return switch reason {
    // For these reasons, there is no server to contact.
    case .imported, .itemWithoutPage: nil
    case .waiting: "a newer version will be offered"
    case .requested: "\(keymap.keyName(of: .newerVersion)) newer version"
    case .rendered: "\(keymap.keyName(of: .render)) renders it again"
    case .notStored: "\(reload) tries again"
    case .signInPage: "sign in to the network, then \(reload)"
    case .status(401) where !isOffline: "\(reload) asks for the password"
    case .failure, .status, .suspect, .offlineMode, .preferred, .permitted, .abandoned, .reopened,
      .feed:
      isOffline
        ? "\(keymap.keyName(of: .offline)) leaves offline mode" : "\(reload) reloads it"
    }
  }

  /// Arranges parts in at most `maxRows` rows of `columns` columns; parts that do not fit are left
  /// out.
  static func fill(
    _ parts: [Segment], columns: Int, maxRows: Int = .max, separator: String,
    widths: DisplayWidth = DisplayWidth()
  ) -> [[Segment]] {
    var rows: [[Segment]] = []
    var used = 0
    for part in parts {
      let gap = rows.last?.last.map { Self.gap(after: $0, separator) } ?? ""
      let width = widths.width(of: gap + part.text)
      if let last = rows.indices.last, used + width <= columns {
        rows[last].append(part)
        used += width
      } else if rows.count < maxRows {
        rows.append([part])
        used = widths.width(of: part.text)
      }
    }
    return rows
  }

  /// Returns the text between a part and the next one in its row.
  static func gap(after part: Segment, _ separator: String) -> String {
    part.weight == .headline ? "  " : separator
  }
}

extension Provenance.Check {
  /// Returns the text about the last check of a copy that is shown without a network or in offline
  /// mode. It is empty for a check of today that succeeded or had no network, because the reason
  /// explains it.
  fileprivate func checkReasonTexts(
    besides reason: SavedReason, day: String, lastPrefix: String, _ length: Banner.Abbreviation
  ) -> [String] {
    let isLong = length == .full || length == .brief
    guard let failure else { return day == "today" ? [] : ["\(lastPrefix)checked \(day)"] }
    if failure.isNetworkFailure {
      if day == "today" { return [] }
      let text = isLong ? "\(lastPrefix)check failed \(day)" : "failed \(day)"
      return [failure.text == reason.text ? text : "\(text): \(failure.text)"]
    }
    return switch length {
    case .full, .brief: ["\(lastPrefix)check failed \(day): \(failure.text)"]
    case .short, .withoutAdvice, .shortest, .singleRow: ["\(failure.text) \(day)"]
    }
  }
}
