import NowPlaying
import Testing

@testable import Reports

@testable import Input

@Suite struct HeldKeysTests {
  private let start = MonotonicInstant(awake: .seconds(100))
  private let hold: Duration? = .milliseconds(500)

  private func at(_ milliseconds: Int) -> MonotonicInstant {
    start.advanced(by: .milliseconds(milliseconds))
  }

  private func words(_ commands: [KeyCommand]) -> [String] {
    commands.map { command in
      switch command.request {
      case .request(let request): "\(request)"
      case .nextMode(let kind): "next \(kind.rawValue)"
      case .focus(let move): "focus \(move.kind)"
      }
    }
  }

  @Test func release_shortPressOfNext_isNext() {
    var keys = HeldKeys(isPassThrough: false)
    #expect(keys.press(163, .next, hold: hold, at: at(0)).isEmpty)
    #expect(keys.nextDeadline == at(500))
    let commands = keys.release(163, at: at(120))
    #expect(words(commands) == ["next"])
    #expect(commands.first?.at == at(120))
    #expect(commands.first?.pressed == at(0))
    #expect(keys.nextDeadline == nil)
  }

  @Test func expire_longPressOfNext_seeksUntilTheRelease() {
    var keys = HeldKeys(isPassThrough: false)
    _ = keys.press(163, .next, hold: hold, at: at(0))
    #expect(keys.expire(at: at(499)).isEmpty)
    #expect(words(keys.expire(at: at(500))) == ["seekForward begin"])
    #expect(keys.expire(at: at(900)).isEmpty)
    #expect(words(keys.release(163, at: at(1500))) == ["seekForward end"])
  }

  @Test func keyThatIsStuck_doesNotSeekAnyMore() {
    var keys = HeldKeys(isPassThrough: false)
    _ = keys.press(163, .next, hold: hold, at: at(0))
    _ = keys.expire(at: at(500))
    #expect(keys.nextDeadline == at(30_000) && keys.expire(at: at(29_999)).isEmpty)
    #expect(words(keys.expire(at: at(30_000))) == ["seekForward end"])
    #expect(keys.nextDeadline == nil && keys.pressTime(of: 163) == at(0))
    #expect(keys.release(163, at: at(90_000)).isEmpty && keys.pressTime(of: 163) == nil)
    #expect(keys.press(163, .next, hold: hold, at: at(91_000)).isEmpty)
    #expect(words(keys.release(163, at: at(91_100))) == ["next"])
  }

  @Test func expire_longPressOfPrevious_seeksBackward() {
    var keys = HeldKeys(isPassThrough: false)
    _ = keys.press(165, .previous, hold: hold, at: at(0))
    #expect(words(keys.expire(at: at(600))) == ["seekBackward begin"])
    #expect(words(keys.release(165, at: at(700))) == ["seekBackward end"])
  }

  /// The loop is late and does not call `expire`. The result is the same as without the delay.
  @Test func release_longPressWithoutExpire_seeks() {
    var keys = HeldKeys(isPassThrough: false)
    _ = keys.press(163, .next, hold: hold, at: at(0))
    let commands = keys.release(163, at: at(520))
    #expect(words(commands) == ["seekForward begin", "seekForward end"])
    #expect(commands.map(\.at) == [at(500), at(520)])
  }

  @Test func press_withoutHoldTime_actsAtOnce() {
    var keys = HeldKeys(isPassThrough: false)
    #expect(words(keys.press(163, .next, hold: nil, at: at(0))) == ["next"])
    #expect(keys.release(163, at: at(3000)).isEmpty)
  }

  @Test func press_nextOfAPhone_actsAtOnce() {
    var keys = HeldKeys(isPassThrough: true)
    #expect(words(keys.press(163, .next, hold: hold, at: at(0))) == ["next"])
    #expect(keys.expire(at: at(10_000)).isEmpty)
    #expect(keys.release(163, at: at(10_000)).isEmpty)
  }

