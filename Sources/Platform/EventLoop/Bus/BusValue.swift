/// A D-Bus value with its type. This type does not check the elements of a container. If the type of an element differs
/// from the declared type, the container cannot be sent, see ``BusError/notSendable(_:)``.
public indirect enum BusValue: Equatable, Sendable {
  /// `y`
  case byte(UInt8)
  /// `b`
  case boolean(Bool)
  /// `n`
  case int16(Int16)
  /// `q`
  case uint16(UInt16)
  /// `i`
  case int32(Int32)
  /// `u`
  case uint32(UInt32)
  /// `x`
  case int64(Int64)
  /// `t`
  case uint64(UInt64)
  /// `d`
  case double(Double)
  /// `s`. When the text is sent, characters that cannot be sent are replaced, see ``BusText/harmless(_:limit:)``.
  case string(String)
  /// `o`
  case objectPath(String)
  /// `g`
  case signature(String)
  /// `h`
  case descriptor(BusDescriptor)
  /// `ay`. Each byte takes one byte of memory and not a whole ``BusValue``.
  case bytes([UInt8])
  /// `a…`. The signature of an element is given separately, because the array can be empty.
  case array(of: String, [BusValue])
  /// `a{…}`. The order of the entries is kept.
  case dictionary(key: String, value: String, [Entry])
  /// `(…)`
  case structure([BusValue])
  /// `v`
  case variant(BusValue)

  /// One key and its value.
  public struct Entry: Equatable, Sendable {
    /// The key, of a basic type.
    public let key: BusValue
    /// The value, of any type.
    public let value: BusValue

    /// Creates an entry.
    public init(_ key: BusValue, _ value: BusValue) {
      self.key = key
      self.value = value
    }
  }

  /// `a{sv}` with these entries, in this order. Each value is wrapped in a variant.
  public static func properties(_ entries: KeyValuePairs<String, BusValue>) -> BusValue {
    properties(entries.map { ($0.key, $0.value) })
  }

  /// `a{sv}` with these entries, in this order. Each value is wrapped in a variant.
  public static func properties(_ entries: [(String, BusValue)]) -> BusValue {
    .dictionary(
      key: "s", value: "v", entries.map { Entry(.string($0.0), .variant($0.1)) })
  }

  /// `as`
  public static func strings(_ texts: [String]) -> BusValue {
    .array(of: "s", texts.map { .string($0) })
  }

  /// The D-Bus signature of the value.
  public var signature: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .descriptor: "h"
    case .bytes: "ay"
    case .array(let element, _): "a" + element
    case .dictionary(let key, let value, _): "a{" + key + value + "}"
    case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
    case .variant: "v"
    }
  }
}

/// Access to received values. Each property returns the value if it has the requested type, and nil otherwise. Variants
/// are unwrapped, because most dictionaries of BlueZ are `a{sv}`.
extension BusValue {
  /// The value without all its enclosing variants.
  public var unwrapped: BusValue {
    if case .variant(let value) = self { return value.unwrapped }
    return self
  }

  /// `s`, `o` or `g`.
  public var text: String? {
    switch unwrapped {
    case .string(let text), .objectPath(let text), .signature(let text): text
    default: nil
    }
  }

  /// `b`.
  public var flag: Bool? { if case .boolean(let value) = unwrapped { value } else { nil } }

  /// An integer of any width. Nil if it does not fit into `Int`.
  public var integer: Int? {
    switch unwrapped {
    case .byte(let value): Int(value)
    case .int16(let value): Int(value)
    case .uint16(let value): Int(value)
    case .int32(let value): Int(value)
    case .uint32(let value): Int(value)
    case .int64(let value): Int(exactly: value)
    case .uint64(let value): Int(exactly: value)
    default: nil
    }
  }

  /// `d`.
  public var number: Double? { if case .double(let value) = unwrapped { value } else { nil } }

  /// `h`.
  public var descriptor: BusDescriptor? {
    if case .descriptor(let descriptor) = unwrapped { descriptor } else { nil }
  }

  /// `ay`.
  public var byteArray: [UInt8]? { if case .bytes(let bytes) = unwrapped { bytes } else { nil } }

  /// The elements of an array (also of bytes), or the fields of a structure.
  public var elements: [BusValue]? {
    switch unwrapped {
    case .array(_, let values), .structure(let values): values
    case .bytes(let bytes): bytes.map { .byte($0) }
    default: nil
    }
  }

  /// `as` or `ao`. Nil if an element is not a text.
  public var texts: [String]? {
    guard let elements else { return nil }
    let texts = elements.compactMap(\.text)
    return texts.count == elements.count ? texts : nil
  }

  /// The entries of a dictionary.
  public var entries: [Entry]? {
    if case .dictionary(_, _, let entries) = unwrapped { entries } else { nil }
  }

  /// The value for a text key in a dictionary, without its enclosing variants. If the key occurs several times, this is
  /// the first value.
  public subscript(key: String) -> BusValue? {
    entries?.first { $0.key.text == key }?.value.unwrapped
  }
}
