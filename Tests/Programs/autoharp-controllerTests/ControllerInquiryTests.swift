import BluetoothController
import Glibc
import Testing

@testable import autoharp_controller

/// Tests which commands are sent to a controller, and how its answers are used.
@Suite struct ControllerInquiryTests {
  private let phone = ControllerLink(handle: 0x0042, address: "AA:BB:CC:DD:EE:FF")
  private let remote = ControllerLink(
    handle: 0x0EFF, address: "AA:BB:CC:DD:EE:01", isLowEnergy: true)

  @Test func ask_returnsDetails_andSignals() throws {
    let controller = ScriptedController(links: [phone, remote])
    controller.bits = [0b100, 0, 0, 0b10, 0b100_0000, 0, 0b1000, 0]
    controller.complete(0x1001, [10, 0, 0, 10, 0x5D, 0, 0, 0])
    controller.complete(0x1405, [0x42, 0, UInt8(bitPattern: -7)])
    // The answers to the commands of other programs arrive too, and are ignored.
    controller.complete(0x0C03, [])
    controller.complete(0x1405, [0x99, 0, 1])
    controller.complete(0x1403, [0x42, 0, 251])
    controller.complete(0x1405, [0xFF, 0x0E, UInt8(bitPattern: -61)])
    let reading = try ControllerInquiry.ask(0, controller, within: 600_000)
    #expect(
      controller.takeCommands() == [
        [0x01, 0x01, 0x10, 0], [0x01, 0x05, 0x14, 2, 0x42, 0], [0x01, 0x03, 0x14, 2, 0x42, 0],
        [0x01, 0x05, 0x14, 2, 0xFF, 0x0E],
      ])
    #expect(controller.isClosed)
    let details = try #require(reading.details)
    #expect(details.manufacturer == "Realtek Semiconductor Corporation")
    #expect(details.version == "5.1")
    #expect(details.features == [.encryption, .enhancedDataRate, .lowEnergy, .simplePairing])
    #expect(reading.links[phone.address] == LinkReading(signal: -7, quality: 251))
    #expect(reading.links[remote.address] == LinkReading(signal: -61, isLowEnergy: true))
  }

  @Test func ask_refusedCommands_areUnknown() throws {
    let controller = ScriptedController(links: [phone])
    controller.complete(0x1001, status: 1, [])
    controller.complete(0x1405, status: 2, [0x42, 0, 0])
    controller.complete(0x1403, status: 1, [])
    let reading = try ControllerInquiry.ask(0, controller, within: 600_000)
    #expect(reading == ControllerReading(links: [phone.address: LinkReading()]))
  }

  @Test func ask_silentController_returnsAfterTheTimeout() throws {
    let controller = ScriptedController(links: [remote])
    controller.complete(0x1405, [0xFF, 0x0E, 127])
    let clock = ContinuousClock()
    var reading: ControllerReading?
    let time = try clock.measure { reading = try ControllerInquiry.ask(0, controller) }
    #expect(time >= .milliseconds(1990))
    #expect(reading == ControllerReading(links: [remote.address: LinkReading(isLowEnergy: true)]))
  }

  @Test func ask_removedController_returnsAtOnce() throws {
    let controller = ScriptedController(links: [phone])
    controller.complete(0x1405, [0x42, 0, 3])
    controller.isPulled = true
    let reading = try ControllerInquiry.ask(0, controller, within: 600_000)
    #expect(reading == ControllerReading(links: [phone.address: LinkReading(signal: 3)]))
  }

  @Test func ask_missingController_throws() throws {
    let controller = ScriptedController()
    #expect(throws: CallFailure(call: "hci_open_dev", code: ENODEV)) {
      try ControllerInquiry.ask(1, controller)
    }
    #expect("\(CallFailure(call: "hci_open_dev", code: ENODEV))" == "hci_open_dev: No such device")
  }

  /// For every maker of controllers, the daemon can read the text that `autoharp-controller` prints.
  @Test func details_ofEveryManufacturer_areReadBack() throws {
    for number in 0...UInt16.max {
      let details = ControllerDetails(
        manufacturer: number, version: UInt8(truncatingIfNeeded: number), featureBits: [])
      let reading = ControllerReading(details: details)
      // `#expect` is not used here, because 65 536 macro calls would take a minute.
      if (try? ControllerReading(text: Array(reading.text.utf8))) != reading {
        Issue.record("\(details)")
      }
    }
  }

  @Test func details_unknownNumbers_haveATextForPeople() {
    let details = ControllerDetails(manufacturer: 0xFFFF, version: 250, featureBits: [])
    #expect(details.manufacturer == "internal use" && details.version == "of number 250")
    #expect(details.features == [])
  }

  /// Malformed packets are truncated, have a wrong length, or have a wrong type or command.
  @Test func answer_malformedPacket_isNil() {
    let good: [UInt8] = [0x04, 0x0E, 7, 1, 0x05, 0x14, 0, 0x42, 0, 5]
    #expect(ControllerAnswer(good[...]) == .signal(handle: 0x42, 5))
    for count in 0..<good.count { #expect(ControllerAnswer(good[..<count]) == nil) }
    for index in [0, 1, 4, 5] {
      var bad = good
      bad[index] ^= 0x80
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

  @Test func address_hasBluezsForm() {
    #expect(KernelControllers.text([0x00, 0x1A, 0x7D, 0xDA, 0x71, 0x01]) == "00:1A:7D:DA:71:01")
  }
}
