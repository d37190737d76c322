/// Finds the presses of AVRCP keys by phones in the traffic between controllers and the host. A
/// value without I/O: ``take(_:)`` gets one monitor frame and returns true if this frame is a
/// press. This type stores only the numbers of channels.
///
/// A monitor frame is a packet of the kernel's monitor channel: opcode, controller, length (two
/// bytes each, little endian), then the data. A monitor frame may be truncated anywhere.
///
/// AVRCP uses an L2CAP channel. The number of the channel is negotiated when the channel is opened
/// (PSM 0x17, Core, Vol 3, Part A, 4.2 and 4.3). So presses on a channel that was opened before the
/// start of this program are not found.
struct PressFinder: Sendable {
  /// The maximum numbers of open channels and of pending requests. A car has fewer of both.
  static let mostChannels = 64
  static let mostRequests = 16

  private enum Opcode {
    static let removed: UInt16 = 1
    static let event: UInt16 = 3
    static let sent: UInt16 = 4
    static let received: UInt16 = 5
  }

  private struct Link: Hashable {
    let controller: UInt16
    let handle: UInt16
  }

  /// An L2CAP channel, identified by the number of the unit's own end.
  private struct Channel: Hashable {
    let link: Link
    let number: UInt16
  }

  private struct Request: Hashable {
    let link: Link
    let isFromUnit: Bool
    let identifier: UInt8
    /// The channel number of the requesting side.
    let number: UInt16
  }

  private static let psm: UInt16 = 0x17
  private var channels: [Channel] = []
  private var requests: [Request] = []

  /// Starts without known channels.
  init() {}

  /// True if the monitor frame is a press.
  mutating func take(_ frame: some Collection<UInt8>) -> Bool {
    var frame = Bytes(frame)
    guard let opcode = frame.word(), let controller = frame.word(), frame.word() != nil else {
      return false
    }
    switch opcode {
    case Opcode.removed:
      forget { $0.controller == controller }
      return false
    case Opcode.event:
      // Disconnection Complete: length of the parameters, status, handle.
      guard frame.byte() == 0x05, frame.byte() != nil, frame.byte() == 0, let handle = frame.word()
      else { return false }
      forget { $0 == Link(controller: controller, handle: handle & 0x0FFF) }
      return false
    case Opcode.sent, Opcode.received:
      return processData(&frame, controller, isFromUnit: opcode == Opcode.sent)
    default: return false
    }
  }

  private mutating func forget(where hasEnded: (Link) -> Bool) {
    channels.removeAll { hasEnded($0.link) }
    requests.removeAll { hasEnded($0.link) }
  }

  private mutating func processData(
    _ frame: inout Bytes, _ controller: UInt16, isFromUnit: Bool
  ) -> Bool {
    // If a packet is fragmented, only its first fragment contains the channel. Every packet of
    // interest fits into one fragment, so further fragments are ignored.
    guard let flags = frame.word(), flags >> 12 & 3 != 1, frame.word() != nil,
      let length = frame.word(), let number = frame.word()
    else { return false }
    let link = Link(controller: controller, handle: flags & 0x0FFF)
    frame.cut(to: Int(length))
    if number == 1 {
      processSignals(&frame, link, isFromUnit: isFromUnit)
      return false
    }
    return !isFromUnit && channels.contains(Channel(link: link, number: number)) && isPress(&frame)
  }

  /// Checks for AVCTP (a command for AVRCP in a single packet), then AV/C (control, panel subunit,
  /// pass-through), then the key. The highest bit of the key means "released".
  private func isPress(_ frame: inout Bytes) -> Bool {
    guard let head = frame.byte(), head & 0x0E == 0, frame.byte() == 0x11, frame.byte() == 0x0E,
      let kind = frame.byte(), kind & 0x0F == 0, frame.byte() == 0x48, frame.byte() == 0x7C,
      let key = frame.byte()
    else { return false }
    return key & 0x80 == 0
  }

  // MARK: Channels

  private mutating func processSignals(_ frame: inout Bytes, _ link: Link, isFromUnit: Bool) {
    while let code = frame.byte(), let identifier = frame.byte(), let length = frame.word() {
      var part = frame.take(Int(length))
      guard let first = part.word(), let second = part.word() else { continue }
      switch code {
      case 0x02 where first == Self.psm:
        if requests.count == Self.mostRequests { requests.removeFirst() }
        requests.append(
          Request(link: link, isFromUnit: isFromUnit, identifier: identifier, number: second))
      case 0x03:
        guard let result = part.word() else { continue }
        handleAnswer(
          Request(link: link, isFromUnit: !isFromUnit, identifier: identifier, number: second),
          given: first, result)
      case 0x06:
        // The first number is the receiver's end of the channel, the second number is the sender's
        // end.
        let closed = Channel(link: link, number: isFromUnit ? second : first)
        channels.removeAll { $0 == closed }
      default: break
      }
    }
  }

  private mutating func handleAnswer(_ request: Request, given number: UInt16, _ result: UInt16) {
    // A result of 1 means "pending": another answer follows.
    guard result != 1, let index = requests.firstIndex(of: request) else { return }
    requests.remove(at: index)
    guard result == 0 else { return }
    let channel = Channel(link: request.link, number: request.isFromUnit ? request.number : number)
    channels.removeAll { $0 == channel }
    if channels.count == Self.mostChannels { channels.removeFirst() }
    channels.append(channel)
  }
}

/// The unread part of a monitor frame.
private struct Bytes {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Collection<UInt8>) { rest = ArraySlice(Array(bytes)) }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func word() -> UInt16? {
    guard rest.count >= 2, let low = rest.popFirst(), let high = rest.popFirst() else { return nil }
    return UInt16(low) | UInt16(high) << 8
  }

  mutating func cut(to count: Int) { rest = rest.prefix(count) }

  mutating func take(_ count: Int) -> Bytes {
    defer { rest = rest.dropFirst(count) }
    return Bytes(rest.prefix(count))
  }
}
