import NowPlaying
import Testing

@testable import CarLines

@Suite struct IgnitionTests {
  private var ignition = Ignition(delay: .seconds(30))

  private static func at(_ seconds: Int) -> MonotonicInstant {
    MonotonicInstant(awake: .seconds(seconds))
  }

  @Test mutating func ignitionThatComesBackInTime_playsOn() {
    #expect(ignition.update(isOn: true, at: Self.at(0)) == nil)
    #expect(ignition.deadline == nil)
    #expect(ignition.update(isOn: false, at: Self.at(10)) == .pause)
    #expect(ignition.deadline == Self.at(40))
    // If the same level is reported again, the first deadline stays.
    #expect(ignition.update(isOn: false, at: Self.at(20)) == nil)
    #expect(ignition.expire(at: Self.at(39)) == nil)
    #expect(ignition.update(isOn: true, at: Self.at(39)) == .resume)
    #expect(ignition.expire(at: Self.at(40)) == nil)
  }

  @Test mutating func ignitionThatStaysOff_powersDownOnce() {
    #expect(ignition.update(isOn: false, at: Self.at(0)) == .pause)
    #expect(ignition.expire(at: Self.at(30)) == .powerDown)
    #expect(ignition.expire(at: Self.at(31)) == nil)
    #expect(ignition.update(isOn: true, at: Self.at(31)) == nil)
    #expect(ignition.state == .poweringDown)
  }

  @Test mutating func powerDownThatFails_isTriedAgain_andDoesNotHoldTheMusic() {
    _ = ignition.update(isOn: false, at: Self.at(0))
    _ = ignition.expire(at: Self.at(30))
    ignition.powerDownFailed(at: Self.at(30))
    #expect(ignition.deadline == Self.at(90))
    #expect(ignition.expire(at: Self.at(90)) == .powerDown)
    ignition.powerDownFailed(at: Self.at(90))
    #expect(ignition.update(isOn: true, at: Self.at(91)) == .resume)
  }

  @Test mutating func brokenWire_countsAsOn() {
    _ = ignition.update(isOn: true, at: Self.at(0))
    #expect(ignition.update(isOn: nil, at: Self.at(1)) == nil)
    #expect(ignition.update(isOn: false, at: Self.at(2)) == .pause)
    #expect(ignition.update(isOn: nil, at: Self.at(3)) == .resume)
    #expect(ignition.deadline == nil)
  }
}
