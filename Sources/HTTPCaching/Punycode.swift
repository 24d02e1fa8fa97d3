/// Punycode: the ASCII form of a label of an internationalized domain name (RFC 3492).
package enum Punycode {
  /// Decodes a label for display. Nothing but the syntax is checked (RFC 3492 §6.2).
  /// - Parameter label: The encoded label, beginning with `xn--`.
  /// - Returns: The decoded label; nil if the encoding is invalid.
  package static func decode(label: some StringProtocol) -> String? {
    let input = Array(label.utf8)
    guard input.count > 4, input.count <= 63, input.starts(with: "xn--".utf8),
      input.allSatisfy({ $0 < 0x80 })
    else { return nil }
    var rest = input.dropFirst(4)
    var output: [Unicode.Scalar] = []
    if let lastHyphen = rest.lastIndex(of: UInt8(ascii: "-")) {
      output = rest[..<lastHyphen].map { Unicode.Scalar($0) }
      rest = rest[(lastHyphen + 1)...]
    }
    var (next, position, bias) = (128, 0, 72)
    while !rest.isEmpty {
      let previousPosition = position
      var (weight, k) = (1, 36)
      while true {
        guard let byte = rest.popFirst(), let digit = value(of: byte) else { return nil }
        position += digit * weight
        guard position < 1 << 31 else { return nil }
        let threshold = min(max(k - bias, 1), 26)
        if digit < threshold { break }
        weight *= 36 - threshold
        guard weight < 1 << 31 else { return nil }
        k += 36
      }
      let count = output.count + 1
      bias = adapted(position - previousPosition, points: count, isFirst: previousPosition == 0)
      next += position / count
      position %= count
      guard let scalar = UInt32(exactly: next).flatMap(Unicode.Scalar.init) else { return nil }
      output.insert(scalar, at: position)
      position += 1
    }
    return String(String.UnicodeScalarView(output))
  }

  private static func value(of byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 26
    default: nil
    }
  }

  /// Returns the encoded label, beginning with `xn--`, or nil if it cannot be encoded.
  package static func encode(label: String) -> String? {
    let input = label.unicodeScalars.map { Int($0.value) }
    var output = input.filter { $0 < 0x80 }.map { UInt8($0) }
    let basicCount = output.count
    if basicCount > 0 { output.append(0x2D) }
    var next = 128
    var delta = 0
    var bias = 72
    var handledCount = basicCount
    while handledCount < input.count {
      guard let nextPoint = input.filter({ $0 >= next }).min() else { return nil }
      let (product, overflow) = (nextPoint - next).multipliedReportingOverflow(by: handledCount + 1)
      guard !overflow, product < 1 << 31 else { return nil }
      delta += product
      next = nextPoint
      for point in input {
        if point < next { delta += 1 }
        guard point == next else { continue }
        appendInteger(delta, bias: bias, to: &output)
        bias = adapted(delta, points: handledCount + 1, isFirst: handledCount == basicCount)
        delta = 0
        handledCount += 1
      }
      delta += 1
      next += 1
    }
    let ascii = "xn--" + String(decoding: output, as: UTF8.self)
    return ascii.utf8.count <= 63 ? ascii : nil
  }

  private static func appendInteger(_ value: Int, bias: Int, to output: inout [UInt8]) {
    var rest = value
    var k = 36
    while true {
      let threshold = min(max(k - bias, 1), 26)
      guard rest >= threshold else { break }
      output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
      rest = (rest - threshold) / (36 - threshold)
      k += 36
    }
    output.append(digit(rest))
  }

  private static func digit(_ value: Int) -> UInt8 {
    UInt8(value < 26 ? 0x61 + value : 0x30 + value - 26)
  }

  private static func adapted(_ delta: Int, points: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / points
    var k = 0
    while delta > 455 {
      delta /= 35
      k += 36
    }
    return k + 36 * delta / (delta + 38)
  }
}
