internal import Glibc

/// Reads the path grammar of SVG 1.1 (section 8.3), with relative and absolute commands.
struct VectorPathReader {
  private let bytes: [UInt8]
  private var position = 0
  private var result: [VectorPath.Step] = []
  private var current = (x: 0.0, y: 0.0)
  private var start = (x: 0.0, y: 0.0)
  /// The last control point of the previous curve. A smooth curve reflects this point. Nil if the last command was not
  /// a curve.
  private var control: (x: Double, y: Double)?
  private var lastWasCubic = false

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func steps() throws(VectorPath.ParseError) -> [VectorPath.Step] {
    skipSpace()
    while position < bytes.count {
      let command = bytes[position]
      guard Self.isLetter(command) else { throw .syntax(at: position) }
      if result.isEmpty, command != UInt8(ascii: "M"), command != UInt8(ascii: "m") {
        throw .syntax(at: position)
      }
      position += 1
      try perform(command)
      skipSpace()
    }
    return result
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
  }

  /// Performs a command, once for each set of numbers that follows the letter.
  private mutating func perform(_ letter: UInt8) throws(VectorPath.ParseError) {
    let isRelative = letter & 0x20 != 0
    var command = letter | 0x20
    if command == UInt8(ascii: "z") {
      result.append(.close)
      current = start
      control = nil
      return
    }
    repeat {
      guard result.count < VectorPath.limit else { throw .outOfBounds }
      try one(command, isRelative)
      // After the letter of a move command, the first pair of numbers is a move. Each further pair is a line.
      if command == UInt8(ascii: "m") { command = UInt8(ascii: "l") }
      skipSpace()
    } while position < bytes.count && !Self.isLetter(bytes[position])
  }

  private mutating func one(_ command: UInt8, _ isRelative: Bool) throws(VectorPath.ParseError) {
    let origin = isRelative ? current : (x: 0.0, y: 0.0)
    switch command {
    case UInt8(ascii: "m"):
      current = try point(origin)
      start = current
      control = nil
      result.append(.move(current.x, current.y))
    case UInt8(ascii: "l"): line(to: try point(origin))
    case UInt8(ascii: "h"): line(to: (try number() + origin.x, current.y))
    case UInt8(ascii: "v"): line(to: (current.x, try number() + origin.y))
    case UInt8(ascii: "c"):
      let first = try point(origin)
      cubic(first, try point(origin), try point(origin))
    case UInt8(ascii: "s"):
      let first = reflected(ofCubic: true)
      cubic(first, try point(origin), try point(origin))
    case UInt8(ascii: "q"):
      let middle = try point(origin)
      quadratic(middle, try point(origin))
    case UInt8(ascii: "t"): quadratic(reflected(ofCubic: false), try point(origin))
    case UInt8(ascii: "a"): try arc(origin)
    default: throw .syntax(at: position - 1)
    }
  }

  // MARK: Steps

  private mutating func line(to end: (x: Double, y: Double)) {
    current = end
    control = nil
    result.append(.line(end.x, end.y))
  }

  private mutating func cubic(
    _ first: (x: Double, y: Double), _ second: (x: Double, y: Double), _ end: (x: Double, y: Double)
  ) {
    result.append(.curve(first.x, first.y, second.x, second.y, end.x, end.y))
    current = end
    control = second
    lastWasCubic = true
  }

  private mutating func quadratic(
    _ middle: (x: Double, y: Double), _ end: (x: Double, y: Double)
  ) {
    func toward(_ from: (x: Double, y: Double)) -> (x: Double, y: Double) {
      (from.x + (middle.x - from.x) * 2 / 3, from.y + (middle.y - from.y) * 2 / 3)
    }
    let (first, second) = (toward(current), toward(end))
    cubic(first, second, end)
    control = middle
    lastWasCubic = false
  }

  private func reflected(ofCubic isCubic: Bool) -> (x: Double, y: Double) {
    guard let control, lastWasCubic == isCubic else { return current }
    return (2 * current.x - control.x, 2 * current.y - control.y)
  }

