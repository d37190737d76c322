/// An event that answers a ``ControllerCommand`` (Bluetooth Core Specification, Vol 4, Part E).
enum ControllerAnswer: Equatable {
  case version(UInt8, manufacturer: UInt16)
  case signal(handle: UInt16, Int8)
  case quality(handle: UInt16, UInt8)
  /// The controller does not support the command or has refused it.
  case refusal(ControllerCommand)

  /// Parses a packet. Its parts are: the type, the event code, the length, the number of commands that the controller
  /// accepts, the opcode, the status and the return parameters. Nil if the packet is not an answer to one of the
  /// commands.
  init?(_ packet: ArraySlice<UInt8>) {
    let bytes = Array(packet)
    guard bytes.count >= 7, bytes[0] == 0x04, bytes[1] == 0x0E,
      Int(bytes[2]) + 3 <= bytes.count, bytes[2] >= 4,
      let command = ControllerCommand(rawValue: UInt16(bytes[4]) | UInt16(bytes[5]) << 8)
    else { return nil }
    guard bytes[6] == 0 else {
      self = .refusal(command)
      return
    }
    let returned = bytes[7..<(Int(bytes[2]) + 3)]
    func byte(_ offset: Int) -> UInt8 { returned[returned.startIndex + offset] }
    func word(_ offset: Int) -> UInt16 { UInt16(byte(offset)) | UInt16(byte(offset + 1)) << 8 }
    switch command {
    case .version where returned.count >= 8: self = .version(byte(0), manufacturer: word(4))
    case .signal where returned.count >= 3:
      self = .signal(handle: word(0), Int8(bitPattern: byte(2)))
    case .quality where returned.count >= 3: self = .quality(handle: word(0), byte(2))
    default: return nil
    }
  }
}

/// A command, identified by its opcode.
enum ControllerCommand: UInt16, Equatable {
  case version = 0x1001
  case quality = 0x1403
  case signal = 0x1405

  /// Returns the packet of the command. `handle` is the link that the command queries. Nil for a command without a
  /// link.
  func packet(handle: UInt16? = nil) -> [UInt8] {
    let parameters = handle.map {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    let opcode = [UInt8(truncatingIfNeeded: rawValue), UInt8(rawValue >> 8)]
    return [0x01] + opcode + [UInt8(parameters?.count ?? 0)] + (parameters ?? [])
  }
}
