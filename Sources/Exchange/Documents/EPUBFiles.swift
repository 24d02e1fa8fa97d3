import Containers
import DOM

/// The files that describe a book (EPUB 3.3 §4).
enum EPUBFiles {
  static let container = "META-INF/container.xml"
  /// The maximum size in bytes of a file that is read.
  private static let maxLength = 32 << 20
  /// The maximum number of nodes of an element whose text is read; elements with names and titles
  /// are small.
  private static let maxPieces = 100

  /// Returns the path of the package document.
  static func packagePath(in archive: ZIPArchive) throws(ContainerError) -> String {
    if archive[container] != nil {
      for element in try tree(of: container, in: archive).elements
      where element.name == "rootfile" {
        if let path = element.attribute("full-path").map(archive.path), archive[path] != nil {
          return path
        }
      }
    }
    guard let entry = archive.entries.first(where: { $0.path.lowercased().hasSuffix(".opf") })
    else { throw .damaged("it has no package (.opf)") }
    return entry.path
  }

  /// Returns the path, in the spelling of the archive, of the file that a reference points to; nil
  /// if it leads out of the book.
  static func path(of reference: String, from file: String, in archive: ZIPArchive) -> String? {
    ContainedPath.resolve(reference, from: file).map(archive.path)
  }

  /// Parses a file of the book.
  static func tree(of path: String, in archive: ZIPArchive) throws(ContainerError) -> XMLTree {
    XMLTree(Array(try text(of: path, in: archive).utf8))
  }

  /// Returns the text of a file of the book.
  static func text(of path: String, in archive: ZIPArchive) throws(ContainerError) -> String {
    guard let entry = archive[path] else { throw .missing(path: path) }
    guard entry.size <= maxLength else { throw .tooLarge(path: path, limit: Int64(maxLength)) }
    let bytes = try archive.content(of: path)
    let encoding = CharacterEncoding.detect(bytes, charset: nil, isMarkup: false)
    return String(decoding: encoding.decode(bytes), as: UTF8.self)
  }

  /// Returns the text of an element with single spaces.
  static func line(_ element: XMLElement) -> String {
    element.text(upTo: maxPieces).split { $0.isWhitespace }.joined(separator: " ")
  }

  /// Returns the paths of encrypted files, except obfuscated fonts.
  static func encryptedPaths(in archive: ZIPArchive) -> Set<String> {
    guard let tree = try? tree(of: "META-INF/encryption.xml", in: archive) else { return [] }
    var paths: Set<String> = []
    var isLock = false
    for element in tree.elements {
      switch element.name {
      case "encryptionmethod":
        isLock = !fontMethods.contains(element.attribute("Algorithm") ?? "")
      case "cipherreference" where isLock:
        let reference = element.attribute("URI") ?? ""
        if let path = path(of: reference, from: "", in: archive) { paths.insert(path) }
      default: break
      }
    }
    return paths
  }

  private static let fontMethods = [
    "http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC",
  ]
}
