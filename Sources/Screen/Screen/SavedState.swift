internal import BusMethods
internal import Control
internal import EventLoop
package import NowPlaying
internal import Text

/// A state of Now Playing in a file. The program `autoharp-screen-preview` can paint this state later. The format is
/// the JSON that `busctl --json=short call … GetState` prints, plus the time of saving. The times in a state come from
/// the monotonic clock of the unit. So the program that paints the state needs a time of the same clock.
package struct SavedState: Equatable, Sendable {
  /// The greatest size of a file, in bytes. A state has at most 1 MiB.
  package static let maximumBytes = 8 << 20

  package let state: NowPlayingState
  /// The time of saving.
  package let now: MonotonicInstant

  package init(_ state: NowPlayingState, at now: MonotonicInstant) {
    self.state = state
    self.now = now
  }

  /// The reason why a file contains no valid state.
  package struct ReadError: Error, Equatable, Sendable {
    package let message: String
  }

  /// Reads the output of ``text`` or of busctl. If the file contains no time of saving, ``now`` is the timestamp of the
  /// playback snapshot.
  package init(_ bytes: [UInt8]) throws(ReadError) {
    let json: JSONValue
    do throws(JSONValue.ParseError) {
      json = try JSONValue(bytes)
    } catch {
      throw ReadError(message: "the file is not valid JSON at byte \(error.offset)")
    }
    guard case .string("a{sv}")? = json["type"], var data = json["data"] else {
      throw ReadError(message: "the file is not a saved state: the type 'a{sv}' is missing")
    }
    // busctl prints an answer as a list of values. The only value of the list is the state.
    if case .array(let values) = data, let first = values.first { data = first }
    guard let value = TypedJSON.value("a{sv}", data) else {
      throw ReadError(message: "the file is not a saved state: a value has the wrong type")
    }
    do throws(WireError) {
      state = try StateCoding.state(value)
    } catch {
      throw ReadError(message: "the file is not a saved state: \(error)")
    }
    let saved = value["savedAwake"]?.integer.map {
      MonotonicInstant(
        awake: .nanoseconds($0), suspended: .nanoseconds(value["savedSuspended"]?.integer ?? 0))
    }
    now = saved ?? state.playback?.timestamp ?? MonotonicInstant(awake: .zero)
  }

  /// The content of the file.
  package var text: String {
    var entries = (StateCoding.value(of: state).entries ?? []).compactMap { entry in
      entry.key.text.map { ($0, entry.value.unwrapped) }
    }
    entries.append(("savedAwake", .int64(now.awake.wholeNanoseconds)))
    entries.append(("savedSuspended", .int64(now.suspended.wholeNanoseconds)))
    var json = JSONWriter()
    json.beginObject()
    json.member("type", "a{sv}")
    json.key("data")
    TypedJSON.write(.properties(entries), &json)
    json.endObject()
    return json.take() + "\n"
  }
}

/// D-Bus values as JSON, in the form of busctl: only the JSON of a variant contains a type.
enum TypedJSON {
  static func write(_ value: BusValue, _ json: inout JSONWriter) {
    switch value {
    case .byte(let number): json.value(number)
    case .boolean(let flag): json.value(flag)
    case .int16(let number): json.value(number)
    case .uint16(let number): json.value(number)
    case .int32(let number): json.value(number)
    case .uint32(let number): json.value(number)
    case .int64(let number): json.value(number)
    case .uint64(let number): json.value(number)
    case .double(let number): json.value(number)
    case .string(let text), .objectPath(let text), .signature(let text): json.value(text)
    // busctl prints the number of a descriptor. A state contains no descriptors.
    case .descriptor(let descriptor): json.value(descriptor.number)
    case .bytes(let bytes):
      json.beginArray()
      for byte in bytes { json.value(byte) }
      json.endArray()
    case .array(_, let values), .structure(let values):
      json.beginArray()
      for value in values { write(value, &json) }
      json.endArray()
    case .dictionary(_, _, let entries):
      json.beginObject()
      for entry in entries {
        json.key(entry.key.text ?? "")
        write(entry.value, &json)
      }
      json.endObject()
    case .variant(let value):
      json.beginObject()
      json.member("type", value.signature)
      json.key("data")
      write(value, &json)
      json.endObject()
    }
  }

  /// Reads a value of the D-Bus type `signature`. Nil if the JSON does not match the type, or if this function does not
  /// support the type. It supports all types that a state contains.
  static func value(_ signature: String, _ json: JSONValue) -> BusValue? {
    switch (signature, json) {
    case ("y", .integer(let number)): UInt8(exactly: number).map { .byte($0) }
    case ("b", .bool(let flag)): .boolean(flag)
    case ("n", .integer(let number)): Int16(exactly: number).map { .int16($0) }
    case ("q", .integer(let number)): UInt16(exactly: number).map { .uint16($0) }
    case ("i", .integer(let number)): Int32(exactly: number).map { .int32($0) }
    case ("u", .integer(let number)): UInt32(exactly: number).map { .uint32($0) }
    case ("x", .integer(let number)): .int64(number)
    case ("t", .integer(let number)): UInt64(exactly: number).map { .uint64($0) }
    case ("t", .unsigned(let number)): .uint64(number)
    case ("d", .number(let number)): .double(number)
    case ("d", .integer(let number)): .double(Double(number))
    case ("s", .string(let text)): .string(text)
    case ("v", let json): variant(json)
    case ("a{sv}", .object(let members)): properties(members)
    default: container(signature, json)
    }
  }

  private static func variant(_ json: JSONValue) -> BusValue? {
    guard case .string(let signature)? = json["type"], let data = json["data"] else { return nil }
    return value(signature, data).map { .variant($0) }
  }

  private static func properties(_ members: [(name: String, value: JSONValue)]) -> BusValue? {
    var entries: [(String, BusValue)] = []
    for (name, json) in members {
      guard let value = variant(json) else { return nil }
      entries.append((name, value.unwrapped))
    }
    return .properties(entries)
  }

  private static func container(_ signature: String, _ json: JSONValue) -> BusValue? {
    guard case .array(let elements) = json else { return nil }
    if signature.hasPrefix("a") {
      let element = String(signature.dropFirst())
      let values = elements.compactMap { value(element, $0) }
      return values.count == elements.count ? .array(of: element, values) : nil
    }
    // In a state, the fields of a structure are basic types or variants. So the signature of each field is one
    // character.
    guard signature.hasPrefix("("), signature.hasSuffix(")") else { return nil }
    let fields = signature.dropFirst().dropLast().map { String($0) }
    guard fields.count == elements.count else { return nil }
    let values = zip(fields, elements).compactMap { value($0, $1) }
    return values.count == elements.count ? .structure(values) : nil
  }
}
