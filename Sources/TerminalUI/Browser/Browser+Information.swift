import Saving
import Library
import Document
import Formats
import Foundation
import DOM
import Layout
import OfflineCache
import Pages
import Terminal

/// The information screen about the page.
extension Browser {
  /// A row of the screen: its label and its text.
  private typealias Fact = (label: String, text: String)

  private static let factLabelWidth = 16

  /// The facts about the page, and its saved versions.
  var informationEntries: [ListEntry] {
    guard let page = view?.page else { return [] }
    let known = versions.knownVersions(of: page.url)
    let facts =
      urlFacts(of: page) + readerFacts(of: page) + contentFacts(of: page) + timeFacts(of: page)
      + savedFacts(of: page, known)
    let width = listArea.columns.count - 3
    // On a narrow screen the text is below its label.
    let isNarrow = width < Self.factLabelWidth + 12
    let rows = facts.flatMap { fact in
      if isNarrow {
        return [ListEntry(fact.label, to: .nowhere)]
          + displayWidth.wrapped(SafeText.line(fact.text), to: max(1, width - 1))
          .map { ListEntry(" " + $0, to: .nowhere) }
      }
      return displayWidth.wrapped(SafeText.line(fact.text), to: width - Self.factLabelWidth)
        .enumerated().map { index, text in
          let label = index == 0 ? fact.label : ""
          let padding = String(
            repeating: " ", count: max(1, Self.factLabelWidth - label.utf8.count))
          return ListEntry(label + padding + text, to: .nowhere)
        }
    }
    var cookies: [ListEntry] = []
    if let (content, site) = cookieEntry(of: page) {
      cookies = [
        ListEntry(
          "Cookies" + String(repeating: " ", count: Self.factLabelWidth - 7) + content,
          to: .cookies(site: site))
      ]
    }
    return rows + enclosureRows + cookies + (known.map { versionEntries($0, of: page) } ?? [])
  }

  /// The enclosures of the feed item on the screen. Enter opens them.
  private var enclosureRows: [ListEntry] {
    (opening.feed?.enclosures ?? []).map { enclosure in
      let url = enclosure.record.url
      let file = FileName(reference: url).map { SafeText.line($0.text) } ?? displayURL(url)
      let facts = [
        enclosure.text, enclosure.size.map { CountFormatter.byteCountText($0) } ?? "",
        SafeText.line(enclosure.problem), file,
      ]
      let label = "Enclosure" + String(repeating: " ", count: Self.factLabelWidth - 9)
      return ListEntry(
        label + facts.filter { !$0.isEmpty }.joined(separator: glyphs.separator), to: .page(url))
    }
  }

  private func urlFacts(of page: Page) -> [Fact] {
    var facts: [Fact] = [("Title", page.document.title)]
    if page.requestedURL != page.url { facts.append(("Requested", displayURL(page.requestedURL))) }
    facts += page.loadTrace.redirects.map { redirect in
      (
        "Redirected",
        "\(ReaderError.statusText(forStatus: redirect.status)): \(displayURL(redirect.url))"
      )
    }
    facts.append(("URL", displayURL(page.url)))
    switch page.provenance.source {
    case .network, .fresh, .saved:
      facts.append(("Status", ReaderError.statusText(forStatus: page.status)))
    case .substituted, .builtIn, .file, .explanation: break
    }
    if let feed = opening.feed {
      let url = displayURL(feed.key)
      facts.append(("Feed", feed.name == feed.key ? url : "\(feed.name), \(url)"))
    }
    facts += page.notices.map { ("Warning", $0) }
    return facts
  }

  /// Returns the metadata of a page in reader view, and the kind and length of its content.
  private func readerFacts(of page: Page) -> [Fact] {
    guard let reader = page.document.readerFacts else { return [] }
    let metadata = reader.metadata
    let metadataFacts = [
      ("Author", metadata.byline), ("Published", metadata.date), ("Site", metadata.siteName),
    ]
    var text = reader.kind.rawValue
    if reader.wordCount > 0 {
      text +=
        ", \(DateTexts.countText(reader.wordCount, "word")), \(DateTexts.countText(reader.readingMinutes, "minute"))"
    }
    return metadataFacts.filter { !$0.1.isEmpty } + [("Reader view", text)]
  }

  private func contentFacts(of page: Page) -> [Fact] {
    let document = page.document
    var facts: [Fact] = [("Type", page.loadTrace.fields["Content-Type"] ?? page.mediaType)]
    var encoding = document.encodingName
    if let content = page.content {
      let evidence = EncodingEvidence(
        of: encoding, content.bytes, charset: content.charset, isMarkup: true)
      encoding += ", \(evidence.text)"
    }
    facts.append(("Encoding", encoding))
    let coding = page.loadTrace.fields["Content-Encoding"] ?? ""
    if !coding.isEmpty { facts.append(("Coding", coding)) }
    if !document.language.isEmpty { facts.append(("Language", document.language)) }
    let size = CountFormatter.byteCountText(page.length)
    facts.append(("Size", page.length < 1000 ? size : "\(size) (\(page.length) bytes)"))
    let shown = (view?.isComplete == true ? view?.numberedLinks.count : nil) ?? document.links.count
    let folded = document.links.count - shown
    facts.append(("Links", "\(shown)" + (folded > 0 ? ", and \(folded) folded away" : "")))
    return facts
  }

