import AudioEngine
import EventLoop
import Foundation
import HeadUnit
import LocalPlayer
import MusicFiles
import NowPlaying
import Reports
import Settings
import SystemClock
import TestKit
import Testing

@testable import Daemon

/// The buttons of the configuration on a real head unit with one screen.
@Suite struct ConfiguredButtonsTests {
  private final class Bench {
    let context: PartContext
    let buttons: ConfiguredButtons
    let unit: HeadUnit
    private var port: SurfacePort?

    init(_ lines: [String]) throws {
      context = try PartContext(lines)
      let buttons = ConfiguredButtons(context.settings, context.turns, log: context.log)
      self.buttons = buttons
      var options = HeadUnit.Options()
      options.buttons = { buttons.configure(&$0) }
      try GeneratedMusic(channels: 1, rate: 8000, frames: 8000 * 60).flac(
        context.folder, "music/a.flac")
      unit = HeadUnit(
        files: MusicScan(paths: [context.folder.path("music/a.flac")]).files, sink: NullSink(),
        options: options)
      port = unit.center.connect(
        SurfaceDescription(id: "screen", showsTemplate: true), at: .now()
      ) { _ in }
      port?.send(.media(.play), on: .text, at: .now())
      try turn { unit.center.state.status == .playing }
    }

    deinit { unit.shutDown() }

    func turn(until condition: () -> Bool) throws {
      try context.loop.turn {
        _ = unit.turn()
        return condition()
      }
    }

    var kinds: [NowPlayingButton.Kind] { unit.center.state.template.buttons.map(\.kind) }

    /// Presses a button. The returned object receives the answer later.
    func press(_ number: Int) -> Answer {
      let answer = Answer()
      port?.send(.template(.button(number)), on: .text, at: .now()) { answer.value = $0 }
      return answer
    }
  }

  private final class Answer {
    var value: CommandAnswer?
  }

  @Test func screen_getsTheButtonsOfTheConfiguration_andOthersAfterAReload() throws {
    let bench = try Bench(["button = more: chime", "button = rate"])
    #expect(bench.kinds == [.more, .playbackRate])
    let other = try PartContext(["button = add: like"])
    bench.buttons.use(other.settings, ButtonPictureFiles(other.settings))
    bench.unit.configureButtons()
    #expect(bench.kinds == [.addToLibrary])
  }

  @Test func buttonWithACommand_sendsIt() throws {
    let bench = try Bench(["button = more: mute", "button = add: pause"])
    #expect(!bench.unit.center.volume.isMuted)
    let muting = bench.press(0)
    #expect(bench.unit.center.volume.isMuted && muting.value == .success)
    _ = bench.press(1)
    try bench.turn { bench.unit.center.state.status == .paused }
    #expect(bench.buttons.takeChimes().isEmpty)
  }

  /// A button does what the key with the same name does: both send the same request.
  @Test func buttonsOfJumps_sendTheRequestsOfTheKeys() throws {
    final class Owner: ListOwner {
      let listSession = LocalSource.sessionID
      var requests: [ListRequest] = []
      func perform(_ request: ListRequest, _ reply: CommandReply) {
        requests.append(request)
        reply(.success, at: .now())
      }
    }
    let names = ListJump.allCases.map(\.rawValue)
    for jumps in [names.prefix(3), names.dropFirst(3)] {
      let actions = jumps.map { name in
        name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
      }
      let bench = try Bench(zip(jumps, actions).map { "button = \($0): \($1)" })
      let owner = Owner()
      bench.unit.center.add(listOwner: owner)
      let answers = jumps.indices.map { bench.press($0 - jumps.startIndex).value }
      #expect(answers == Array(repeating: .success, count: 3))
      #expect(owner.requests.map(\.description) == Array(jumps))
    }
  }

  /// The unit's own music has one speed. The button stays grey, and a tap says why.
  @Test func rateOfOwnMusic_isGrey_andRefusedWithItsReason() throws {
    let bench = try Bench(["button = rate"])
    #expect(bench.unit.center.state.template.buttons.map(\.isEnabled) == [false])
    #expect(bench.press(0).value?.refusal?.code == .fixedSpeed)
  }

  /// A press arrives while the Now Playing center changes. So the chime plays later, in the next turn of the daemon.
  @Test func chimeButton_asksForATurn_andIsAnsweredThere() throws {
    let bench = try Bench(["button = more: chime"])
    var answer = Answer()
    #expect(try bench.context.isTurnRequested { answer = bench.press(0) })
    #expect(answer.value == nil)
    let chimes = bench.buttons.takeChimes()
    try #require(chimes.count == 1)
    #expect(bench.buttons.takeChimes().isEmpty)
    chimes[0](nil)
    #expect(answer.value == .success)

    let refused = bench.press(0)
    bench.buttons.takeChimes().forEach { $0(Refusal(.noChime, "none")) }
    #expect(refused.value?.refusal?.code == .noChime)
  }

  @Test func pictureThatCannotBeUsed_isLogged() throws {
    let context = try PartContext([
      "button = bell: chime", "button-picture = bell: /missing/bell.png",
    ])
    let buttons = ConfiguredButtons(context.settings, context.turns, log: context.log)
    #expect(context.logged(.pictureUnusable) == 1)
    buttons.use(Settings(), ButtonPictureFiles(Settings()))
    #expect(context.logged(.pictureUnusable) == 1)
  }
}
