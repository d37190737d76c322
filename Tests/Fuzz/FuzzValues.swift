// Changes D-Bus values as the input of a fuzz target decides. Each fuzz target defines `sampleWords`: texts that the
// tested code knows.

#if canImport(EventLoop)
  // Tests import EventLoop. A fuzz target is one module with all sources, and imports nothing.
  import EventLoop
#endif

/// The bytes of an input. Each decision takes the next bytes. After the end of the input, each byte is 0.
struct FuzzInput {
  private var remaining: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { remaining = bytes[...] }

  var isEmpty: Bool { remaining.isEmpty }
  mutating func byte() -> UInt8 { remaining.popFirst() ?? 0 }
  mutating func index(below bound: Int) -> Int { (Int(byte()) | Int(byte()) << 8) % bound }

  mutating func bytes(_ count: UInt8) -> ArraySlice<UInt8> {
    defer { remaining = remaining.dropFirst(Int(count)) }
    return remaining.prefix(Int(count))
  }

  mutating func rest() -> [UInt8] {
    defer { remaining = [] }
    return Array(remaining)
  }

  mutating func number() -> UInt64 {
    bytes(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func text() -> String {
    let choice = byte()
    guard choice & 1 == 1 else { return sampleWords[index(below: sampleWords.count)] }
    let text = String(decoding: bytes(choice >> 1), as: UTF8.self)
    // The repeated text can be longer than the limits that the receiver of a message checks.
    return choice == 255 ? String(repeating: text, count: 100) : text
  }
}

/// Changes a value as the input decides. A byte 0 leaves a simple value unchanged. The elements of an array keep their
/// type, as sd-bus guarantees for messages that it has accepted.
func changed(_ value: BusValue, _ input: inout FuzzInput) -> BusValue {
  changed(value, keepsType: false, &input)
}

private func changed(_ value: BusValue, keepsType: Bool, _ input: inout FuzzInput) -> BusValue {
  guard !input.isEmpty else { return value }
  let choice = input.byte()
  if choice % 8 == 7, !keepsType { return another(&input, depth: 0) }
  switch value {
  case .byte: return choice % 4 == 1 ? .byte(input.byte()) : value
  case .boolean(let flag): return .boolean(choice % 4 == 1 ? !flag : flag)
  case .int32: return choice % 4 == 1 ? .int32(Int32(truncatingIfNeeded: input.number())) : value
  case .uint32: return choice % 4 == 1 ? .uint32(UInt32(truncatingIfNeeded: input.number())) : value
  case .int64: return choice % 4 == 1 ? .int64(Int64(bitPattern: input.number())) : value
  case .uint64: return choice % 4 == 1 ? .uint64(input.number()) : value
  case .double: return choice % 4 == 1 ? .double(Double(bitPattern: input.number())) : value
  case .string: return choice % 4 == 1 ? .string(input.text()) : value
  case .array(let element, var values):
    if choice % 4 == 1, let value = values.last {
      // Adds at most 4080 elements.
      values += Array(repeating: value, count: 16 * Int(input.byte()))
    } else if choice % 4 == 2 {
      values = []
    }
    return .array(of: element, values.map { changed($0, keepsType: true, &input) })
  case .dictionary(let key, let type, var entries):
    if choice % 4 == 1, !entries.isEmpty { entries.remove(at: input.index(below: entries.count)) }
    if choice % 4 == 2, key == "s", type == "v" {
      entries.append(.init(.string(input.text()), .variant(another(&input, depth: 0))))
    }
    return .dictionary(
      key: key, value: type,
      entries.map { .init($0.key, changed($0.value, keepsType: type != "v", &input)) })
  case .structure(let fields):
    return .structure(fields.map { changed($0, keepsType: keepsType, &input) })
  case .variant(let value): return .variant(changed(value, keepsType: false, &input))
  default: return value
  }
}

/// A value of a type that the input chooses.
private func another(_ input: inout FuzzInput, depth: Int) -> BusValue {
  switch input.byte() % (depth < 4 ? 16 : 12) {
  case 0: .string(input.text())
  case 1: .boolean(input.byte() & 1 == 1)
  case 2: .byte(input.byte())
  case 3: .int16(Int16(truncatingIfNeeded: input.number()))
  case 4: .uint16(UInt16(truncatingIfNeeded: input.number()))
  case 5: .int32(Int32(truncatingIfNeeded: input.number()))
  case 6: .uint32(UInt32(truncatingIfNeeded: input.number()))
  case 7: .int64(Int64(bitPattern: input.number()))
  case 8: .uint64(input.number())
  case 9: .double(Double(bitPattern: input.number()))
  case 10: .strings((0..<Int(input.byte() % 8)).map { _ in input.text() })
  case 11: .bytes(Array(input.bytes(input.byte())))
  case 12:
    .structure((0..<Int(1 + input.byte() % 4)).map { _ in another(&input, depth: depth + 1) })
  case 13: .variant(another(&input, depth: depth + 1))
  case 14:
    .array(
      of: "v",
      (0..<Int(input.byte() % 8)).map { _ in
        .variant(another(&input, depth: depth + 1))
      })
  default:
    .properties(
      (0..<Int(input.byte() % 8)).map { _ in
        (input.text(), another(&input, depth: depth + 1))
      })
  }
}