  private func timeFacts(of page: Page) -> [Fact] {
    let provenance = page.provenance
    let file = provenance.importDescription.map { ", \($0)" } ?? ""
    var facts: [Fact] = [("Source", provenanceText(for: provenance) + file)]
    if let status = page.loadTrace.fields["Cache-Status"] { facts.append(("Cache-Status", status)) }
    let origin =
      switch opening.origin {
      case .user: "opened by its URL"
      case .link(let page): "opened by a link on \(displayURL(page))"
      }
    facts.append(("Origin", origin))
    facts.append(("Mode", loading.options.mode.rawValue))
    if let date = provenance.contentDate { facts.append(("Content from", dateText(date))) }
    if let modified = page.loadTrace.fields["Last-Modified"], provenance.source != .file,
      let date = HTTPDate.parse(modified, now: now)
    {
      facts.append(("Last modified", dateText(date)))
    }
    if let check = provenance.lastCheck {
      let result = check.failure.map { "failed: \($0.text)" } ?? "succeeded"
      facts.append(("Last check", "\(dateText(check.date)), \(result)"))
    }
    return facts
  }

  private func savedFacts(of page: Page, _ versions: PageVersions?) -> [Fact] {
    guard let versions else { return [] }
    guard let index = versions.all.firstIndex(where: { $0.response.id == page.loadTrace.version })
    else { return [("Saved", versions.all.isEmpty ? "no" : "only other versions")] }
    let version = versions.all[index]
    var facts: [Fact] = []
    if versions.freshness.indices.contains(index) {
      let term = versions.freshness[index]
      let state = term.end > now && term.source != .noCache ? "until" : "stale since"
      facts.append(
        (
          "Fresh",
          term.source == .noCache || term.source == .unspecified
            ? "no: \(term.source.text)"
            : "\(state) \(DateTexts.dayAndTimeText(term.end, in: timeZone)), \(term.source.text)"
        ))
    }
    let isForeign = version.response.importedFile != nil
    facts.append((isForeign ? "Captured" : "Saved", dateText(version.response.contentDate)))
    facts.append(
      ("Version", versionPositionText.map { String($0.trimmingPrefix("version ")) } ?? ""))
    facts.append(("Id", version.response.id))
    facts.append(("Digest", version.response.payloadDigest))
    facts.append(("File", "\(version.segment), from byte \(version.offset)"))
    return facts
  }

  private func dateText(_ date: Date) -> String {
    "\(DateTexts.dayAndTimeText(date, in: timeZone)), \(DateTexts.plainAge(of: date, now: now))"
  }

  private func versionEntries(_ versions: PageVersions, of page: Page) -> [ListEntry] {
    guard !versions.all.isEmpty else { return [] }
    let count = versions.all.count
    let dates = DateTexts.distinctDateTexts(
      versions.all.map(\.response.generationDate), in: timeZone)
    return [.heading(DateTexts.countText(count, "saved version"))]
      + zip(versions.all, dates).map { version, date in
        let response = version.response
        var title = date
        let notes = [
          response.id == page.loadTrace.version ? "shown" : nil,
          response.importedFile.map { "from \(SafeText.line($0))" },
          version.distrustReason.map { "no: \($0)" },
          response.lastCheck.map { check in
            let failure = Provenance.Check(check).failure.map { "failed, \($0.text)" }
            return "checked \(DateTexts.relativeDay(check.date, now: now, in: timeZone)): "
              + (failure ?? check.result.text)
          },
        ].compactMap(\.self)
        if !notes.isEmpty { title += "  " + notes.joined(separator: glyphs.separator) }
        var entry = ListEntry(SafeText.line(title), to: .version(response.id))
        entry.details = [
          .extraText: "\(response.response.status)",
          .size: CountFormatter.byteCountText(response.length),
        ]
        return entry
      }
  }

  private func provenanceText(for provenance: Provenance) -> String {
    switch provenance.source {
    case .network: "the network, just now"
    case .fresh: "the saved copy; still fresh"
    case .saved(let reason): "saved copy: \(reason.text)"
    case .substituted: "a local file, by [[substitute]] in the settings"
    case .builtIn: "built in"
    case .file: isStandardInput ? "standard input" : "a file"
    case .explanation: "an explanation by offread; there is no page"
    }
  }
}
