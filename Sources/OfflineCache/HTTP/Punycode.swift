/// The ASCII form of one label of an internationalised domain name (RFC 3492).
enum Punycode {
  /// The label with `xn--` in front, or nil when it cannot be encoded.
  static func encode(label: String) -> String? {
    let input = label.unicodeScalars.map { Int($0.value) }
    var output = input.filter { $0 < 0x80 }.map { UInt8($0) }
    let basic = output.count
    if basic > 0 { output.append(0x2D) }
    var next = 128
    var delta = 0
    var bias = 72
    var handled = basic
    while handled < input.count {
      guard let least = input.filter({ $0 >= next }).min() else { return nil }
      let (product, overflow) = (least - next).multipliedReportingOverflow(by: handled + 1)
      guard !overflow, product < 1 << 31 else { return nil }
      delta += product
      next = least
      for point in input {
        if point < next { delta += 1 }
        guard point == next else { continue }
        appendInteger(delta, bias: bias, to: &output)
        bias = adapted(delta, points: handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
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
