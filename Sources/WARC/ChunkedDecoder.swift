/// Removes the chunked transfer coding (RFC 9112 §7.1) from a recorded body.
///
/// Many archives contain bodies from which the coding was removed while the `Transfer-Encoding`
/// field stayed. A body that does not begin with a chunk size and CRLF is therefore passed through
/// unchanged. A first line that ends with LF is text, such as the number of a subtitle.
package struct ChunkedDecoder: Sendable {
  private enum State {
    case size, blank, extensions, data, dataEnd, trailer, trailerLine, finished, broken, verbatim
  }

  private var state = State.size
  private var size: Int64 = 0
  /// The bytes of the first size line, which are passed through if the body is not chunked.
  private var firstLine: [UInt8] = []
  private var digitCount = 0
  private var isFirst = true

  package init() {}

  /// Whether the body is complete: the last chunk and the trailers were read, or it is not chunked.
  package var isFinished: Bool { state == .finished || state == .verbatim }

  /// Whether the body is passed through because it does not begin like a chunked one.
  package var isVerbatim: Bool { state == .verbatim }

  /// Decodes the next piece of a body.
  /// - Returns: the content in this piece.
  package mutating func decode(_ input: [UInt8]) -> [UInt8] {
    if state == .verbatim { return input }
    var output: [UInt8] = []
    output.reserveCapacity(input.count)
    var index = 0
    while index < input.count {
      if state == .data {
        let count = Int(min(size, Int64(input.count - index)))
        output.append(contentsOf: input[index..<index + count])
        index += count
        size -= Int64(count)
        if size == 0 { state = .dataEnd }
        continue
      }
      if isFirst { firstLine.append(input[index]) }
      guard step(input[index]) else {
        // Not chunked: pass through the bytes that were parsed as a size, and the rest.
        state = .verbatim
        output.append(contentsOf: firstLine)
        output.append(contentsOf: input[(index + 1)...])
        return output
      }
      index += 1
    }
    return output
  }

  /// Processes one byte outside of chunk data.
  /// - Returns: false if the body is not chunked.
  private mutating func step(_ byte: UInt8) -> Bool {
    switch state {
    case .size: return sizeStep(byte)
    case .blank:
      if byte == 32 || byte == 9 { return true }
      guard byte == 10 || byte == 13 || byte == UInt8(ascii: ";") else { return fail() }
      if byte == 10 { return endSizeLine() }
      state = .extensions
    case .extensions:
      if byte == 10 { return endSizeLine() }
      return !isFirst || firstLine.count < 4096
    case .dataEnd:
      if byte == 10 { state = .size }
    case .trailer:
      if byte == 10 { state = .finished } else if byte != 13 { state = .trailerLine }
    case .trailerLine:
      if byte == 10 { state = .trailer }
    case .data, .finished, .broken, .verbatim: break
    }
    return true
  }

  private mutating func sizeStep(_ byte: UInt8) -> Bool {
    let digit: Int64? =
      switch byte {
      case 0x30...0x39: Int64(byte) - 0x30
      case 0x41...0x46, 0x61...0x66: Int64(byte | 0x20) - 0x61 + 10
      default: nil
      }
    // Some servers write leading zeros. Sixteen digits are the maximum of libcurl.
    if let digit, digitCount < 16, size < 1 << 59 {
      size = size << 4 | digit
      digitCount += 1
      return true
    }
    guard digitCount > 0, digit == nil else { return fail() }
    switch byte {
    case 10: return endSizeLine()
    case 32, 9: state = .blank
    case 13, UInt8(ascii: ";"): state = .extensions
    default: return fail()
    }
    return true
  }

  /// Handles an invalid size line: if it is the first, the body is not chunked; otherwise, the body
  /// ends here.
  /// - Returns: false if the body is not chunked.
  private mutating func fail() -> Bool {
    if !isFirst { state = .broken }
    return !isFirst
  }

  /// Handles the LF at the end of a size line.
  /// - Returns: false if the body is not chunked.
  private mutating func endSizeLine() -> Bool {
    guard !isFirst || firstLine.dropLast().last == 13 else { return fail() }
    isFirst = false
    firstLine = []
    digitCount = 0
    state = size == 0 ? .trailer : .data
    return true
  }
}
