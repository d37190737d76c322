/// Writes JSON (RFC 8259) piece by piece, indented by two spaces or on one line.
///
/// A call that would produce invalid JSON is a bug of the caller and ends the program. Examples are a value without its
/// key, and an end without its beginning.
///
///     var json = JSONWriter()
///     json.beginObject()
///     json.member("rate", 44_100)
///     json.key("tags")
///     json.beginArray()
///     json.endArray()
///     json.endObject()
///     print(json.take())
package struct JSONWriter {
  private enum Container {
    case object(members: Int, keyIsWritten: Bool)
    case array(elements: Int)
  }

  private var output = ""
  private var open: [Container] = []
  private var rootIsWritten = false

  private let isOneLine: Bool

  /// Creates a writer with an empty text.
  /// - Parameter onOneLine: if true, no line breaks are written. Some readers expect one JSON text per line.
  package init(onOneLine: Bool = false) { isOneLine = onOneLine }

  /// True if the text is complete: its one value was written, and all objects and arrays are closed.
  package var isComplete: Bool { rootIsWritten && open.isEmpty }

  /// Returns the text that was written since the last call, without a newline at the end. For a long text, call this
  /// method regularly, so that the text does not need much memory.
  package mutating func take() -> String {
    defer { output = "" }
    return output
  }

  /// Begins an object as the next value.
  package mutating func beginObject() {
    prepareValue()
    output += "{"
    open.append(.object(members: 0, keyIsWritten: false))
  }

  /// Ends the innermost object. Each of its keys must have a value.
  package mutating func endObject() {
    guard case .object(let members, false)? = open.popLast() else {
      preconditionFailure("no object to end, or a key without a value")
    }
    if members > 0 { newLine() }
    output += "}"
  }

  /// Begins an array as the next value.
  package mutating func beginArray() {
    prepareValue()
    output += "["
    open.append(.array(elements: 0))
  }

  /// Ends the innermost array.
  package mutating func endArray() {
    guard case .array(let elements)? = open.popLast() else {
      preconditionFailure("no array to end")
    }
    if elements > 0 { newLine() }
    output += "]"
  }

  /// Writes the name of the next member. One value must follow. The caller ensures that names are unique.
  package mutating func key(_ name: String) {
    guard case .object(let members, false)? = open.last else {
      preconditionFailure("a key is valid only in an object, once per value")
    }
    if members > 0 { output += "," }
    open[open.count - 1] = .object(members: members + 1, keyIsWritten: true)
    newLine()
    quote(name)
    output += ": "
  }

  /// Writes a string. All characters for which RFC 8259 requires an escape are escaped. DEL and the C1 control
  /// characters are escaped too, because a terminal would interpret them.
  package mutating func value(_ text: String) {
    prepareValue()
    quote(text)
  }

  /// Writes an integer. A reader that stores numbers as `Double` gets the exact value only up to 2⁵³.
  package mutating func value(_ integer: some FixedWidthInteger) {
    prepareValue()
    output += String(integer)
  }

  /// Writes a number, with as few digits as are necessary to read the same `Double` again. JSON cannot express infinity
  /// and NaN, so `null` is written for them.
  package mutating func value(_ number: Double) {
    prepareValue()
    // All forms that Swift writes (`0.1`, `1e-07`, `5e+20`) follow the grammar of RFC 8259, section
    // 6. This grammar permits leading zeros in an exponent.
    output += number.isFinite ? number.description : "null"
  }

  /// Writes `true` or `false`.
  package mutating func value(_ truth: Bool) {
    prepareValue()
    output += truth ? "true" : "false"
  }

  /// Writes `null`.
  package mutating func null() {
    prepareValue()
    output += "null"
  }

  /// Writes a key and its string. If the string is nil, neither the key nor a value is written.
  package mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    key(name)
    value(text)
  }

  /// Writes a key and its integer. If the integer is nil, nothing is written.
  package mutating func member<Integer: FixedWidthInteger>(_ name: String, _ integer: Integer?) {
    guard let integer else { return }
    key(name)
    value(integer)
  }

  /// Writes a key and its number. If the number is nil, nothing is written.
  package mutating func member(_ name: String, _ number: Double?) {
    guard let number else { return }
    key(name)
    value(number)
  }

  /// Writes a key and its Boolean. If the Boolean is nil, nothing is written.
  package mutating func member(_ name: String, _ truth: Bool?) {
    guard let truth else { return }
    key(name)
    value(truth)
  }

  /// Writes the comma and the line break that must precede the next value.
  private mutating func prepareValue() {
    switch open.last {
    case nil:
      precondition(!rootIsWritten, "a JSON text has one value only")
      rootIsWritten = true
    case .object(let members, let keyIsWritten)?:
      precondition(keyIsWritten, "a value in an object needs its key first")
      open[open.count - 1] = .object(members: members, keyIsWritten: false)
    case .array(let elements)?:
      if elements > 0 { output += "," }
      open[open.count - 1] = .array(elements: elements + 1)
      newLine()
    }
  }

  private mutating func newLine() {
    guard !isOneLine else { return }
    output += "\n"
    output += String(repeating: "  ", count: open.count)
  }

  private mutating func quote(_ text: String) {
    output += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\u{08}": output += "\\b"
      case "\u{09}": output += "\\t"
      case "\u{0A}": output += "\\n"
      case "\u{0C}": output += "\\f"
      case "\u{0D}": output += "\\r"
      case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
    output += "\""
  }
}
