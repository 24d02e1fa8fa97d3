import Platform
package import Containers
import Document
import Formats
package import Exchange
import Foundation
import OfflineCache

/// A file that has pages in it: a book, a saved page with its files, an archive. It is one of this machine, or was
/// imported. What is in it has addresses below that of the file: `file:///books/a.epub/OEBPS/1.xhtml`.
package struct DocumentFile: Sendable {
  /// Where it is.
  let place: DocumentPlace
  /// What it is.
  package let form: Form

  /// The kinds of file that have pages in them.
  package enum Form: Sendable {
    /// A book.
    case book(EPUBPackage, ZIPArchive, BookPlaces)
    /// Files in folders.
    case files(ZIPArchive)
    /// Captures of pages (WACZ 1.1.1).
    case captures(ZIPArchive)
    /// A page with all that it needs.
    case message(MIMEMessage)
    /// Mail.
    case mail(Mailbox)
    /// Pages of a site, such as Wikipedia (openZIM).
    case zim(ZIMFile)
    /// Pages as they are printed.
    case pdf([UInt8])
  }

  /// Something in it, ready to be shown.
  struct Item: Sendable {
    /// Its content.
    var bytes: [UInt8]
    /// What is known of its type.
    var type: MediaType
    /// Its address, where it was asked for under another one.
    var url: String?
    /// What it is called where it does not say it itself.
    var title: String?
    /// The address against which its links are resolved; nil for its own.
    var base: String?
    /// What stands around it: links to the parts before and after it.
    var frame: PageFrame?
    /// Its place among the parts that are read.
    var parts: PartList?
    /// The style sheets that it links to, one after the other.
    var styleSheet: [UInt8] = []
    /// What a person should hear of it.
    var notices: [String] = []
  }

  /// So much of a file tells what it is.
  private static let beginning = 1 << 14

  /// Opens a file.
  /// - Parameter path: its path.
  /// - Returns: nil for a file of another kind.
  /// - Throws: `ReaderError.unreadableFile`.
  package static func open(_ path: String) throws(ReaderError) -> DocumentFile? {
    do {
      let descriptor = LocalFile.descriptor(path)
      guard descriptor >= 0 else {
        guard errno != ENOENT, errno != ENOTDIR else { return nil }
        throw LocalFile.failure(path)
      }
      let file = LocalFileSystem().takeForReading(descriptor, path)
      let status = try file.status()
      guard status.isFile else { return nil }
      let start = try file.bytes(at: 0, count: Self.beginning)
      if Mailbox.isBegun(by: start) {
        let bytes = try file.bytes(at: 0, count: Int(min(status.size, 1 << 30)))
        return DocumentFile(
          place: DocumentPlace(path: path), form: .mail(try Mailbox(mailbox: bytes)))
      }
      if MIMEMessage.isBegun(by: start) {
        let bytes = try file.bytes(at: 0, count: Int(min(status.size, 1 << 30)))
        let message = try MIMEMessage(bytes)
        return DocumentFile(
          place: DocumentPlace(path: path),
          form: message.mail.isEmpty ? .message(message) : .mail(Mailbox(message)))
      }
      if ZIMFile.isBegun(by: start) {
        return DocumentFile(path: path, zim: ZIMFile(path: path))
      }
      guard ZIPArchive.isBegun(by: start), !isOfOtherPrograms(path) else { return nil }
      let access = ByteAccess(size: status.size) { offset, count in
        try file.bytes(at: offset, count: count)
      }
      let place = DocumentPlace(path: path)
      return try form(of: ZIPArchive(access), at: place).map {
        DocumentFile(place: place, form: $0)
      }
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

  /// A ZIM file of this machine.
  init(path: String, zim: ZIMFile) {
    (place, form) = (DocumentPlace(path: path), .zim(zim))
  }

  private init(place: DocumentPlace, form: Form) {
    (self.place, self.form) = (place, form)
  }

  /// A book that was imported.
  /// - Parameters:
  ///   - content: the file.
  ///   - place: its address and name.
  /// - Throws: `ContainerError`; `.otherFormat` when it is no book.
  package init(book content: [UInt8], at place: DocumentPlace) throws(ContainerError) {
    self.place = place
    if PDFText.isBegun(by: content) {
      form = .pdf(content)
    } else {
      let archive = try ZIPArchive(ByteAccess(content))
      guard EPUBPackage.isBook(archive) else { throw .otherFormat }
      let package = try EPUBPackage(archive)
      form = .book(package, archive, BookPlaces(of: package, at: place))
    }
  }

  private static func form(
    of archive: ZIPArchive, at place: DocumentPlace
  ) throws(ContainerError) -> Form? {
    if EPUBPackage.isBook(archive) {
      let package = try EPUBPackage(archive)
      return .book(package, archive, BookPlaces(of: package, at: place))
    }
    if archive["datapackage.json"] != nil,
      archive.entries.contains(where: { $0.path.hasPrefix("archive/") })
    {
      return .captures(archive)
    }
    // Documents of office programs.
    if archive["[Content_Types].xml"] != nil || archive["mimetype"] != nil { return nil }
    return .files(archive)
  }

  /// Reads mail, a mailbox or an MHTML page that was not opened as a local file.
  /// - Parameters:
  ///   - content: the bytes received.
  ///   - type: the declared media type.
  ///   - title: the title for mail without a subject.
  /// - Returns: the page; nil when the content is of another kind by its type or its bytes, or cannot be parsed.
  static func item(ofMessage content: [UInt8], type: MediaType, title: String) -> Item? {
    let isSaid = messageTypes.contains(type.essence)
    guard isSaid || type.essence == MediaType.unknown else { return nil }
    do throws(ContainerError) {
      if isSaid ? content.starts(with: "From ".utf8) : Mailbox.isBegun(by: content) {
        let mailbox = try Mailbox(mailbox: content)
        return Item(try MailPages(name: title, mailbox: mailbox, address: nil).item(at: ""))
      }
      guard isSaid || MIMEMessage.isBegun(by: content) else { return nil }
      let message = try MIMEMessage(content)
      if message.mail.isEmpty { return try item(at: "", of: message) }
      return Item(
        try MailPages(name: title, mailbox: Mailbox(message), address: nil).item(at: ""))
    } catch {
      return nil
    }
  }

  /// The media types of mail, of mailboxes and of pages that browsers save.
  private static let messageTypes: Set<String> = [
    "message/rfc822", "message/global", "message/news", "application/mbox", "multipart/related",
    "multipart/mixed", "multipart/alternative", "application/x-mimearchive",
  ]

  /// Whether a name says that other programs read it, though it is packed as they are.
  private static func isOfOtherPrograms(_ path: String) -> Bool {
    guard let type = FileMediaType.byName(path) else { return false }
    return !["application/zip", "application/epub+zip"].contains(type)
  }

  /// What it is called in messages.
  package var path: String { place.words }

  /// Its name.
  package var name: String { place.name }

  /// The address of the file.
  var url: String { place.url }

  /// The address of something in it.
  func url(of inner: String) -> String { place.url(of: inner) }

  /// What is shown for a path in the file.
  /// - Parameter inner: the path; empty for the file itself.
  /// - Returns: the item.
  /// - Throws: `ReaderError.unreadableFile`.
  func item(at inner: String) throws(ReaderError) -> Item {
    do throws(ContainerError) {
      switch form {
      case .book(let package, let archive, let places):
        return try BookPages(file: self, package: package, archive: archive, places: places)
          .item(at: inner)
      case .files(let archive):
        return try ArchivePages(file: self, archive: archive).item(at: inner)
      case .captures(let archive):
        return try CapturePages(file: self, archive: archive).item(at: inner)
      case .message(let message): return try Self.item(at: inner, of: message)
      case .mail(let mailbox):
        return Item(
          try MailPages(name: name, mailbox: mailbox) { url(of: $0) }.item(at: inner))
      case .zim(let zim): return try ZIMPages(file: self, zim: zim).item(at: inner)
      case .pdf(let content):
        guard inner.isEmpty else { throw .missing(path: inner) }
        return Item(bytes: content, type: MediaType(PDFText.mediaType), title: name)
      }
    } catch {
      throw .unreadableFile(path: path, error.description)
    }
  }

  /// What there is at a path in the file, as it is.
  /// - Throws: `ReaderError.unreadableFile`.
  func content(at inner: String) throws(ReaderError) -> [UInt8] {
    guard case .book(_, let archive, _) = form else { return try item(at: inner).bytes }
    do throws(ContainerError) {
      return try archive.content(of: archive.path(matching: inner))
    } catch {
      throw .unreadableFile(path: path, error.description)
    }
  }

  /// Whether an address is that of the file, of something in it, or of the folder that it is in.
  func isNear(_ address: String) -> Bool {
    address == url || address == place.folder || address.hasPrefix(url(of: ""))
  }

  /// The address in it of what an absolute address, or a `cid:` one, means; nil when it has nothing of the kind.
  func inner(for address: String) -> String? {
    let parts: [MIMEMessage.Part]
    switch form {
    case .message(let message): parts = message.parts
    case .mail(let mailbox): parts = mailbox.messages.flatMap(\.parts)
    default: return nil
    }
    let id = address.hasPrefix("cid:") ? address.dropFirst(4).removingPercentEncoding : nil
    let index =
      if let id {
        parts.firstIndex { $0.id == id }
      } else {
        parts.firstIndex { $0.location == address } ?? Self.part(at: address, of: parts)
      }
    return index.map { url(of: String($0)) }
  }

  /// Returns the part whose location is an equivalent URL, or is relative to the location of an earlier part.
  private static func part(at address: String, of parts: [MIMEMessage.Part]) -> Int? {
    guard let wanted = WebURL(address)?.withoutFragment else { return nil }
    var base: WebURL?
    return parts.firstIndex { part in
      guard !part.location.isEmpty else { return false }
      let location = WebURL(part.location) ?? base?.resolve(part.location)
      if base == nil { base = location }
      return location?.withoutFragment == wanted
    }
  }

  private static func item(
    at inner: String, of message: MIMEMessage
  ) throws(ContainerError) -> Item {
    let number = inner.isEmpty ? message.root : Int(inner) ?? -1
    guard message.parts.indices.contains(number) else { throw .missing(path: inner) }
    let part = message.parts[number]
    let address = part.location.isEmpty && number == message.root ? message.address : part.location
    return Item(
      bytes: message.content(of: part), type: MediaType(part.type),
      base: WebURL(address)?.isWeb ?? false ? address : nil,
      notices: part.isCut || inner.isEmpty && message.isCut
        ? ["the file ends in the middle: what could be read of it is shown"] : [])
  }
}

extension DocumentFile.Item {
  /// The page of mail, or an attachment.
  fileprivate init(_ item: MailPages.Item) {
    self.init(bytes: item.bytes, type: item.type, notices: item.notices)
  }
}
