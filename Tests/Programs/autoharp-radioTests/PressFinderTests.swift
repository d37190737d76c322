import Testing

@testable import autoharp_radio

/// `PressFinder` finds presses in the traffic between a controller and its host.
@Suite struct PressFinderTests {
  private func word(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  private func frame(_ opcode: Int, _ content: [UInt8], controller: Int = 0) -> [UInt8] {
    word(opcode) + word(controller) + word(content.count) + content
  }

  /// An L2CAP frame.
  private func data(
    _ payload: [UInt8], channel: Int, handle: Int = 0x40, isFromUnit: Bool = false, pieces: Int = 2,
    controller: Int = 0
  ) -> [UInt8] {
    let message = word(payload.count) + word(channel) + payload
    return frame(
      isFromUnit ? 4 : 5, word(handle | pieces << 12) + word(message.count) + message,
      controller: controller)
  }

  private func signal(
    _ code: UInt8, _ words: [Int], id: UInt8 = 1, handle: Int = 0x40, isFromUnit: Bool = false,
    controller: Int = 0
  ) -> [UInt8] {
    let content = words.flatMap(word)
    return data(
      [code, id] + word(content.count) + content, channel: 1, handle: handle,
      isFromUnit: isFromUnit,
      controller: controller)
  }

  /// This function is used instead of `#expect`, which cannot call mutating functions.
  private func expect(
    _ condition: Bool, _ message: String = "", _ sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(condition, "\(message)", sourceLocation: sourceLocation)
  }

  private func key(_ key: UInt8) -> [UInt8] { [0x00, 0x11, 0x0E, 0x00, 0x48, 0x7C, key, 0x00] }

  /// The phone opens an AVCTP channel. At the phone, its number is 0x50. At the unit, it is
  /// `number`.
  private func opened(
    handle: Int = 0x40, number: Int = 0x41, controller: Int = 0, in finder: inout PressFinder
  ) {
    let request = signal(2, [0x17, 0x50], handle: handle, controller: controller)
    let answer = signal(
      3, [number, 0x50, 0, 0], handle: handle, isFromUnit: true, controller: controller)
    expect(!finder.take(request))
    expect(!finder.take(answer))
  }

  @Test func press_onAChannelOpenedByThePhone_isFound() {
    var finder = PressFinder()
    expect(!finder.take(data(key(0x44), channel: 0x41)), "the channel is not open")
    opened(in: &finder)
    expect(finder.take(data(key(0x44), channel: 0x41)))
    expect(finder.take(data(key(0x44), channel: 0x41, pieces: 0)))
    expect(!finder.take(data(key(0xC4), channel: 0x41)), "the key is released")
    expect(!finder.take(data(key(0x44), channel: 0x41, isFromUnit: true)), "the unit sends it")
    expect(!finder.take(data(key(0x44), channel: 0x50)), "the phone's own channel number")
    expect(!finder.take(data(key(0x44), channel: 0x41, handle: 0x41)), "another link")
    expect(!finder.take(data(key(0x44), channel: 0x41, controller: 1)), "another controller")
    expect(!finder.take(data(key(0x44), channel: 0x41, pieces: 1)), "a later piece")
  }

  @Test func press_onAChannelOpenedByTheUnit_isFound_afterAPendingAnswer() {
    var finder = PressFinder()
    _ = finder.take(signal(2, [0x17, 0x60], id: 9, isFromUnit: true))
    _ = finder.take(signal(3, [0x70, 0x60, 1, 2], id: 9))
    expect(!finder.take(data(key(0x46), channel: 0x60)), "pending")
    _ = finder.take(signal(3, [0x70, 0x60, 0, 0], id: 9))
    expect(finder.take(data(key(0x46), channel: 0x60)))
  }

  @Test func otherChannels_areIgnored() {
    var finder = PressFinder()
    for (psm, result) in [(0x19, 0), (0x1B, 0), (0x17, 2), (0x17, 4)] {
      _ = finder.take(signal(2, [psm, 0x50]))
      _ = finder.take(signal(3, [0x41, 0x50, result, 0], isFromUnit: true))
      expect(!finder.take(data(key(0x44), channel: 0x41)), "\(psm), \(result)")
    }
    // These answers do not open the channel: one comes from the wrong side, one has the wrong
    // channel, and one answers another request.
    for answer in [
      signal(3, [0x41, 0x50, 0, 0]), signal(3, [0x41, 0x51, 0, 0], isFromUnit: true),
      signal(3, [0x41, 0x50, 0, 0], id: 2, isFromUnit: true),
    ] {
      _ = finder.take(signal(2, [0x17, 0x50]))
      _ = finder.take(answer)
      expect(!finder.take(data(key(0x44), channel: 0x41)))
    }
  }

  @Test func otherFramesOfTheChannel_areIgnored() {
    var finder = PressFinder()
    opened(in: &finder)
    let press = key(0x44)
    for (place, value) in [
      (0, 0x02), (0, 0x04), (0, 0x08), (0, 0x0C), (1, 0x12), (2, 0x0D), (3, 0x01), (3, 0x09),
      (4, 0x49), (5, 0x00), (6, 0x80),
    ] as [(Int, UInt8)] {
      var other = press
      other[place] = value
      expect(!finder.take(data(other, channel: 0x41)), "\(place)")
    }
    // A press may have any transaction label. Any bytes may follow the command.
    var other = press
    other[0] = 0xF0
    expect(finder.take(data(other + [UInt8](repeating: 1, count: 500), channel: 0x41)))
  }

  @Test func closedChannelLinkOrController_isForgotten() {
    let press = data(key(0x44), channel: 0x41)
    let ends: [(String, [UInt8])] = [
      ("the phone closes the channel", signal(6, [0x41, 0x50])),
      ("the unit closes the channel", signal(6, [0x50, 0x41], isFromUnit: true)),
      ("the link ends", frame(3, [0x05, 4, 0] + word(0x40) + [0x13])),
      ("the controller is removed", frame(1, [])),
    ]
    for (end, packet) in ends {
      var finder = PressFinder()
      opened(in: &finder)
      expect(finder.take(press))
      _ = finder.take(packet)
      expect(!finder.take(press), "\(end)")
      opened(in: &finder)
      expect(finder.take(press), "\(end), then a new channel")
    }
    // Events of another connection or controller have no effect.
    var finder = PressFinder()
    opened(in: &finder)
    for other in [
      signal(6, [0x50, 0x41]), frame(3, [0x05, 4, 0] + word(0x41) + [0x13]),
      frame(3, [0x05, 4, 1] + word(0x40) + [0x13]), frame(1, [], controller: 1),
      frame(3, [0x18] + [UInt8](repeating: 0, count: 23)),
    ] {
      _ = finder.take(other)
      expect(finder.take(press))
    }
  }

  /// The memory stays bounded if a phone requests and opens channels again and again.
  @Test func memory_isBounded() {
    var finder = PressFinder()
    for number in 0..<10_000 { _ = finder.take(signal(2, [0x17, 0x1000 + number])) }
    for number in 0..<1000 { opened(number: 0x41 + number, in: &finder) }
    expect(!finder.take(data(key(0x44), channel: 0x41)))
    let last = (0..<1000).count { finder.take(data(key(0x44), channel: 0x41 + $0)) }
    #expect(last == PressFinder.mostChannels)
  }

  @Test func truncatedFrame_isIgnored() {
    let frames = [
      signal(2, [0x17, 0x50]), signal(3, [0x41, 0x50, 0, 0], isFromUnit: true),
      frame(3, [0x05, 4, 0] + word(0x40) + [0x13]), data(key(0x44), channel: 0x41),
    ]
    var finder = PressFinder()
    opened(in: &finder)
    for whole in frames {
      // The last byte is not read: in an event it is the reason, and in a press it is a length. So
      // the frame that lacks only this byte is not tested.
      for count in 0..<(whole.count - 1) {
        expect(!finder.take(whole[..<count]), "\(whole) cut to \(count)")
      }
    }
    // Wrong lengths.
    for length in [0, 3, 7, 0xFFFF] {
      let message = word(length) + word(0x41) + key(0x44)
      let malformed = frame(5, word(0x2040) + word(0xFFFF) + message)
      expect(finder.take(malformed) == (length >= 7))
    }
    for length in [0, 3, 0xFFFF] {
      _ = finder.take(data([2, 1] + word(length) + word(0x17) + word(0x99), channel: 1))
    }
    expect(finder.take(data(key(0x44), channel: 0x41)))
  }

  /// The finder finds no press in random bytes, and it always returns.
  @Test func randomBytes_areNoPress() {
    var state: UInt64 = 7
    var finder = PressFinder()
    for _ in 0..<20_000 {
      var noise: [UInt8] = []
      for _ in 0..<(state >> 40 % 64) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        noise.append(UInt8(truncatingIfNeeded: state >> 33))
      }
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // Some of these frames have data for channels that are not open, or belong to signalling.
      expect(!finder.take(frame(Int(state >> 60) % 6, word(0x2040) + word(60) + noise)))
    }
  }
}
