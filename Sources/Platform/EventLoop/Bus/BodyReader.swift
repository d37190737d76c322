/// Reads the arguments of a message one after the other, each as the type that is expected.
///
/// Not what a call should be is the other side's mistake: thrown, it is an answer to it.
public struct BodyReader {
  /// All of them.
  public let values: [BusValue]
  private var index = 0

  /// From the first.
  public init(_ values: [BusValue]) { self.values = values }

  /// The next one, whatever it is.
  public mutating func value(_ expected: String = "a value") throws(BusTypeError) -> BusValue {
    guard index < values.count else {
      throw BusTypeError(expected: expected, found: "", index: index)
    }
    defer { index += 1 }
    return values[index]
  }

  /// The next one, of a signature.
  public mutating func value(of signature: String) throws(BusTypeError) -> BusValue {
    let value = try value(signature)
    let found = value.signature
    if found != signature {
      throw BusTypeError(expected: signature, found: found, index: index - 1)
    }
    return value
  }

  /// `s`
  public mutating func string() throws(BusTypeError) -> String { try take("s") { $0.text } }
  /// `o`
  public mutating func objectPath() throws(BusTypeError) -> String { try take("o") { $0.text } }
  /// `b`
  public mutating func boolean() throws(BusTypeError) -> Bool { try take("b") { $0.flag } }
  /// `d`
  public mutating func double() throws(BusTypeError) -> Double { try take("d") { $0.number } }
  /// `as`
  public mutating func strings() throws(BusTypeError) -> [String] { try take("as") { $0.texts } }
  /// `ay`
  public mutating func bytes() throws(BusTypeError) -> [UInt8] {
    try take("ay") { if case .bytes(let bytes) = $0 { bytes } else { nil } }
  }
  /// `v`, unwrapped once.
  public mutating func variant() throws(BusTypeError) -> BusValue {
    try take("v") { if case .variant(let value) = $0 { value } else { nil } }
  }
  /// `a{sv}`, to be asked by name.
  public mutating func properties() throws(BusTypeError) -> BusValue { try value(of: "a{sv}") }

  /// Any of the integers, whatever its width. A negative one where none is allowed, or one that is
  /// too large, is the reader's to refuse.
  public mutating func integer() throws(BusTypeError) -> Int {
    let value = try value("an integer")
    if case .variant = value {} else if let integer = value.integer { return integer }
    throw BusTypeError(expected: "an integer", found: value.signature, index: index - 1)
  }

  /// There must be no more.
  public func end() throws(BusTypeError) {
    if index < values.count {
      throw BusTypeError(expected: "the end", found: values[index].signature, index: index)
    }
  }

  private mutating func take<Value>(
    _ signature: String, _ look: (BusValue) -> Value?
  ) throws(BusTypeError) -> Value {
    let value = try value(of: signature)
    guard let result = look(value) else {
      throw BusTypeError(expected: signature, found: value.signature, index: index - 1)
    }
    return result
  }
}
