import EventLoop
import Glibc
import TestKit
import Testing

@testable import BluetoothRadio

/// What a controller is asked, and what becomes of its answers.
@Suite(.timeLimit(.minutes(1))) struct RadioProbeTests {
  private let loop = EventLoop()
  private let phone = RadioLink(handle: 0x0042, address: "AA:BB:CC:DD:EE:FF")
  private let remote = RadioLink(handle: 0x0EFF, address: "AA:BB:CC:DD:EE:01", isLowEnergy: true)

  private func turn(
    until condition: () -> Bool, _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let deadline = EventClock.monotonic.now + 20_000_000_000
    while !condition() {
      try #require(EventClock.monotonic.now < deadline, sourceLocation: sourceLocation)
      try loop.step(timeout: .milliseconds(100))
    }
  }

  @Test func controller_saysWhoItIs_andHowItHearsEachLink() throws {
    let controller = FakeController()
    controller.links = [phone, remote]
    controller.bits = [0b100, 0, 0, 0b10, 0b100_0000, 0, 0b1000, 0]
    var reading: RadioReading?
    let probe = try RadioProbe(loop, adapter: 0, access: controller) { reading = $0 }
    #expect(
      controller.takeQuestions() == [
        [0x01, 0x01, 0x10, 0], [0x01, 0x05, 0x14, 2, 0x42, 0], [0x01, 0x03, 0x14, 2, 0x42, 0],
        [0x01, 0x05, 0x14, 2, 0xFF, 0x0E],
      ])
    controller.answer(0x1001, [10, 0, 0, 10, 0x5D, 0, 0, 0])
    controller.answer(0x1405, [0x42, 0, UInt8(bitPattern: -7)])
    // What others ask is seen, too.
    controller.answer(0x0C03, [])
    controller.answer(0x1405, [0x99, 0, 1])
    controller.answer(0x1403, [0x42, 0, 251])
    try turn { try! loop.step(timeout: .zero) == false }
    #expect(reading == nil)
    controller.answer(0x1405, [0xFF, 0x0E, UInt8(bitPattern: -61)])
    try turn { reading != nil }
    let details = try #require(reading?.details)
    #expect(details.manufacturer == "Realtek Semiconductor Corporation")
    #expect(details.version == "5.1")
    #expect(details.features == [.encryption, .enhancedDataRate, .lowEnergy, .simplePairing])
    #expect(reading?.links[phone.address] == LinkReading(signal: -7, quality: 251))
    #expect(reading?.links[remote.address] == LinkReading(signal: -61, isLowEnergy: true))
    withExtendedLifetime(probe) {}
  }

  @Test func refusals_areUnknown_andEndIt() throws {
    let controller = FakeController()
    controller.links = [phone]
    var reading: RadioReading?
    let probe = try RadioProbe(loop, adapter: 0, access: controller) { reading = $0 }
    controller.answer(0x1001, status: 1, [])
    controller.answer(0x1405, status: 2, [0x42, 0, 0])
    controller.answer(0x1403, status: 1, [])
    try turn { reading != nil }
    #expect(reading == RadioReading(links: [phone.address: LinkReading()]))
    withExtendedLifetime(probe) {}
  }

  @Test func controllerThatSaysNothing_isGivenUp_withWhatItHadSaid() throws {
    let controller = FakeController()
    controller.links = [remote]
    var reading: RadioReading?
    let began = EventClock.monotonic.now
    let probe = try RadioProbe(loop, adapter: 0, access: controller) { reading = $0 }
    controller.answer(0x1405, [0xFF, 0x0E, 127])
    try turn { reading != nil }
    #expect(EventClock.monotonic.now - began >= 2_000_000_000)
    #expect(reading == RadioReading(links: [remote.address: LinkReading(isLowEnergy: true)]))
    withExtendedLifetime(probe) {}
  }

  @Test func controllerThatIsNotThere_isAnError() throws {
    let controller = FakeController()
    #expect(throws: SystemError("hci_open_dev", ENODEV)) {
      try RadioProbe(loop, adapter: 1, access: controller) { _ in }
    }
  }

  @Test func probeThatIsCancelled_saysNothing() throws {
    let controller = FakeController()
    var reading: RadioReading?
    let probe = try RadioProbe(loop, adapter: 0, access: controller) { reading = $0 }
    probe.cancel()
    while try loop.step() {}
    #expect(reading == nil)
    #expect(controller.isClosed)
  }

  /// A length that lies, a packet of another kind, and nothing at all.
  @Test func answersThatAreNone_areNil() {
    let good: [UInt8] = [0x04, 0x0E, 7, 1, 0x05, 0x14, 0, 0x42, 0, 5]
    #expect(ControllerAnswer(good[...]) == .signal(handle: 0x42, 5))
    for count in 0..<good.count { #expect(ControllerAnswer(good[..<count]) == nil) }
    for place in [0, 1, 4, 5] {
      var bad = good
      bad[place] ^= 0x80
      #expect(ControllerAnswer(bad[...]) == nil)
    }
    var short = good
    for length in 0..<7 as Range<UInt8> {
      short[2] = length
      #expect(ControllerAnswer(short[...]) == nil)
    }
    short[2] = 8
    #expect(ControllerAnswer(short[...]) == nil)
    for number in 0..<4096 {
      let noise = [0x04, 0x0E, UInt8(number & 15), 1, 0x05, 0x14, 0, UInt8(number >> 4), 0, 5]
      let isWhole = number & 15 == 7
      let answer = ControllerAnswer(noise[...])
      #expect(answer == (isWhole ? .signal(handle: UInt16(number >> 4), 5) : nil))
    }
  }

  @Test func address_isWrittenAsBluezWritesIt() {
    #expect(KernelRadio.text([0x00, 0x1A, 0x7D, 0xDA, 0x71, 0x01]) == "00:1A:7D:DA:71:01")
  }
}
