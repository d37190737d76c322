/// A key of a terminal.
package enum TerminalKey: Equatable, Sendable {
  /// A character. A letter with accents can arrive as several scalars.
  case scalar(Unicode.Scalar)
  /// A key that is pressed with Ctrl, such as `control("C")`.
  case control(Unicode.Scalar)
  case enter, tab, backTab, backspace, delete, escape
  case left, right, up, down, home, end, pageUp, pageDown
  /// An arrow key that is pressed with Ctrl or Alt.
  case wordLeft, wordRight
  /// The answer of the terminal to a request for its cursor position. Both numbers count from 1.
  case cursorReport(row: Int, column: Int)
  /// Bytes that are not UTF-8.
  case invalid
}

/// Decodes the bytes of a terminal into keys.
///
/// A call of `read` can end anywhere, even inside an escape sequence or a character. So the decoder keeps its state
/// between calls. The decoder uses no clock: the byte after ESC decides. If this byte is `[` or `O`, ESC begins a
/// sequence. Otherwise ESC is a key of its own.
package struct TerminalKeyDecoder {
  private enum State: Equatable {
    case ground
    case escape
    /// After `ESC [`, with the parameter bytes received so far.
    case controlSequence([UInt8])
    /// After `ESC O`, which begins arrow keys in application mode.
    case singleShift
    /// After `ESC [ [`, which begins F1 to F5 on the Linux console.
    case linuxFunctionKey
    /// Within a character of several bytes.
    case character([UInt8], missing: Int)
  }

  /// The maximum number of parameter bytes. No known key sends more. Further parameter bytes are ignored up to the end
  /// of the sequence.
  private static let longestParameters = 16
  private var state = State.ground

  /// Creates a decoder that expects the first byte of a key.
  package init() {}

  /// The keys that `bytes` complete, in order.
  package mutating func keys(from bytes: some Sequence<UInt8>) -> [TerminalKey] {
    bytes.flatMap { keys(from: $0) }
  }

  /// The keys that `byte` completes. The result has two keys in two cases: `byte` shows that the ESC before it was a
  /// key, or `byte` interrupts an incomplete character.
  package mutating func keys(from byte: UInt8) -> [TerminalKey] {
    if byte == 0x1B {
      defer { state = .escape }
      switch state {
      case .escape: return [.escape]
      case .character: return [.invalid]
      case .ground, .controlSequence, .singleShift, .linuxFunctionKey: return []
      }
    }
    switch state {
    case .ground:
      return plain(byte)
    case .escape:
      state = .ground
      switch byte {
      case UInt8(ascii: "["): state = .controlSequence([])
      case UInt8(ascii: "O"): state = .singleShift
      default: return [.escape] + plain(byte)
      }
      return []
    case .controlSequence(let parameters):
      return continueSequence(parameters, byte)
    case .singleShift:
      state = .ground
      guard byte >= 0x20, byte < 0x7F else { return plain(byte) }
      return arrow(byte).map { [$0] } ?? []
    case .linuxFunctionKey:
      state = .ground
      return []
    case .character(let bytes, let missing):
      return continueCharacter(bytes + [byte], missing: missing - 1)
    }
  }

  /// Ends an incomplete sequence or character. Returns the key ESC if ESC was the last byte. Call this method after
  /// each read if ESC must act at once.
  package mutating func finish() -> [TerminalKey] {
    defer { state = .ground }
    return state == .escape ? [.escape] : []
  }

  // MARK: Characters

  private mutating func plain(_ byte: UInt8) -> [TerminalKey] {
    switch byte {
    case 0x08, 0x7F: return [.backspace]
    case 0x09: return [.tab]
    case 0x0A, 0x0D: return [.enter]
    case 0x00...0x1F: return [.control(Unicode.Scalar(byte + 0x40))]
    case 0x20...0x7E: return [.scalar(Unicode.Scalar(byte))]
    case 0xC2...0xDF: state = .character([byte], missing: 1)
    case 0xE0...0xEF: state = .character([byte], missing: 2)
    case 0xF0...0xF4: state = .character([byte], missing: 3)
    default: return [.invalid]
    }
    return []
  }

  private mutating func continueCharacter(_ bytes: [UInt8], missing: Int) -> [TerminalKey] {
    guard let last = bytes.last, (0x80...0xBF).contains(last) else {
      state = .ground
      return [.invalid] + (bytes.last.map { plain($0) } ?? [])
    }
    guard missing == 0 else {
      state = .character(bytes, missing: missing)
      return []
    }
    state = .ground
    // `String(validating:as:)` rejects overlong forms and surrogates.
    guard let text = String(validating: bytes, as: UTF8.self),
      let scalar = text.unicodeScalars.first
    else { return [.invalid] }
    return [.scalar(scalar)]
  }

  // MARK: Sequences

  /// Continues a control sequence (ECMA-48, 5.4): parameter bytes 0x30–0x3F, intermediate bytes 0x20–0x2F, one final
  /// byte 0x40–0x7E.
  private mutating func continueSequence(_ parameters: [UInt8], _ byte: UInt8) -> [TerminalKey] {
    switch byte {
    case 0x20...0x3F:
      if parameters.count < Self.longestParameters { state = .controlSequence(parameters + [byte]) }
      return []
    case UInt8(ascii: "[") where parameters.isEmpty:
      state = .linuxFunctionKey
      return []
    case 0x40...0x7E:
      state = .ground
      return key(String(decoding: parameters, as: UTF8.self), byte).map { [$0] } ?? []
    default:
      // This byte is not part of a control sequence, so the sequence was interrupted.
      state = .ground
      return plain(byte)
    }
  }

  private func key(_ parameters: String, _ final: UInt8) -> TerminalKey? {
    switch (parameters, final) {
    case ("", UInt8(ascii: "Z")): return .backTab
    case ("", _): return arrow(final)
    case ("1;5", UInt8(ascii: "C")), ("1;3", UInt8(ascii: "C")): return .wordRight
    case ("1;5", UInt8(ascii: "D")), ("1;3", UInt8(ascii: "D")): return .wordLeft
    case ("1", UInt8(ascii: "~")), ("7", UInt8(ascii: "~")): return .home
    case ("4", UInt8(ascii: "~")), ("8", UInt8(ascii: "~")): return .end
    case ("3", UInt8(ascii: "~")): return .delete
    case ("5", UInt8(ascii: "~")): return .pageUp
    case ("6", UInt8(ascii: "~")): return .pageDown
    case (_, UInt8(ascii: "R")):
      let numbers = parameters.split(separator: ";").map { Int($0) }
      guard numbers.count == 2, let row = numbers[0], let column = numbers[1] else { return nil }
      return .cursorReport(row: row, column: column)
    default: return nil
    }
  }

  private func arrow(_ byte: UInt8) -> TerminalKey? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    default: nil
    }
  }
}
