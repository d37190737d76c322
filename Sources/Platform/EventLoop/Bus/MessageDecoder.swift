internal import CSystemd
internal import Glibc

/// Reads values from a message. libsystemd checks every byte of the message.
///
/// The depth of the recursion is limited, because a signature has at most 64 levels, and sd-bus allows at most 128
/// nested containers.
struct MessageDecoder {
  let message: OpaquePointer

  /// All values of the message.
  func body() throws(BusError) -> [BusValue] {
    try check("sd_bus_message_rewind", sd_bus_message_rewind(message, 1))
    return try values()
  }

  /// All remaining values of the current container.
  private func values() throws(BusError) -> [BusValue] {
    var result: [BusValue] = []
    while true {
      var type: CChar = 0
      var contents: UnsafePointer<CChar>?
      let more = sd_bus_message_peek_type(message, &type, &contents)
      try check("sd_bus_message_peek_type", more)
      if more == 0 { return result }
      // The text is copied, because sd-bus frees or moves it when the next value is read.
      let inner = contents.map { String(cString: $0) } ?? ""
      result.append(try value(Character(Unicode.Scalar(UInt8(bitPattern: type))), inner))
    }
  }

  private func value(_ type: Character, _ contents: String) throws(BusError) -> BusValue {
    switch type {
    case "y": .byte(try basic(type, 0))
    case "b": .boolean(try basic(type, Int32(0)) != 0)
    case "n": .int16(try basic(type, 0))
    case "q": .uint16(try basic(type, 0))
    case "i": .int32(try basic(type, 0))
    case "u": .uint32(try basic(type, 0))
    case "x": .int64(try basic(type, 0))
    case "t": .uint64(try basic(type, 0))
    case "d": .double(try basic(type, 0))
    case "s": .string(try text(type))
    case "o": .objectPath(try text(type))
    case "g": .signature(try text(type))
    case "v": .variant(try single("v", contents))
    case "r": .structure(try container("r", contents))
    case "a" where contents == "y": .bytes(try bytes())
    case "a" where contents.hasPrefix("{"): try dictionary(contents)
    case "a": .array(of: contents, try container("a", contents))
    case "h": .descriptor(try descriptor())
    default: throw .wrongType(BusTypeError(expected: "a value", found: String(type), index: 0))
    }
  }

  /// The message closes its own descriptors when it is freed, so the value gets a duplicate.
  private func descriptor() throws(BusError) -> BusDescriptor {
    let number: Int32 = try basic("h", -1)
    guard let descriptor = BusDescriptor(duplicating: number) else {
      throw .system(SystemError("fcntl", errno))
    }
    return descriptor
  }

  private func basic<Value: BitwiseCopyable>(
    _ type: Character, _ empty: Value
  ) throws(BusError) -> Value {
    var value = empty
    let status = withUnsafeMutablePointer(to: &value) {
      sd_bus_message_read_basic(message, type.type, $0)
    }
    try check("sd_bus_message_read_basic", status)
    return value
  }

  private func text(_ type: Character) throws(BusError) -> String {
    var start: UnsafePointer<CChar>?
    try check("sd_bus_message_read_basic", sd_bus_message_read_basic(message, type.type, &start))
    return start.map { String(cString: $0) } ?? ""
  }

  private func bytes() throws(BusError) -> [UInt8] {
    var start: UnsafeRawPointer?
    var size = 0
    try check(
      "sd_bus_message_read_array",
      sd_bus_message_read_array(message, Character("y").type, &start, &size))
    return Array(UnsafeRawBufferPointer(start: start, count: size))
  }

  private func dictionary(_ contents: String) throws(BusError) -> BusValue {
    let pair = String(contents.dropFirst().dropLast())
    try enter("a", contents)
    var entries: [BusValue.Entry] = []
    while true {
      let status = pair.withCString {
        sd_bus_message_enter_container(message, Character("e").type, $0)
      }
      try check("sd_bus_message_enter_container", status)
      if status == 0 { break }
      let values = try values()
      try leave()
      guard values.count == 2 else { throw malformed }
      entries.append(.init(values[0], values[1]))
    }
    try leave()
    // The type of a key is a basic type, which is one letter.
    return .dictionary(key: String(pair.prefix(1)), value: String(pair.dropFirst()), entries)
  }

  private func single(_ type: Character, _ contents: String) throws(BusError) -> BusValue {
    let values = try container(type, contents)
    guard values.count == 1 else { throw malformed }
    return values[0]
  }

  private func container(_ type: Character, _ contents: String) throws(BusError) -> [BusValue] {
    try enter(type, contents)
    let result = try values()
    try leave()
    return result
  }

  private func enter(_ type: Character, _ contents: String) throws(BusError) {
    try check(
      "sd_bus_message_enter_container",
      sd_bus_message_enter_container(message, type.type, contents))
  }

  private func leave() throws(BusError) {
    try check("sd_bus_message_exit_container", sd_bus_message_exit_container(message))
  }

  private var malformed: BusError { .system(SystemError("sd_bus_message_read", EBADMSG)) }

  private func check(_ call: String, _ status: Int32) throws(BusError) {
    if status < 0 { throw .system(SystemError(call, status)) }
  }
}
