import AudioCodecs
import TestKit
import Testing

@testable import AudioEngine

/// A chime during a prompt of a phone: both are heard, and the prompt loses no frame.
@Suite struct MixedTrackTests {
  private let prompt = 5
  private let chime = 9

  /// A chime at the level 0.25. The prompt has the level 0.5.
  private func chime(id: Int = 9, frames: Int, rate: Int = 48000) -> TrackRequest {
    TrackRequest(id: id) { () throws(DecodeError) in
      let format = StreamFormat.test(16, rate: rate)
      return OpenedTrack(
        decoder: ConstantLevelDecoder(format, value: 1 << 29, frames: frames),
        description: TrackDescription(
          codec: "test", format: format, durationSeconds: nil, metadata: AudioMetadata()))
    }
  }

  private func begin() -> ScriptedLiveSource {
    let source = ScriptedLiveSource(rewritable: nil, signal: { _ in 0.5 })
    source.bench.playOverlay(source.track(id: prompt))
    source.run(steps: 50)
    return source
  }

  private func count(_ level: Float, _ source: ScriptedLiveSource) -> Int {
    source.played.count { abs($0 - level) < 0.001 }
  }

  /// Number of frames in the longest part in which a chime is heard alone. A fade of the prompt passes the level too.
  private func framesAlone(_ source: ScriptedLiveSource) -> Int? {
    source.played.split { $0 != 0.25 }.map(\.count).max()
  }

  private func reported(_ source: ScriptedLiveSource) -> [String] {
    source.bench.events.compactMap {
      switch $0 {
      case .overlayBegan(let id): "began \(id)"
      case .overlayEnded(let id): "ended \(id)"
      case .overlayFailed(let id, _): "failed \(id)"
      default: nil
      }
    }
  }

  @Test(arguments: [48000, 24000]) func chime_isAddedToThePrompt_whichGoesOn(rate: Int) {
    let source = begin()
    let silence = source.played.count - source.sound.count
    source.bench.playOverlay(chime(frames: 2 * rate / 10, rate: rate), mixes: true)
    source.run(steps: 50)
    // A conversion of the rate changes the first and the last frames.
    #expect(abs(count(0.75, source) - 9600) <= (rate == 48000 ? 0 : 200))
    #expect(source.played[silence...].allSatisfy { $0 >= 0.499 }, "the prompt has no hole")
    #expect(source.input.counts.underruns == 0)
    #expect(reported(source) == ["began 5", "ended 9"])
  }

  @Test func chimeThatIsStopped_ends_andThePromptGoesOn() {
    let source = begin()
    source.bench.playOverlay(chime(frames: 480_000), mixes: true)
    source.run(steps: 20)
    source.bench.stopOverlay(id: chime)
    source.run(steps: 20)
    let mixed = count(0.75, source)
    #expect(mixed > 15 * source.step && mixed < 21 * source.step)
    #expect(source.played.last == 0.5)
    #expect(reported(source) == ["began 5", "ended 9"])
  }

  /// The phone ends its prompt, and the daemon stops the overlay of the prompt.
  @Test(arguments: [true, false]) func promptThatEnds_leavesTheChime(isStopped: Bool) {
    let source = begin()
    source.bench.playOverlay(chime(frames: 48_000), mixes: true)
    source.run(steps: 20)
    source.input.end()
    if isStopped { source.bench.stopOverlay(id: prompt) }
    for _ in 0..<100 {
      source.bench.settleDecoding()
      source.bench.runOutput(frames: source.step)
    }
    let mixed = count(0.75, source)
    let alone = count(0.25, source)
    #expect(mixed > 10 * source.step && alone > 48_000 - 21 * source.step, "\(mixed) and \(alone)")
    // The sound that is decoded fades out before the chime continues alone.
    #expect((47_000...48_100).contains(mixed + alone), "\(mixed) and \(alone)")
    #expect(source.played.last == 0)
    #expect(reported(source).suffix(2) == ["began 9", "ended 9"])
  }

  /// The prompt is decoded to its end, and its last frames are not played yet.
  @Test func secondChime_afterTheLastFrameOfThePrompt_replacesTheFirst() {
    let source = begin()
    source.bench.playOverlay(chime(frames: 48_000), mixes: true)
    source.run(steps: 20)
    source.input.end()
    source.bench.settleDecoding()
    source.bench.playOverlay(chime(id: 10, frames: 4800), mixes: true)
    for _ in 0..<20 {
      source.bench.settleDecoding()
      source.bench.runOutput(frames: source.step)
    }
    #expect(framesAlone(source) == 4800)
    #expect(reported(source) == ["began 5", "ended 9", "ended 5", "began 10", "ended 10"])
  }

  /// The prompt is stopped before a frame of the chime was played. The chime then begins with its first frame.
  @Test func chimeThatWasNotHeardYet_isHeardWhole_afterThePromptWasStopped() {
    let source = begin()
    source.bench.playOverlay(chime(frames: 4800), mixes: true)
    source.push(source.step)
    source.bench.settleDecoding()
    source.bench.stopOverlay(id: prompt)
    for _ in 0..<20 {
      source.bench.settleDecoding()
      source.bench.runOutput(frames: source.step)
    }
    #expect(framesAlone(source) == 4800)
    #expect(reported(source) == ["began 5", "ended 5", "began 9", "ended 9"])
  }

  @Test func chimeWithoutAPrompt_isAnOverlayOfItsOwn() {
    let source = ScriptedLiveSource(rewritable: nil, signal: { _ in 0.5 })
    source.bench.playOverlay(chime(frames: 4800), mixes: true)
    for _ in 0..<20 {
      source.bench.settleDecoding()
      source.bench.runOutput(frames: source.step)
    }
    #expect(count(0.25, source) == 4800)
    #expect(reported(source) == ["began 9", "ended 9"])
  }

  @Test func unreadableChime_isReported_andThePromptGoesOn() {
    let source = begin()
    source.bench.playOverlay(.unreadable(chime), mixes: true)
    source.run(steps: 5)
    #expect(source.played.last == 0.5)
    #expect(reported(source) == ["began 5", "failed 9"])
  }
}
