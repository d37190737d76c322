import NowPlaying
import Testing

/// A tone without an end.
final class Tone {
  private let clock: () -> MonotonicInstant
  private var session: MediaSession!
  private var rate = 0.0

  init(_ center: NowPlayingCenter, clock: @escaping () -> MonotonicInstant) {
    self.clock = clock
    session = center.openSession(
      "tone", instruct: { [unowned self] in follow($0) }, at: clock())
    session.activate(at: clock())
    publish()
  }

  /// Carries out an instruction: the center pauses the tone, for example during a call, and resumes it later.
  private func follow(_ instruction: SessionInstruction) {
    switch instruction {
    case .pause: sound(rate: 0)
    case .resume: sound(rate: 1)
    case .duck, .unduck: break
    }
  }

  private func sound(rate: Double) {
    self.rate = rate
    publish()
  }

  private func publish() {
    let report = PlayerReport(
      contentID: "a4", duration: .continuous, position: .zero, rate: rate, timestamp: clock())
    session.publish(
      SessionDescription(
        content: .generic(GenericContent(id: "a4", title: "A4", duration: .continuous)),
        playback: .players(SessionPlayers(report)),
        commands: [
          .play { [unowned self] reply in
            sound(rate: 1)
            reply(.success, at: clock())
          },
          .pause { [unowned self] reply in
            sound(rate: 0)
            reply(.success, at: clock())
          },
        ]), at: clock())
  }

  func end() { session.end(at: clock()) }
}

/// The example of docs/now-playing.md, word for word. The tests show that the example compiles and works.
@Suite struct ExampleTests {
  private let time = ManualClock()
  private let center = NowPlayingCenter(volume: Volume(level: .loudest))

  /// Runs the second part of the example.
  private func play(_ then: (Tone, () -> String) -> Void) {
    let clock = { time.now }
    var shown = ""
    var answer: CommandAnswer?

    let tone = Tone(center, clock: clock)
    let port = center.connect(SurfaceDescription(id: "console"), at: clock()) { state in
      shown = TemplateText.dump(state, at: clock())
    }
    port.send(.media(.play), on: .text, at: clock()) { answer = $0 }

    #expect(answer == .success)
    then(tone) { shown }
    withExtendedLifetime(port) {}
  }

  @Test func example_plays() {
    play { tone, shown in
      #expect(shown().contains("playing  0:00"))
      tone.end()
      #expect(!shown().contains("A4"))
    }
  }

  @Test func example_isSilentDuringACall_andPlaysAfterIt() {
    play { tone, shown in
      let call = center.beginInterruption(.call, at: time.now)
      #expect(shown().contains("interrupted"))
      center.endInterruption(call, shouldResume: true, at: time.now)
      #expect(shown().contains("playing  0:00"))
      withExtendedLifetime(tone) {}
    }
  }
}
