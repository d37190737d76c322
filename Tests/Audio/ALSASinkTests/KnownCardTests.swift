import ALSASink
import AudioCodecs
import AudioEngine
import TestKit
import Testing

/// The sink tests each card only once: can frames that were written to the card be taken back? All later openings use
/// the result of this test, also after the next start of the unit.
@Suite(.enabled(if: PacedPCM.obstacle == nil, Comment(rawValue: PacedPCM.obstacle ?? "")))
struct KnownCardTests {
  private let format = StreamFormat(
    sampleRate: 48000, layout: .stereo, encoding: .integer(bits: 16))

  private func pcm() throws -> PacedPCM {
    var options = PacedPCM.Options()
    options.rewindStep = 48
    return try PacedPCM(options)
  }

  private func sink(_ pcm: PacedPCM, _ tests: [DeviceFormat.CardTest] = []) -> ALSASink {
    ALSASink(name: pcm.name, buffering: .init(latency: .rewind, cardTests: tests))
  }

  @Test func open_unknownCard_playsTheTestOnce() throws {
    let pcm = try pcm()
    let sink = sink(pcm)
    let first = try #require(try sink.open(format).cardTest)
    sink.close(draining: false)
    let tested = try pcm.captured().count
    #expect(first.step >= 48)
    #expect(tested > 0)
    #expect(try sink.open(format).cardTest == first)
    sink.close(draining: false)
    #expect(try pcm.captured().count == tested)
  }

  @Test func open_knownCard_isNotTested() throws {
    let pcm = try pcm()
    let known = DeviceFormat.CardTest(card: pcm.name, step: 480)
    let sink = sink(pcm, [known])
    let device = try sink.open(format)
    sink.close(draining: false)
    #expect(device.cardTest == known)
    #expect(device.rewritableFrames != nil)
    #expect(try pcm.captured().isEmpty)
  }

  @Test func open_cardThatHasFailed_isFilledByPeriods() throws {
    let pcm = try pcm()
    let sink = sink(pcm, [DeviceFormat.CardTest(card: pcm.name, step: 0)])
    let device = try sink.open(format)
    sink.close(draining: false)
    #expect(device.rewritableFrames == nil)
    #expect(device.periodsReason == .testFailed)
  }
}
