import DOM

extension Document {
  /// Collects the texts of the links.
  /// - Parameter maxLength: The maximum length in bytes; links with longer texts are omitted.
  /// - Returns: The texts by index in `links`, without links that have none.
  package func linkTexts(maxLength: Int) -> [Int32: [UInt8]] {
    var texts: [Int32: [UInt8]] = [:]
    for run in runs {
      guard let index = run.link.value, links.indices.contains(index) else { continue }
      let link = Int32(index)
      // One byte more than the maximum marks a text that is too long.
      let rest = maxLength + 1 - (texts[link]?.count ?? 0)
      texts[link, default: []] += text[Int(run.start)..<Int(run.end)].prefix(max(0, rest))
    }
    return texts.filter { $1.count <= maxLength }
  }
}
