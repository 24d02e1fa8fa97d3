package import Pages
import Platform
package import Containers
import Document
package import Formats
package import Exchange
import Foundation
import OfflineCache

/// A file that contains pages, such as a book, an MHTML file, a mailbox or an archive. It is a
/// local file, or was imported into the archive of offread.
///
/// The URLs of its items are below the URL of the file: `file:///books/a.epub/OEBPS/1.xhtml`.
package struct DocumentFile: Sendable {
  /// The location of the file.
  let location: DocumentLocation
  /// The format of the file, with its content.
  package let form: Format

  /// The formats of files that contain pages.
  package enum Format: Sendable {
    /// An EPUB book.
    case book(EPUBPackage, ZIPArchive, BookLocations)
    /// A ZIP archive of files.
    case files(ZIPArchive)
    /// A WACZ file (WACZ 1.1.1).
    case captures(ZIPArchive)
    /// A page with its resources in an MHTML file or a `.webarchive` file of Safari.
    case message(MIMEMessage)
    /// A mail or a mailbox.
    case mail(Mailbox)
    /// A ZIM file (openZIM), such as an offline Wikipedia.
    case zim(ZIMFile)
    /// An imported PDF file. A local one is not a `DocumentFile`.
    case pdf([UInt8])
  }

  /// An item of the file, ready to be displayed.
  package struct Item: Sendable {
    package var bytes: [UInt8]
    /// The declared media type, or the one that the file name implies.
    package var type: MediaType
    /// The URL of the item if it differs from the requested one; nil otherwise.
    package var url: DocumentAddress?
    /// The title to use if the content has none; nil if there is no such title.
    package var title: String?
    /// The base URL of the links of the item; nil for its own URL.
    package var base: String?
    /// The links to the previous and the next part, which surround the content; nil for none.
    package var frame: PageFrame?
    /// The parts of the book, with the index of this item among them; nil if the file is not a
    /// book.
    package var parts: PartList?
    /// The style sheets that the item links to, concatenated.
    package var styleSheet: [UInt8] = []
    /// Notices to show with the item.
    package var notices: [String] = []
    /// The reason why the part cannot be read, which the content explains; nil if it can be read.
    package var problem: String?
  }

  /// The notice for a file whose end is missing.
  static let truncationNotice = "the file is truncated: the part that could be read is shown"
  /// The notice for an archive whose central directory is missing or damaged.
  static let recoveryNotice =
    "the file is truncated or damaged: the part that could be read is shown"

  /// The number of bytes that are read to recognize the format.
  private static let examinedLength = 1 << 14

  /// Opens a local file.
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - isRecovering: whether the whole entries of a truncated or damaged archive are read.
  /// - Returns: the file; nil if it does not exist, is not a regular file, or does not contain
  ///   pages. A PDF file does not count as one that contains pages.
  /// - Throws: `ReaderError.unreadableFile`.
  package static func open(
    _ path: String, recovering isRecovering: Bool = true
  ) throws(ReaderError) -> DocumentFile? {
    do {
      let descriptor = LocalFile.descriptor(path)
      guard descriptor >= 0 else {
        guard errno != ENOENT, errno != ENOTDIR else { return nil }
        throw LocalFile.failure(path)
      }
      return try document(
        in: LocalFileSystem().wrapForReading(descriptor, path), at: path, recovering: isRecovering)
    } catch let error as ReaderError {
      throw error
    } catch let error as ContainerError {
      throw .unreadableFile(path: path, error.description)
    } catch let error as ArchiveError {
      throw .unreadableFile(path: path, error.reason)
    } catch {
      throw .unreadableFile(path: path, "\(error)")
    }
  }

  private static func document(
    in file: OpenFile, at path: String, recovering isRecovering: Bool
  ) throws -> DocumentFile? {
    let status = try file.status()
    guard status.isFile else { return nil }
    let start = try file.bytes(at: 0, count: Self.examinedLength)
    // The entries of an archive that are not compressed may be mail.
    let isArchive = ZIPArchive.isFormat(of: start)
    if !isArchive,
      let document = try messages(
        beginning: start, at: path,
        read: { try file.bytes(at: 0, count: Int(min(status.size, 1 << 30))) })
    {
      return document
    }
    if ZIMFile.isFormat(of: start) {
      return DocumentFile(path: path, zim: ZIMFile(path: path))
    }
    if PageContent.isCompressed(start) { return try compressedDocument(in: file, at: path) }
    guard !isOfOtherPrograms(path) else { return nil }
    let first = Self.archiveStart(in: start)
    let access = ByteAccess(size: status.size - Int64(first)) { offset, count in
      try file.bytes(at: offset + Int64(first), count: count)
    }
    // Only the first bytes of some books are damaged.
    guard
      isArchive || ZIPArchive.isFormat(of: Array(start[first...]))
        || path.lowercased().hasSuffix(".epub") && (try? ZIPArchive(access)) != nil
    else { return nil }
    let location = DocumentLocation(path: path)
    let archive = try ZIPArchive(
      access, recovering: isRecovering, decodingNames: ZIPNames.decoded)
    return try form(of: archive, at: location).map {
      DocumentFile(location: location, form: $0)
    }
  }

  /// Returns a mailbox, a mail, or a page that a browser saved with its resources.
  /// - Parameters:
  ///   - start: the beginning of the file, which is not an archive.
  ///   - path: the path of the file.
  ///   - read: returns the content of the file.
  /// - Returns: the file; nil if its format is another one.
  /// - Throws: `ContainerError`, or an error of `read`.
  private static func messages(
    beginning start: [UInt8], at path: String, read: () throws -> [UInt8]
  ) throws -> DocumentFile? {
    let location = DocumentLocation(path: path)
    if Mailbox.isFormat(of: start) {
      return DocumentFile(location: location, form: .mail(try Mailbox(mailbox: read())))
    }
    if isMessage(message(in: start, named: path), named: path) {
      let message = try Self.message(Self.message(in: read(), named: path))
      return DocumentFile(
        location: location,
        form: message.mail.isEmpty ? .message(message) : .mail(Mailbox(message)))
    }
    guard SafariArchive.isPossible(start) else { return nil }
    return try SafariArchive.message(read(), named: path).map {
      DocumentFile(location: location, form: .message($0))
    }
  }

  /// Opens a file whose content was read from a pipe or from an archive, if it is a `.webarchive`
  /// file or its format is based on ZIP. Mails and PDF files are read as single pages instead, and
  /// ZIM files need a path.
  /// - Parameters:
  ///   - content: the bytes of the file.
  ///   - path: the path of the pipe, or that of the file in the archive.
  /// - Returns: the file; nil if it does not contain pages.
  /// - Throws: `ReaderError.unreadableFile`.
  package static func open(
    _ content: [UInt8], from path: String
  ) throws(ReaderError) -> DocumentFile? {
    let location = DocumentLocation(path: path)
    do throws(ContainerError) {
      if SafariArchive.isPossible(content) {
        return try SafariArchive.message(content, named: path).map {
          DocumentFile(location: location, form: .message($0))
        }
      }
      let first = archiveStart(in: content)
      guard ZIPArchive.isFormat(of: Array(content[first...].prefix(4))), !isOfOtherPrograms(path)
      else { return nil }
      let archive = try ZIPArchive(
        ByteAccess(first > 0 ? Array(content[first...]) : content), recovering: true,
        decodingNames: ZIPNames.decoded)
      return try form(of: archive, at: location).map { DocumentFile(location: location, form: $0) }
    } catch {
      throw .unreadableFile(path: path, error.description)
    }
  }

  /// Returns the number of bytes before an archive, which may be a byte-order mark and white space
  /// that the scripts of some servers write; 0 if no archive follows.
  private static func archiveStart(in start: [UInt8]) -> Int {
    let isSpace = { (byte: UInt8) in [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF].contains(byte) }
    let count = start.prefix(64).prefix(while: isSpace).count
    return start[count...].starts(with: [0x50, 0x4B, 0x03, 0x04]) ? count : 0
  }

  /// Returns whether a file begins like a message. If its name has the extension of a message, a
  /// byte-order mark and empty lines may precede the header; in files of mail programs, mail fields
  /// suffice.
  static func isMessage(_ start: [UInt8], named path: String) -> Bool {
    if MIMEMessage.isFormat(of: start) { return true }
    let name = path.lowercased()
    let isMail = [".eml", ".emlx"].contains(where: name.hasSuffix)
    guard isMail || [".mht", ".mhtml"].contains(where: name.hasSuffix) else { return false }
    let header = Array(start[MIMEMessage.headerStart(in: start)...])
    return MIMEMessage.isFormat(of: header) || isMail && MIMEMessage.hasMailFields(header)
  }

  /// Returns the message in a file of Apple Mail (`.emlx`), which begins with a line with the
  /// length of the message, and ends with properties of the program; the bytes of other files
  /// unchanged.
  private static func message(in bytes: [UInt8], named path: String) -> [UInt8] {
    guard path.lowercased().hasSuffix(".emlx"),
      let lineEnd = bytes.prefix(32).firstIndex(of: 0x0A),
      case let digits = bytes.prefix(while: { (0x30...0x39).contains($0) }),
      let length = Int(String(decoding: digits, as: UTF8.self))
    else { return bytes }
    return Array(bytes[(lineEnd + 1)...].prefix(length))
  }

  /// Parses a message for which `isMessage` is true.
  private static func message(_ bytes: [UInt8]) throws(ContainerError) -> MIMEMessage {
    let start = MIMEMessage.headerStart(in: bytes)
    let content = start > 0 ? Array(bytes[start...]) : bytes
    return try MIMEMessage(content, isMail: !MIMEMessage.isFormat(of: content))
  }

  /// Returns the page with its resources in the content of an MHTML or `.webarchive` file.
  /// - Parameters:
  ///   - bytes: the content.
  ///   - name: the name of the file.
  /// - Returns: the page; nil if the file has another format.
  /// - Throws: `ContainerError`.
  package static func page(
    in bytes: [UInt8], named name: String
  ) throws(ContainerError) -> MIMEMessage? {
    let start = Array(bytes.prefix(examinedLength))
    guard isMessage(start, named: name) else {
      return SafariArchive.isPossible(start) ? try SafariArchive.message(bytes, named: name) : nil
    }
    let message = try Self.message(bytes)
    return message.mail.isEmpty ? message : nil
  }

  /// Creates a reference to a local ZIM file, which is not opened.
  package init(path: String, zim: ZIMFile) {
    (location, form) = (DocumentLocation(path: path), .zim(zim))
  }

  init(location: DocumentLocation, form: Format) {
    (self.location, self.form) = (location, form)
  }

  /// Parses an imported book or PDF file.
  /// - Parameters:
  ///   - content: the bytes of the file.
  ///   - location: its URL and name.
  /// - Throws: `ContainerError`; `.otherFormat` if it is neither an EPUB nor a PDF file.
  package init(book content: [UInt8], at location: DocumentLocation) throws(ContainerError) {
    self.location = location
    if PDFText.isFormat(of: content) {
      form = .pdf(content)
    } else {
      let archive = try ZIPArchive(ByteAccess(content), decodingNames: ZIPNames.decoded)
      guard EPUBPackage.isBook(archive) else { throw .otherFormat }
      let package = try EPUBPackage(archive)
      form = .book(package, archive, BookLocations(of: package, at: location))
    }
  }

  private static func form(
    of archive: ZIPArchive, at location: DocumentLocation
  ) throws(ContainerError) -> Format? {
    if EPUBPackage.isBook(archive) {
      do throws(ContainerError) {
        let package = try EPUBPackage(archive)
        return .book(package, archive, BookLocations(of: package, at: location))
      } catch {
        // The files of a truncated book can be read without its package.
        guard archive.isRecovered, error != .drmProtected else { throw error }
        return .files(archive)
      }
    }
    if let description = archive["datapackage.json"],
      archive.entries.contains(where: { $0.path.hasPrefix("archive/") })
        || isCollection(archive.beginning(of: description, upTo: 1 << 20))
    {
      return .captures(archive)
    }
    // Office documents (OOXML, OpenDocument).
    if archive["[Content_Types].xml"] != nil || archive["mimetype"] != nil { return nil }
    return .files(archive)
  }

  /// Returns whether a description is that of a collection of WACZ files.
  private static func isCollection(_ description: [UInt8]) -> Bool {
    String(decoding: description, as: UTF8.self).contains("\"multi-wacz-package\"")
  }

  /// Reads a mail, a mailbox or an MHTML page that was not opened as a local file.
  /// - Parameters:
  ///   - content: the bytes received.
  ///   - type: the declared media type.
  ///   - title: the title for a mail without a subject.
  /// - Returns: the page; nil if its media type or its bytes indicate another format, or if it
  ///   cannot be parsed.
  static func item(ofMessage content: [UInt8], type: MediaType, title: String) -> Item? {
    let isDeclared = messageTypes.contains(type.essence)
    guard isDeclared || type.essence == MediaType.unknownEssence else { return nil }
    do throws(ContainerError) {
      let start = isDeclared ? MIMEMessage.headerStart(in: content) : 0
      let bytes = start > 0 ? Array(content[start...]) : content
      if isDeclared ? bytes.starts(with: "From ".utf8) : Mailbox.isFormat(of: bytes) {
        let mailbox = try Mailbox(mailbox: bytes)
        return Item(try MailPages(name: title, mailbox: mailbox, attachmentURL: nil).item(at: ""))
      }
      guard isDeclared || MIMEMessage.isFormat(of: bytes) else { return nil }
      let message = try MIMEMessage(
        bytes, isMail: !MIMEMessage.isFormat(of: bytes) && MIMEMessage.hasMailFields(bytes))
      if message.mail.isEmpty { return try item(at: "", of: message) }
      return Item(
        try MailPages(name: title, mailbox: Mailbox(message), attachmentURL: nil).item(at: ""))
    } catch {
      return nil
    }
  }

  /// The media types of mails, mailboxes and MHTML pages.
  private static let messageTypes: Set<String> = [
    "message/rfc822", "message/global", "message/news", "application/mbox", "multipart/related",
    "multipart/mixed", "multipart/alternative", "application/x-mimearchive",
  ]

  /// Returns whether the file extension has a known media type other than ZIP and EPUB, such as
  /// that of an office document.
  private static func isOfOtherPrograms(_ path: String) -> Bool {
    guard let type = FileMediaType.byName(MediaType.nameOfContent(inFileNamed: path)) else {
      return false
    }
    return !["application/zip", "application/epub+zip"].contains(type)
  }

  /// The path or URL of the file, for messages.
  package var path: String { location.description }

  /// The name of the file, without its directory.
  package var name: String { location.name }

  /// The URL of the file.
  package var url: DocumentAddress { location.url }

  /// Returns the URL of an item of the file.
  package func url(of inner: String) -> DocumentAddress { location.url(of: inner) }

  /// Returns the item at a path in the file, ready to be displayed.
  /// - Parameter inner: the path; empty for the start page.
  /// - Returns: the item.
  /// - Throws: `ReaderError.unreadableFile`.
  package func item(at inner: String) throws(ReaderError) -> Item {
    do throws(ContainerError) {
      switch form {
      case .book(let package, let archive, let positions):
        return try BookPages(file: self, package: package, archive: archive, locations: positions)
          .item(at: inner)
      case .files(let archive):
        return try ArchivePages(file: self, archive: archive).item(at: inner)
      case .captures(let archive):
        return try CapturePages(file: self, archive: archive).item(at: inner)
      case .message(let message): return try Self.item(at: inner, of: message)
      case .mail(let mailbox):
        return Item(
          try MailPages(name: name, mailbox: mailbox) { url(of: $0).text }.item(at: inner))
      case .zim(let zim): return try ZIMPages(file: self, zim: zim).item(at: inner)
      case .pdf(let content):
        guard inner.isEmpty else { throw .missing(path: inner) }
        return Item(bytes: content, type: MediaType(PDFText.mediaType), title: name)
      }
    } catch {
      throw .unreadableFile(path: path, error.description)
    }
  }

  /// Returns the original bytes at a path in the file.
  /// - Throws: `ReaderError.unreadableFile`.
  package func content(at inner: String) throws(ReaderError) -> [UInt8] {
    guard case .book(_, let archive, _) = form else { return try item(at: inner).bytes }
    do throws(ContainerError) {
      return try archive.content(of: archive.path(matching: inner))
    } catch {
      throw .unreadableFile(path: path, error.description)
    }
  }

  /// Returns the book or archive in an archive of files to which a path leads, or which contains
  /// the item to which it leads.
  /// - Parameter inner: the path.
  /// - Returns: the book or archive, its bytes, and the path in it; nil if there is none.
  /// - Throws: `ReaderError.unreadableFile`.
  func containedFile(
    at inner: String
  ) throws(ReaderError) -> (file: DocumentFile, content: [UInt8], inner: String)? {
    guard case .files(let archive) = form else { return nil }
    var end = inner.endIndex
    while end > inner.startIndex {
      let name = String(inner[..<end])
      if let entry = archive[name], !entry.isDirectory {
        guard ZIPArchive.isFormat(of: archive.beginning(of: entry, upTo: 4)) else { return nil }
        let contained = "\(path)/\(name)"
        let content: [UInt8]
        do throws(ContainerError) {
          content = try archive.content(of: name)
        } catch {
          throw .unreadableFile(path: contained, error.description)
        }
        guard let file = try Self.open(content, from: contained) else { return nil }
        return (file, content, String(inner[end...].dropFirst()))
      }
      end = inner[..<end].lastIndex(of: "/") ?? inner.startIndex
    }
    return nil
  }

  /// Returns whether a URL refers to the file, to one of its items or to the directory that
  /// contains the file.
  package func isRelatedURL(_ address: DocumentAddress) -> Bool {
    address == url || address == location.directory || address.text.hasPrefix(url(of: "").text)
  }

  /// Returns the URL of the MIME part that an absolute URL or a `cid:` URL (RFC 2392) refers to, or
  /// of the file of a book or archive with the path of a `file:` URL, because a reference that
  /// begins with a slash refers to the root of the archive (EPUB 3.3 §4.2.5). Returns nil if the
  /// document has no such part.
  package func inner(for address: String) -> DocumentAddress? {
    var locations: PartLocations
    switch form {
    case .message(let message): locations = PartLocations(message.parts, base: message.location)
    case .mail(let mailbox): locations = PartLocations(mailbox.messages.flatMap(\.parts))
    case .book(_, let archive, _), .files(let archive):
      let address = DocumentAddress(address)
      guard !isRelatedURL(address), let path = address.filePath else { return nil }
      let inner = archive.path(matching: String(path.drop { $0 == "/" }))
      return archive[inner] == nil ? nil : url(of: inner)
    case .captures, .zim, .pdf: return nil
    }
    return locations.index(of: address).map { url(of: String($0)) }
  }

  private static func item(
    at inner: String, of message: MIMEMessage
  ) throws(ContainerError) -> Item {
    guard let number = inner.isEmpty ? message.rootIndex : Int(inner),
      message.parts.indices.contains(number)
    else { throw .missing(path: inner) }
    let part = message.parts[number]
    let url = message.url(ofPart: number)
    var frames = EmbeddedFrames(message)
    var item = Item(
      bytes: frames.page(part) ?? message.content(of: part), type: MediaType(part.type),
      base: WebURL(url)?.isWeb ?? false ? url : nil)
    // Of a file that ends with its page, only the last boundary is missing.
    let endsWithPage =
      part.isTruncated && number == message.parts.count - 1 && message.endsWithEndTag(part)
    if (part.isTruncated || inner.isEmpty && message.isTruncated) && !endsWithPage {
      item.notices.append(truncationNotice)
    }
    if inner.isEmpty, message.hasTooManyParts { item.notices.append(MailPages.limitNotice) }
    if inner.isEmpty, let reason = message.omittedParts.first {
      item.notices.append("the file \(reason)")
    }
    if item.type.isHTML {
      var locations = PartLocations(message.parts, base: message.location)
      item.styleSheet = LinkedStyleSheets(in: item.bytes).content(loadedBy: {
        styleSheet(at: $0, from: url, of: message, &locations)
      })
    }
    return item
  }

  /// Returns the style sheet to which a page refers and which is in the same message; nil if there
  /// is none. The URL of the page may be empty.
  private static func styleSheet(
    at reference: String, from address: String, of message: MIMEMessage,
    _ locations: inout PartLocations
  ) -> [UInt8]? {
    var number = locations.index(of: reference)
    if number == nil, let url = WebURL(address)?.resolve(reference) {
      number = locations.index(of: url.description)
    }
    guard let number, MediaType(message.parts[number].type).essence == "text/css" else {
      return nil
    }
    return message.content(of: message.parts[number])
  }
}

extension DocumentFile.Item {
  /// Creates an item from a page of a mailbox or from an attachment.
  fileprivate init(_ item: MailPages.Item) {
    self.init(bytes: item.bytes, type: item.type, notices: item.notices)
  }
}
