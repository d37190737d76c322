import NowPlaying
import Testing

/// The example of docs/now-playing.md, word for word. The test shows that the example compiles and
/// works.
@Suite struct ExampleTests {
  final class Tone {
    var session: MediaSession!
    var rate = 0.0

    func say(_ now: MonotonicInstant) {
      let report = PlayerReport(
        contentID: "a4", duration: .continuous, position: .zero, rate: rate, timestamp: now)
      session.publish(
        SessionDescription(
          content: .generic(GenericContent(id: "a4", title: "A4", duration: .continuous)),
          playback: .players(SessionPlayers(report)),
          commands: [
            .play { [unowned self] reply in
              rate = 1
              say(now)
              reply(.success, at: now)
            }
          ]), at: now)
    }
  }

  @Test func example_plays() {
    let now = MonotonicInstant(awake: .seconds(1))
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    let tone = Tone()
    tone.session = center.openSession("tone", instruct: { _ in tone.rate = 0 }, at: now)
    tone.session.activate(at: now)
    tone.say(now)

    var shown = ""
    let port = center.connect(SurfaceDescription(id: "console"), at: now) { state in
      shown = TemplateText.dump(state, at: now)
    }
    var answer: CommandAnswer?
    port.send(.media(.play), on: .text, at: now) { answer = $0 }
    #expect(answer == .success)
    #expect(shown.contains("playing  0:00"))
  }
}
