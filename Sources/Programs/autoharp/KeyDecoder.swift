/// A key of the player.
enum Key: Equatable {
  case space
  case next
  case previous
  case left
  case right
  case plus
  case minus
  case mute
  case repeatMode
  case shuffle
  case chime
  case help
  case quit
}

/// Decodes the bytes of a terminal into keys.
///
/// A read can end anywhere, also inside an escape sequence, so the decoder keeps its state between
/// calls. The decoder uses no clock. ESC begins a sequence only if `[` or `O` follows. Otherwise
/// ESC is ignored and the next byte is an ordinary key.
struct KeyDecoder {
  private enum State {
    case ground
    case escape
    /// After `ESC [`. `plain` is true until a parameter byte or intermediate byte arrives.
    case controlSequence(plain: Bool)
    /// After `ESC O`, which begins arrow keys in application mode.
    case singleShift
    /// After `ESC [ [`, which begins F1 to F5 on the Linux console.
    case linuxFunctionKey
  }

  private var state = State.ground

  /// The keys that `bytes` complete, in order.
  mutating func keys(from bytes: some Sequence<UInt8>) -> [Key] {
    bytes.compactMap { key(from: $0) }
  }

  /// The key that `byte` completes. Nil if `byte` completes no key.
  mutating func key(from byte: UInt8) -> Key? {
    if byte == 0x1B {
      state = .escape
      return nil
    }
    switch state {
    case .ground:
      return plainKey(byte)
    case .escape:
      switch byte {
      case UInt8(ascii: "["): state = .controlSequence(plain: true)
      case UInt8(ascii: "O"): state = .singleShift
      default:
        state = .ground
        return plainKey(byte)
      }
      return nil
    case .controlSequence(let plain):
      return continueControlSequence(byte, plain: plain)
    case .singleShift:
      state = .ground
      return arrow(byte)
    case .linuxFunctionKey:
      state = .ground
      return nil
    }
  }

  /// ECMA-48, 5.4: parameter bytes 0x30–0x3F, intermediate bytes 0x20–0x2F, one final byte
  /// 0x40–0x7E. A sequence with parameters is an arrow key with a modifier key, and is ignored.
  private mutating func continueControlSequence(_ byte: UInt8, plain: Bool) -> Key? {
    switch byte {
    case 0x20...0x3F:
      state = .controlSequence(plain: false)
      return nil
    case UInt8(ascii: "[") where plain:
      state = .linuxFunctionKey
      return nil
    case 0x40...0x7E:
      state = .ground
      return plain ? arrow(byte) : nil
    default:
      // This byte is not part of a control sequence, so the sequence was interrupted.
      state = .ground
      return plainKey(byte)
    }
  }

  private func arrow(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    default: nil
    }
  }

  private func plainKey(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: " "): .space
    case UInt8(ascii: "n"), UInt8(ascii: "N"): .next
    case UInt8(ascii: "p"), UInt8(ascii: "P"): .previous
    case UInt8(ascii: "+"), UInt8(ascii: "="): .plus
    case UInt8(ascii: "-"): .minus
    case UInt8(ascii: "m"), UInt8(ascii: "M"): .mute
    case UInt8(ascii: "r"), UInt8(ascii: "R"): .repeatMode
    case UInt8(ascii: "s"), UInt8(ascii: "S"): .shuffle
    case UInt8(ascii: "c"), UInt8(ascii: "C"): .chime
    case UInt8(ascii: "?"): .help
    case UInt8(ascii: "q"), UInt8(ascii: "Q"), 0x04: .quit
    default: nil
    }
  }
}
