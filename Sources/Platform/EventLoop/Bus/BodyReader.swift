/// Reads the arguments of a message in order, each with its expected type.
///
/// If an argument has a wrong type, this is an error of the sender. The thrown error can be sent back as the answer.
public struct BodyReader {
  /// All arguments.
  public let values: [BusValue]
  private var index = 0

  /// Starts at the first argument.
  public init(_ values: [BusValue]) { self.values = values }

  /// The next argument, of any type. `expected` describes the argument in the error.
  public mutating func value(_ expected: String = "a value") throws(BusTypeError) -> BusValue {
    guard index < values.count else {
      throw BusTypeError(expected: expected, found: "", index: index)
    }
    defer { index += 1 }
    return values[index]
  }

  /// The next argument, which must have this signature.
  public mutating func value(of signature: String) throws(BusTypeError) -> BusValue {
    let value = try value(signature)
    let found = value.signature
    if found != signature {
      throw BusTypeError(expected: signature, found: found, index: index - 1)
    }
    return value
  }

  /// `s`
  public mutating func string() throws(BusTypeError) -> String { try read("s") { $0.text } }
  /// `o`
  public mutating func objectPath() throws(BusTypeError) -> String { try read("o") { $0.text } }
  /// `b`
  public mutating func boolean() throws(BusTypeError) -> Bool { try read("b") { $0.flag } }
  /// `d`
  public mutating func double() throws(BusTypeError) -> Double { try read("d") { $0.number } }
  /// `as`
  public mutating func strings() throws(BusTypeError) -> [String] { try read("as") { $0.texts } }
  /// `ay`
  public mutating func bytes() throws(BusTypeError) -> [UInt8] {
    try read("ay") { $0.byteArray }
  }
  /// `v`. Returns the value in the variant. If this value is a variant too, it is returned as a variant.
  public mutating func variant() throws(BusTypeError) -> BusValue {
    try read("v") { if case .variant(let value) = $0 { value } else { nil } }
  }
  /// `a{sv}`. ``BusValue/subscript(key:)`` finds a value in the result.
  public mutating func properties() throws(BusTypeError) -> BusValue { try value(of: "a{sv}") }

  /// An integer of any width and sign. The caller checks the range.
  public mutating func integer() throws(BusTypeError) -> Int {
    let value = try value("an integer")
    if case .variant = value {} else if let integer = value.integer { return integer }
    throw BusTypeError(expected: "an integer", found: value.signature, index: index - 1)
  }

  /// Throws if some arguments were not read.
  public func end() throws(BusTypeError) {
    if index < values.count {
      throw BusTypeError(expected: "the end", found: values[index].signature, index: index)
    }
  }

  private mutating func read<Value>(
    _ signature: String, _ convert: (BusValue) -> Value?
  ) throws(BusTypeError) -> Value {
    let value = try value(of: signature)
    guard let result = convert(value) else {
      throw BusTypeError(expected: signature, found: value.signature, index: index - 1)
    }
    return result
  }
}
