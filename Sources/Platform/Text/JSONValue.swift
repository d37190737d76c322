/// A parsed JSON text (RFC 8259). Integers that fit into 64 bits stay integers.
package indirect enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// An integer that is too large for `integer`.
  case unsigned(UInt64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  /// Members in the order of the text. A name can occur more than once.
  case object([(name: String, value: JSONValue)])

  /// The maximum depth of nested values. A text with deeper values is refused.
  package static let maximumDepth = 64

  /// The error for a text that is not valid JSON.
  package struct ParseError: Error, Equatable, Sendable {
    /// Number of bytes before the error.
    package let offset: Int
  }

  /// Parses a text. Time and memory are at most proportional to the length of the text.
  package init(_ text: [UInt8]) throws(ParseError) {
    var reader = JSONReader(text)
    self = try reader.whole()
  }

  /// The value of the first member with this name. Nil if there is no such member, or if this value is not an object.
  package subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { return members.first { $0.name == name }?.value }
    return nil
  }

  package static func == (one: JSONValue, other: JSONValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.unsigned(let a), .unsigned(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.name == $1.name && $0.value == $1.value }
    default: false
    }
  }
}

private struct JSONReader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func whole() throws(JSONValue.ParseError) -> JSONValue {
    let value = try value(0)
    skipSpace()
    guard index == bytes.count else { throw parseError }
    return value
  }

  private var parseError: JSONValue.ParseError { JSONValue.ParseError(offset: index) }
  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
  }

  private mutating func consume(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue)
    throws(JSONValue.ParseError) -> JSONValue
  {
    let expected = Array("\(word)".utf8)
    guard bytes[index...].starts(with: expected) else { throw parseError }
    index += expected.count
    return value
  }

  private mutating func value(_ depth: Int) throws(JSONValue.ParseError) -> JSONValue {
    guard depth < JSONValue.maximumDepth else { throw parseError }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func object(_ depth: Int) throws(JSONValue.ParseError) -> JSONValue {
    index += 1
    var members: [(name: String, value: JSONValue)] = []
    skipSpace()
    if consume(UInt8(ascii: "}")) { return .object([]) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw parseError }
      let name = try string()
      skipSpace()
      guard consume(UInt8(ascii: ":")) else { throw parseError }
      members.append((name, try value(depth + 1)))
      skipSpace()
    } while consume(UInt8(ascii: ","))
    guard consume(UInt8(ascii: "}")) else { throw parseError }
    return .object(members)
  }

  private mutating func array(_ depth: Int) throws(JSONValue.ParseError) -> JSONValue {
    index += 1
    var elements: [JSONValue] = []
    skipSpace()
    if consume(UInt8(ascii: "]")) { return .array([]) }
    repeat {
      elements.append(try value(depth + 1))
      skipSpace()
    } while consume(UInt8(ascii: ","))
    guard consume(UInt8(ascii: "]")) else { throw parseError }
    return .array(elements)
  }

  private mutating func number() throws(JSONValue.ParseError) -> JSONValue {
    let rest = bytes[index...].prefix { byte in
      (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
    }
    let text = String(decoding: rest, as: UTF8.self)
    guard let first = rest.first, first != UInt8(ascii: "+"), rest.count <= 64 else {
      throw parseError
    }
    let value: JSONValue
    if let whole = Int64(text) {
      value = .integer(whole)
    } else if let whole = UInt64(text) {
      value = .unsigned(whole)
    } else if let number = Double(text), number.isFinite {
      value = .number(number)
    } else {
      throw parseError
    }
    index += rest.count
    return value
  }

  private mutating func string() throws(JSONValue.ParseError) -> String {
    index += 1
    var scalars: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw parseError }
      index += 1
      if byte != UInt8(ascii: "\\") {
        scalars.append(byte)
      } else {
        scalars += try escape()
      }
    }
    guard consume(UInt8(ascii: "\"")), let text = String(validating: scalars, as: UTF8.self)
    else { throw parseError }
    return text
  }

  private mutating func escape() throws(JSONValue.ParseError) -> [UInt8] {
    guard let byte = next else { throw parseError }
    index += 1
    switch byte {
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "u"): break
    default: throw parseError
    }
    var code = UInt32(try hexadecimal())
    if (0xD800..<0xDC00).contains(code) {
      guard consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")) else { throw parseError }
      let low = UInt32(try hexadecimal())
      guard (0xDC00..<0xE000).contains(low) else { throw parseError }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw parseError }
    return Array(String(scalar).utf8)
  }

  private mutating func hexadecimal() throws(JSONValue.ParseError) -> UInt16 {
    guard index + 4 <= bytes.count else { throw parseError }
    let digits = bytes[index..<index + 4]
    let text = String(decoding: digits, as: UTF8.self)
    guard !digits.contains(UInt8(ascii: "+")), !digits.contains(UInt8(ascii: "-")),
      let code = UInt16(text, radix: 16)
    else { throw parseError }
    index += 4
    return code
  }
}