  @Test func press_fastForward_seeksUntilTheRelease() {
    var keys = HeldKeys(isPassThrough: false)
    #expect(words(keys.press(208, .fastForward, hold: hold, at: at(0))) == ["seekForward begin"])
    #expect(keys.press(208, .fastForward, hold: hold, at: at(10)).isEmpty)
    #expect(words(keys.release(208, at: at(60_000))) == ["seekForward end"])
    #expect(keys.release(208, at: at(60_001)).isEmpty)
  }

  @Test func expire_heldVolumeKey_repeatsUntilTheRelease() {
    var keys = HeldKeys(isPassThrough: false)
    let first = keys.press(115, .volumeUp, hold: hold, at: at(0))
    #expect(words(first) == ["volume +2.5 %"])
    #expect(first.map(\.isRepeat) == [false])
    // The kernel's own repeats arrive 25 times a second. They have no effect.
    for time in stride(from: 250, to: 400, by: 40) { keys.receiveRepeat(of: 115, at: at(time)) }
    #expect(keys.expire(at: at(399)).isEmpty)
    let second = keys.expire(at: at(400))
    #expect(words(second) == ["volume +2.5 %"])
    #expect(second.map(\.isRepeat) == [true])
    #expect(keys.nextDeadline == at(500))
    #expect(keys.release(115, at: at(450)).isEmpty)
    #expect(keys.expire(at: at(5000)).isEmpty)
  }

  @Test func expire_stuckVolumeKey_stopsAtTheEndOfTheRange() {
    var keys = HeldKeys(isPassThrough: false)
    _ = keys.press(115, .volumeUp, hold: hold, at: at(0))
    var steps = 0
    while let deadline = keys.nextDeadline, steps < 1000 {
      steps += keys.expire(at: deadline).count
    }
    #expect(steps == 40)
  }

  @Test func expire_lateCall_repeatsOnce() {
    var keys = HeldKeys(isPassThrough: false)
    _ = keys.press(114, .volumeDown, hold: hold, at: at(0))
    #expect(keys.expire(at: at(3000)).count == 1)
    #expect(keys.nextDeadline == at(3100))
  }

  @Test func releaseAll_heldKeys_endsSeeksAndBeginsNothing() {
    var keys = HeldKeys(isPassThrough: false)
    _ = keys.press(208, .fastForward, hold: hold, at: at(0))
    _ = keys.press(163, .next, hold: hold, at: at(10))
    _ = keys.press(115, .volumeUp, hold: hold, at: at(20))
    #expect(words(keys.releaseAll(at: at(30))) == ["seekForward end"])
    #expect(keys.nextDeadline == nil)
    #expect(keys.releaseAll(at: at(40)).isEmpty)
  }

  /// If a phone sends no release, bluetoothd releases the key after two seconds. If bluetoothd does not release the key
  /// either, the unit releases the key.
  @Test func expire_keyOfAPhoneWithoutEvents_isReleased() {
    var keys = HeldKeys(isPassThrough: true)
    _ = keys.press(208, .fastForward, hold: hold, at: at(0))
    keys.receiveRepeat(of: 208, at: at(2000))
    #expect(keys.nextDeadline == at(4500))
    #expect(keys.expire(at: at(4499)).isEmpty)
    #expect(words(keys.expire(at: at(4500))) == ["seekForward end"])
    #expect(keys.release(208, at: at(4600)).isEmpty)
  }

  @Test func expire_heldKeyOfAWheelWithoutEvents_staysHeld() {
    var keys = HeldKeys(isPassThrough: false)
    _ = keys.press(208, .fastForward, hold: hold, at: at(0))
    #expect(keys.nextDeadline == at(30_000))
    #expect(keys.expire(at: at(29_999)).isEmpty)
  }

  @Test func press_modeKeys_changeTheMode_andNoneDoesNothing() {
    var keys = HeldKeys(isPassThrough: false)
    #expect(words(keys.press(1, .repeat, hold: hold, at: at(0))) == ["next changeRepeatMode"])
    #expect(words(keys.press(2, .shuffle, hold: hold, at: at(0))) == ["next changeShuffleMode"])
    #expect(keys.press(3, .nothing, hold: hold, at: at(0)).isEmpty)
  }
}
