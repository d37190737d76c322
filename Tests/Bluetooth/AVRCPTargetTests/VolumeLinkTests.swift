import NowPlaying
import Testing

@testable import AVRCPTarget

@Suite struct VolumeLinkTests {
  private let path = "/org/bluez/hci0/dev_1/fd0"

  private func at(_ seconds: Double) -> MonotonicInstant {
    MonotonicInstant(awake: .seconds(seconds))
  }

  /// A link to a phone. At second 0, the unit told the phone the volume 50 (AVRCP: 0 … 127).
  private func link() -> VolumeLink {
    var link = VolumeLink()
    link.add(path, step: 127, at: at(0))
    #expect(link.transportsToTell(50, at: at(0)) == [path])
    #expect(link.transportsToTell(50, at: at(0)).isEmpty)
    return link
  }

  private func received(_ step: Int, _ link: inout VolumeLink, at seconds: Double)
    -> VolumeLink.Answer
  {
    link.received(step, from: path, current: 50, maximum: 64, at: at(seconds))
  }

  @Test func received_rightAfterTheConnection_isAnsweredWithTheStepOfTheUnit() {
    var link = link()
    #expect(received(90, &link, at: 1.9) == .tell)
    #expect(link.transportsToTell(50, at: at(1.9)) == [path])
    #expect(received(53, &link, at: 4) == .obey(53))
  }

  /// A phone can connect AVRCP some seconds after its sound (A2DP). For a short time after that, the unit ignores the
  /// volume of the phone once more, and sends its own volume.
  @Test func received_rightAfterTheRemoteControl_isAnsweredWithTheStepOfTheUnit() {
    var link = link()
    let answer = link.received(
      90, from: path, current: 50, maximum: 64, remoteSince: at(4), at: at(5))
    #expect(answer == .tell)
  }

  @Test func received_theNearestStepOfThePhone_isNoChange() {
    var link = link()
    #expect(link.transportsToTell(51, at: at(10)) == [path])
    #expect(received(54, &link, at: 10.5) == .nothing)
    #expect(link.transportsToTell(51, at: at(10.5)).isEmpty)
    #expect(received(56, &link, at: 10.6) == .obey(56))
  }

  /// A knob of the unit turns fast. BlueZ and the phone report back each step that the unit has told them, not only the
  /// last step. The unit must ignore these reports.
  @Test func received_anEarlierStepOfAFastKnob_isNoChange() {
    var link = link()
    for (number, step) in [10, 25, 40, 76].enumerated() {
      #expect(link.transportsToTell(step, at: at(10 + Double(number) / 10)) == [path])
    }
    for step in [10, 25, 42, 76] { #expect(received(step, &link, at: 10.6) == .nothing) }
    #expect(link.transportsToTell(76, at: at(10.6)).isEmpty)
    #expect(received(25, &link, at: 11.2) == .obey(25))
  }

  /// On the phone, the volume is turned up, and then down to a step near the step that the unit told the phone before.
  /// The unit obeys this step: it is not the echo of the step that the unit told (``VolumeLink/echoTime``).
  @Test func received_afterAStepOfThePhone_isObeyedEvenIfItWasToldBefore() {
    var link = link()
    #expect(link.transportsToTell(51, at: at(10)) == [path])
    #expect(received(60, &link, at: 10.3) == .obey(60))
    #expect(received(48, &link, at: 10.6) == .obey(48))
  }

  @Test func received_later_isObeyedEvenIfItIsNear() {
    var link = link()
    #expect(received(53, &link, at: 5) == .obey(53))
    #expect(received(50, &link, at: 6) == .nothing)
    #expect(received(40, &link, at: 7) == .obey(40))
  }

  @Test func received_aJump_goesToTheMaximumOnly() {
    var link = link()
    #expect(received(120, &link, at: 5) == .obey(64))
    #expect(link.transportsToTell(64, at: at(5)) == [path])
  }

  @Test func received_aJumpAboveTheMaximum_changesNothing() {
    var link = link()
    #expect(link.received(127, from: path, current: 80, maximum: 64, at: at(5)) == .tell)
    #expect(link.received(90, from: path, current: 80, maximum: 64, at: at(6)) == .obey(90))
  }

  @Test func received_fromAnUnknownTransport_isIgnored() {
    var link = link()
    link.remove(path)
    #expect(received(80, &link, at: 5) == .nothing)
    #expect(link.transportsToTell(20, at: at(5)).isEmpty)
  }
}
