/// Recognizes compressed files that a server also labels with a content coding, such as `.tar.gz`
/// with `Content-Encoding: gzip`. The coding is then a property of the file, which is saved as
/// sent.
enum PackedFile {
  /// The media types and file name extensions of files in the format of a coding.
  private struct Format {
    let mediaTypes: Set<String>
    let extensions: [String]
  }

  private static let gzip = Format(
    mediaTypes: [
      "application/gzip", "application/x-gzip", "application/x-gunzip", "application/gzipped",
      "application/x-tgz", "application/x-gtgz", "application/x-compressed-tar",
    ],
    extensions: [".gz", ".tgz"])
  private static let formats: [String: Format] = [
    "gzip": gzip, "x-gzip": gzip,
    "zstd": Format(mediaTypes: ["application/zstd"], extensions: [".zst", ".tzst"]),
  ]
  /// The media types of archives, and generic media types. No client displays a file of such a
  /// type, so its name shows whether it is compressed.
  private static let archiveTypes: Set<String> = [
    "application/x-tar", "application/x-gtar", "application/tar", "application/x-compressed",
    "application/octet-stream", "binary/octet-stream", "application/x-download",
    "application/download", "application/force-download",
  ]

  /// Returns whether a response may be a compressed file. It must have only one coding, and a media
  /// type of files in the format of this coding. One of `archiveTypes` is sufficient if the file
  /// name in the URL or in `Content-Disposition` has an extension of the format.
  static func isPossible(_ response: ResponseHead, at url: WebURL) -> Bool {
    let codings = response.fields.values(of: "Content-Encoding").flatMap {
      FieldList.memberTexts($0)
    }
    guard codings.count == 1, let format = formats[codings[0].lowercased()] else { return false }
    let type = RejectionReason.mediaType(response)
    guard !format.mediaTypes.contains(type) else { return true }
    guard archiveTypes.contains(type) else { return false }
    let disposition = response.fields["Content-Disposition"]?.lowercased() ?? ""
    let names = [url.path.lowercased()[...]] + disposition.split { "\"; ".contains($0) }
    return names.contains { name in format.extensions.contains { name.hasSuffix($0) } }
  }

  /// Determines whether a file was compressed once more for the transfer.
  /// - Parameters:
  ///   - response: The head with the coding.
  ///   - content: The first bytes of the content as sent.
  /// - Returns: Whether the content still has the format of the coding after the coding is removed
  ///   once.
  static func isPackedTwice(_ response: ResponseHead, _ content: [UInt8]) -> Bool {
    var response = response
    let decoding = ContentDecoding(removingCodingsOf: &response)
    decoding.push(content)
    guard content.count >= 2, let decoded = try? decoding.pull() else { return false }
    return decoded.starts(with: content.prefix(2))
  }
}
