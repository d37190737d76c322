internal import CSystemd
internal import Threads

/// Writes values into a message of libsystemd and counts their bytes.
///
/// Each value is checked against the signature of its container. sd-bus checks this too, but it reports only `EINVAL`,
/// and the message stays incomplete.
struct MessageEncoder {
  let message: OpaquePointer
  /// The approximate size in bytes, without padding and without the header.
  private(set) var size = 0

  init(_ message: OpaquePointer) { self.message = message }

  mutating func append(_ values: [BusValue]) throws(BusError) {
    for value in values { try append(value) }
  }

  private mutating func append(_ value: BusValue) throws(BusError) {
    switch value {
    case .byte(let value): try basic("y", value)
    case .boolean(let value): try basic("b", Int32(value ? 1 : 0))
    case .int16(let value): try basic("n", value)
    case .uint16(let value): try basic("q", value)
    case .int32(let value): try basic("i", value)
    case .uint32(let value): try basic("u", value)
    case .int64(let value): try basic("x", value)
    case .uint64(let value): try basic("t", value)
    case .double(let value): try basic("d", value)
    case .string(let text): try string("s", BusText.harmless(text))
    case .objectPath(let path):
      guard sd_bus_object_path_is_valid(path) > 0, !path.utf8.contains(0) else {
        throw .notSendable("'\(path)' is not an object path")
      }
      try string("o", path)
    case .signature(let signature):
      // sd-bus checks everything else in the signature.
      guard !signature.utf8.contains(0) else { throw .notSendable("a signature contains a NUL") }
      try string("g", signature)
    // sd-bus sends a duplicate of the descriptor, if the other side has accepted to receive descriptors.
    case .descriptor(let descriptor): try basic("h", descriptor.number)
    case .bytes(let bytes):
      size += 4 + bytes.count
      try check(
        bytes.withUnsafeBytes {
          sd_bus_message_append_array(message, Character("y").type, $0.baseAddress, $0.count)
        })
    case .array(let element, let values):
      size += 4
      try open("a", element)
      for value in values {
        try expect(value, element)
        try append(value)
      }
      try close()
    case .dictionary(let key, let valueType, let entries):
      size += 4
      let signature = key + valueType
      try open("a", "{" + signature + "}")
      for entry in entries {
        try expect(entry.key, key)
        try expect(entry.value, valueType)
        try open("e", signature)
        try append(entry.key)
        try append(entry.value)
        try close()
      }
      try close()
    case .structure(let fields):
      try open("r", fields.map(\.signature).joined())
      try append(fields)
      try close()
    case .variant(let value):
      let signature = value.signature
      size += signature.utf8.count + 2
      try open("v", signature)
      try append(value)
      try close()
    }
  }

  private func expect(_ value: BusValue, _ signature: String) throws(BusError) {
    let found = value.signature
    if found != signature { throw .notSendable("'\(found)' among '\(signature)'") }
  }

  private mutating func basic<Value>(_ type: Character, _ value: Value) throws(BusError) {
    size += MemoryLayout<Value>.size
    try check(
      withUnsafePointer(to: value) { sd_bus_message_append_basic(message, type.type, $0) })
  }

  private mutating func string(_ type: Character, _ text: String) throws(BusError) {
    size += text.utf8.count + 5
    try check(text.withCString { sd_bus_message_append_basic(message, type.type, $0) })
  }

  private func open(_ type: Character, _ contents: String) throws(BusError) {
    try check(sd_bus_message_open_container(message, type.type, contents))
  }

  private func close() throws(BusError) { try check(sd_bus_message_close_container(message)) }

  private func check(_ status: Int32) throws(BusError) {
    if status < 0 { throw .notSendable(systemWords(status)) }
  }
}

extension Character {
  /// The type code as libsystemd expects it.
  var type: CChar { CChar(bitPattern: asciiValue ?? 0) }
}

extension UTF8 {
  /// The number of bytes of a scalar in UTF-8.
  static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case ..<0x80: 1
    case ..<0x800: 2
    case ..<0x10000: 3
    default: 4
    }
  }
}