  /// Reads an arc, and computes its centre from its end points (SVG 1.1, F.6.5). Adds one curve for each quarter turn
  /// of the arc; the last curve can be shorter.
  private mutating func arc(_ origin: (x: Double, y: Double)) throws(VectorPath.ParseError) {
    var (rx, ry) = (try number().magnitude, try number().magnitude)
    let turn = try number() * .pi / 180
    let (isLarge, isPositive) = (try flag(), try flag())
    let end = try point(origin)
    let (dx, dy) = ((current.x - end.x) / 2, (current.y - end.y) / 2)
    guard rx > 1e-9, ry > 1e-9, dx != 0 || dy != 0 else { return line(to: end) }
    let (c, s) = (cos(turn), sin(turn))
    let (px, py) = (c * dx + s * dy, -s * dx + c * dy)
    let excess = px * px / (rx * rx) + py * py / (ry * ry)
    if excess > 1 {
      rx *= excess.squareRoot()
      ry *= excess.squareRoot()
    }
    let denominator = rx * rx * py * py + ry * ry * px * px
    let root = max(0, (rx * rx * ry * ry - denominator) / denominator).squareRoot()
    let factor = isLarge == isPositive ? -root : root
    let (mx, my) = (factor * rx * py / ry, -factor * ry * px / rx)
    let center = (
      x: c * mx - s * my + (current.x + end.x) / 2, y: s * mx + c * my + (current.y + end.y) / 2
    )
    let first = atan2((py - my) / ry, (px - mx) / rx)
    var sweep = atan2((-py - my) / ry, (-px - mx) / rx) - first
    if isPositive, sweep < 0 { sweep += 2 * .pi }
    if !isPositive, sweep > 0 { sweep -= 2 * .pi }
    let count = max(1, Int((sweep.magnitude / (.pi / 2)).rounded(.up)))
    let step = sweep / Double(count)
    let reach = 4.0 / 3 * tan(step / 4)
    func transformed(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      (center.x + c * rx * x - s * ry * y, center.y + s * rx * x + c * ry * y)
    }
    for index in 0..<count {
      let (a, b) = (first + step * Double(index), first + step * Double(index + 1))
      cubic(
        transformed(cos(a) - reach * sin(a), sin(a) + reach * cos(a)),
        transformed(cos(b) + reach * sin(b), sin(b) - reach * cos(b)),
        index == count - 1 ? end : transformed(cos(b), sin(b)))
    }
    control = nil
  }

  // MARK: Numbers and flags

  private mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0C, 0x0D, 0x2C].contains(bytes[position]) {
      position += 1
    }
  }

  private mutating func point(_ origin: (x: Double, y: Double)) throws(VectorPath.ParseError)
    -> (x: Double, y: Double)
  {
    let x = try number()
    return (x + origin.x, try number() + origin.y)
  }

  /// Reads a flag, which is one digit, 0 or 1. The next number can follow without a space.
  private mutating func flag() throws(VectorPath.ParseError) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == 0x30 || bytes[position] == 0x31 else {
      throw .syntax(at: position)
    }
    position += 1
    return bytes[position - 1] == 0x31
  }

  private mutating func number() throws(VectorPath.ParseError) -> Double {
    skipSpace()
    let begin = position
    func byte(_ at: Int) -> UInt8 { at < bytes.count ? bytes[at] : 0 }
    func isDigit(_ at: Int) -> Bool { byte(at) >= 0x30 && byte(at) <= 0x39 }
    if byte(position) == UInt8(ascii: "-") || byte(position) == UInt8(ascii: "+") { position += 1 }
    while isDigit(position) { position += 1 }
    if byte(position) == UInt8(ascii: ".") {
      position += 1
      while isDigit(position) { position += 1 }
    }
    if byte(position) | 0x20 == UInt8(ascii: "e") {
      let sign = byte(position + 1) == UInt8(ascii: "-") || byte(position + 1) == UInt8(ascii: "+")
      if isDigit(position + (sign ? 2 : 1)) {
        position += sign ? 2 : 1
        while isDigit(position) { position += 1 }
      }
    }
    var text = String(decoding: bytes[begin..<position], as: UTF8.self)
    // SVG permits numbers such as `.5` and `5.`. The standard library rejects these forms, so zeros are added.
    if text.hasSuffix(".") { text += "0" }
    if text.hasPrefix(".") { text = "0" + text }
    if text.hasPrefix("-.") { text = "-0" + text.dropFirst() }
    if text.hasPrefix("+") { text.removeFirst() }
    guard let value = Double(text) else { throw .syntax(at: begin) }
    guard value.isFinite, value.magnitude <= 100_000 else { throw .outOfBounds }
    return value
  }
}
