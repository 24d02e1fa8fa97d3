package import DOM

/// The encoding of submitted form data (`enctype`; HTML standard, section 4.10.22).
package enum FormEncoding: Sendable, Equatable {
  /// `application/x-www-form-urlencoded`
  case urlEncoded
  /// `multipart/form-data` (RFC 7578)
  case multipart
  /// `text/plain`
  case plainText

  /// A name and its submitted value.
  package struct Entry: Sendable, Equatable {
    package var name: String
    /// The text; nil for a file control, for which no file is uploaded.
    package var value: String?

    package init(_ name: String, _ value: String?) {
      self.name = name
      self.value = value
    }
  }

  /// Encodes entries.
  /// - Parameters:
  ///   - entries: The submitted entries in order.
  ///   - charset: The character encoding of the submitted text.
  /// - Returns: The media type and the content.
  package func encode(
    _ entries: [Entry], charset: CharacterEncoding
  ) -> (mediaType: String, content: [UInt8]) {
    let parts = entries.map { entry in
      (
        name: charset.encode(entry.name.withCRLFLineEndings),
        value: entry.value.map { charset.encode($0.withCRLFLineEndings) }
      )
    }
    switch self {
    case .urlEncoded: return ("application/x-www-form-urlencoded", Self.urlEncoded(parts))
    case .plainText:
      let lines = parts.map { part -> [UInt8] in
        part.name + CollectionOfOne(UInt8(ascii: "=")) + (part.value ?? []) + Self.crlf
      }
      return ("text/plain", Array(lines.joined()))
    case .multipart:
      let boundary = Self.boundary(for: parts)
      return ("multipart/form-data; boundary=\(boundary)", Self.multipart(parts, boundary))
    }
  }

  private typealias EncodedEntry = (name: [UInt8], value: [UInt8]?)
  private static let crlf: [UInt8] = [0x0D, 0x0A]

  // MARK: application/x-www-form-urlencoded

  private static func urlEncoded(_ parts: [EncodedEntry]) -> [UInt8] {
    var result: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index > 0 { result.append(UInt8(ascii: "&")) }
      appendPercentEncoded(part.name, to: &result)
      result.append(UInt8(ascii: "="))
      appendPercentEncoded(part.value ?? [], to: &result)
    }
    return result
  }

  /// Appends bytes with all but ASCII letters, digits and `*-._` percent-encoded, and spaces as `+`
  /// (URL standard, section 1.3).
  private static func appendPercentEncoded(_ bytes: [UInt8], to result: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in bytes {
      switch byte {
      case 0x20: result.append(UInt8(ascii: "+"))
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2A, 0x2D, 0x2E, 0x5F: result.append(byte)
      default: result += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
  }

  // MARK: multipart/form-data

  private static func multipart(_ parts: [EncodedEntry], _ boundary: String) -> [UInt8] {
    var result: [UInt8] = []
    for part in parts {
      result += "--\(boundary)\r\nContent-Disposition: form-data; name=\"".utf8
      result += escaped(part.name)
      result += "\"".utf8
      if part.value == nil {
        result += "; filename=\"\"\r\nContent-Type: application/octet-stream".utf8
      }
      result += crlf + crlf + (part.value ?? []) + crlf
    }
    return result + "--\(boundary)--\r\n".utf8
  }

  /// Escapes the characters that would end a quoted name.
  private static func escaped(_ name: [UInt8]) -> [UInt8] {
    name.flatMap { byte -> [UInt8] in
      switch byte {
      case 0x22: Array("%22".utf8)
      case 0x0D: Array("%0D".utf8)
      case 0x0A: Array("%0A".utf8)
      default: [byte]
      }
    }
  }

  /// Returns a multipart boundary that does not occur in the content: a hash of all content, which
  /// the author of one part cannot predict. If it occurs anyway, hashing continues.
  private static func boundary(for parts: [EncodedEntry]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    while true {
      var message = ""
      for _ in 0..<2 {
        for part in parts {
          for byte in part.name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
          for byte in part.value ?? [] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        let digits = String(hash, radix: 16)
        message += String(repeating: "0", count: 16 - digits.count) + digits
      }
      let boundary = "offread-\(message)"
      let occurs = parts.contains { part in
        contains(boundary, in: part.name) || contains(boundary, in: part.value ?? [])
      }
      if !occurs { return boundary }
    }
  }

  private static func contains(_ boundary: String, in bytes: [UInt8]) -> Bool {
    let boundary = Array(boundary.utf8)
    var start = 0
    while let first = bytes[start...].firstIndex(of: boundary[0]) {
      if bytes[first...].starts(with: boundary) { return true }
      start = first + 1
    }
    return false
  }
}

extension String {
  /// The string with CR LF line endings.
  fileprivate var withCRLFLineEndings: String {
    guard utf8.contains(where: { $0 == 0x0D || $0 == 0x0A }) else { return self }
    var result: [UInt8] = []
    for byte in withLFLineEndings.utf8 {
      if byte == 0x0A { result.append(0x0D) }
      result.append(byte)
    }
    return String(decoding: result, as: UTF8.self)
  }
}
