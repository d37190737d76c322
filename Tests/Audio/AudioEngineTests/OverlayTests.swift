import AudioCodecs
import TestKit
import Testing

@testable import AudioEngine

/// Tests a chime or a prompt over the music (rule E3 of docs/now-playing.md): the engine mixes it with the music,
/// lowers the music if requested, and starts it at its exact frame.
@Suite struct OverlayTests {
  private let format = StreamFormat.test()

  /// An engine with a 32-bit device. The device gets silence in place of missing frames.
  private func bench() -> EngineBench {
    let sink = CapturingSink()
    sink.pads = true
    return EngineBench(sink: sink)
  }

  /// A track in which every sample is `value` eighths of full scale (2³¹).
  private func constant(_ id: Int, _ value: Int32, frames: Int, rate: Int = 48000) -> TrackRequest {
    TrackRequest(id: id) { () throws(DecodeError) in
      let format = StreamFormat.test(16, rate: rate)
      return OpenedTrack(
        decoder: ConstantLevelDecoder(format, value: value << 28, frames: frames),
        description: TrackDescription(
          codec: "test", format: format, durationSeconds: nil, metadata: AudioMetadata()))
    }
  }

  /// The samples of the left channel, in eighths of full scale.
  private func eighths(_ bench: EngineBench, take: Int = 0) -> [Double] {
    let samples = bench.sink.takes[take].samples32
    return stride(from: 0, to: samples.count, by: 2).map { Double(samples[$0]) / Double(1 << 28) }
  }

  private func reported(_ bench: EngineBench) -> [String] {
    bench.events.compactMap {
      switch $0 {
      case .overlayBegan(let id): "began \(id)"
      case .overlayEnded(let id): "ended \(id)"
      case .overlayFailed(let id, _): "failed \(id)"
      default: nil
      }
    }
  }

  @Test(arguments: [0, 1, 63, 64, 1000, 1777])
  func E3_mix_startsOnItsFrameAndAddsExactly(start: Int) {
    let bench = bench()
    bench.play(constant(1, 4, frames: 4000))
    bench.playOverlay(constant(9, 2, frames: 500), atFrame: start)
    bench.run(frames: 8192)
    let values = eighths(bench)
    let first = values.firstIndex { $0 == 4 || $0 == 6 } ?? 0
    let expected = values.indices.map { frame in
      ((first..<first + 4000).contains(frame) ? 4.0 : 0)
        + ((start..<start + 500).contains(frame) ? 2 : 0)
    }
    #expect(values.indices.first { values[$0] != expected[$0] } == nil)
    #expect(reported(bench) == ["began 9", "ended 9"])
    #expect(bench.hasEnded)
  }

  @Test func E3_mix_keepsTheMusicBitExactOutsideTheOverlay() {
    let bench = bench()
    bench.play(.scripted(1, format, [.frames(3000)]))
    bench.playOverlay(constant(9, 1, frames: 100), atFrame: 2000)
    bench.run(frames: 3008)
    let samples = bench.sink.takes[0].samples32
    let expected = format.samples32(0..<3000)
    let begin = samples.firstIndex { $0 != 0 }.map { $0 / 2 * 2 } ?? 0
    #expect(Array(samples[begin..<4000]) == Array(expected[..<(4000 - begin)]))
    #expect(samples[4000] == expected[4000 - begin] + 1 << 28)
    #expect(Array(samples[4200..<(6000 + begin)]) == Array(expected[(4200 - begin)...]))
  }

  @Test func E3_duck_lowersAndRestoresTheMusicInRamps() {
    let bench = bench()
    bench.play(constant(1, 4, frames: 40_000))
    bench.run(frames: 1024)
    bench.playOverlay(constant(9, 0, frames: 12_000), musicGain: 0.25)
    bench.run(frames: 39_000)
    let values = eighths(bench)[64..<40_000]
    #expect(values.min() == 1)
    #expect(values.last == 4)
    // A change of the gain from 1 to 0 takes 0.1 s (4800 frames). The change from 1 to 0.25 therefore takes 3600
    // frames. The test permits a difference of 100 frames, because the target of the gain is computed once per period.
    let lowered = values.firstIndex { $0 < 4 } ?? 0
    let low = values.firstIndex(of: 1) ?? 0
    #expect((3500...3700).contains(low - lowered))
    let steps = zip(values, values.dropFirst()).map { abs($0 - $1) }
    #expect((steps.max() ?? 1) < 1.05 * 4 / 4800, "steepest \(steps.max() ?? 1)")
  }

  @Test func E3_overlayAlone_opensTheDevice() {
    let bench = bench()
    bench.playOverlay(constant(9, 3, frames: 700))
    bench.run(frames: 2048)
    #expect(eighths(bench).filter { $0 == 3 }.count == 700)
    #expect(reported(bench) == ["began 9", "ended 9"])
    #expect(bench.sink.takes.map(\.wanted) == [format])
  }

  @Test func E3_overlayWhilePaused_isHeardAndTheMusicStaysPaused() {
    let bench = bench()
    bench.play(constant(1, 4, frames: 4000))
    bench.run(frames: 640)
    bench.renderer.setPaused(true)
    bench.run(frames: 640)
    bench.playOverlay(constant(9, 2, frames: 300))
    bench.run(frames: 640)
    bench.renderer.setPaused(false)
    bench.run(frames: 6400)
    let values = eighths(bench)
    #expect(values.filter { $0 == 2 }.count == 300)
    #expect(bench.hasEnded)
  }

  @Test func stopOverlay_whileItPlays_fadesOut() {
    let bench = bench()
    bench.play(constant(1, 4, frames: 8000))
    bench.playOverlay(constant(9, 4, frames: 6000))
    bench.run(frames: 1024)
    bench.playOverlay(nil)
    bench.run(frames: 1024)
    let values = eighths(bench)[200...]
    let steps = zip(values, values.dropFirst()).map { abs($0 - $1) }
    #expect((steps.max() ?? 9) < 16.2 / 240)
    #expect(values.last == 4)
    #expect(reported(bench) == ["began 9", "ended 9"])
  }

  @Test func playOverlay_whileAnotherPlays_replacesIt() {
    let bench = bench()
    bench.play(constant(1, 1, frames: 20_000))
    bench.playOverlay(constant(8, 2, frames: 6000))
    bench.run(frames: 1024)
    bench.playOverlay(constant(9, 4, frames: 1000))
    bench.run(frames: 4096)
    #expect(eighths(bench).filter { $0 == 5 }.count == 1000)
    #expect(reported(bench) == ["began 8", "ended 8", "began 9", "ended 9"])
  }

  @Test func playOverlay_longerThanItsRing_losesNoFrame() {
    let bench = bench()
    bench.playOverlay(constant(9, 3, frames: 200_000))
    bench.run(frames: 220_000)
    #expect(eighths(bench).filter { $0 == 3 }.count == 200_000)
  }

  @Test func playOverlay_ofAnotherRate_isConverted() {
    let bench = bench()
    bench.play(constant(1, 0, frames: 60_000))
    bench.playOverlay(constant(9, 4, frames: 8000, rate: 16000))
    bench.run(frames: 60_000)
    // The output of the resampler overshoots at the start and at the end of the overlay. Between these two parts the
    // level is constant.
    let level = eighths(bench).filter { abs($0 - 4) < 0.01 }.count
    #expect((23_800...24_200).contains(level))
  }

  @Test func playOverlay_deviceIsSetUpAgain_continuesAtTheSamePosition() throws {
    let bench = bench()
    bench.queue = [constant(2, 0, frames: 200_000, rate: 96000)]
    bench.play(constant(1, 0, frames: 10_000))
    bench.playOverlay(constant(9, 4, frames: 48_000))
    bench.run(frames: 300_000)
    try #require(bench.sink.takes.map(\.device.sampleRate) == [48000, 96000])
    let first = eighths(bench).filter { $0 == 4 }.count
    let rest = eighths(bench, take: 1).filter { abs($0 - 4) < 0.01 }.count
    #expect(first > 9000)
    #expect(abs(2 * (48_000 - first) - rest) < 300)
    #expect(reported(bench).last == "ended 9")
  }

  @Test func playOverlay_unreadableFile_isReportedAndTheMusicContinues() {
    let bench = bench()
    bench.play(constant(1, 4, frames: 2000))
    bench.playOverlay(.unreadable(9), musicGain: 0)
    bench.run(frames: 4000)
    #expect(reported(bench) == ["failed 9"])
    #expect(eighths(bench).filter { $0 == 4 }.count == 2000)
  }

  @Test func playOverlay_beforeThePendingFormatChange_isHeardAtOnce() {
    let bench = bench()
    bench.queue = [constant(2, 0, frames: 4000, rate: 96000)]
    bench.play(constant(1, 1, frames: 20_000))
    // At the end of this run, track 1 is decoded completely, but the device has not played all of it. For track 2, the
    // device must be opened again.
    bench.run(frames: 1024)
    bench.playOverlay(constant(9, 2, frames: 500))
    bench.run(frames: 2048)
    #expect(reported(bench) == ["began 9", "ended 9"])
    #expect(eighths(bench).filter { $0 == 3 }.count == 500)
  }

  @Test func stopOverlay_beforeItBegins_isReportedAsEnded() {
    let bench = bench()
    bench.play(constant(1, 1, frames: 20_000))
    bench.playOverlay(constant(8, 2, frames: 500), atFrame: 5000)
    bench.run(frames: 1000)
    bench.playOverlay(nil)
    bench.run(frames: 10_000)
    #expect(reported(bench) == ["ended 8"])
    #expect(eighths(bench).allSatisfy { $0 < 2 })
  }

  @Test func playOverlay_afterItsEnd_closesTheFileAndIsReportedOnce() {
    let bench = bench()
    final class Box: @unchecked Sendable { weak var decoder: ConstantLevelDecoder? }
    let box = Box()
    let format = format
    let chime = TrackRequest(id: 9) { () throws(DecodeError) in
      let decoder = ConstantLevelDecoder(format, value: 1 << 28, frames: 500)
      box.decoder = decoder
      return OpenedTrack(
        decoder: decoder,
        description: TrackDescription(
          codec: "test", format: format, durationSeconds: nil, metadata: AudioMetadata()))
    }
    bench.queue = [constant(2, 0, frames: 4000, rate: 96000)]
    bench.play(constant(1, 0, frames: 20_000))
    bench.playOverlay(chime)
    bench.run(frames: 10_000)
    #expect(box.decoder == nil, "the file of the overlay is still open")
    bench.run(frames: 40_000)
    #expect(bench.sink.takes.count == 2)
    #expect(reported(bench) == ["began 9", "ended 9"])
  }

  @Test func setMuted_duringAnOverlay_silencesBothInARamp() {
    let bench = bench()
    bench.play(constant(1, 4, frames: 4000))
    bench.playOverlay(constant(9, 4, frames: 4000))
    bench.run(frames: 640)
    bench.renderer.setMuted(true)
    bench.run(frames: 6400)
    let values = eighths(bench)
    let steps = zip(values, values.dropFirst()).map { abs($0 - $1) }.dropFirst(128)
    #expect((steps.max() ?? 9) < 2.02 * 16 / 240)
    #expect(values.last == 0)
    #expect(bench.hasEnded)
    #expect(reported(bench) == ["began 9", "ended 9"])
  }
}

/// A decoder whose frames have one constant level.
final class ConstantLevelDecoder: AudioDecoder {
  let format: StreamFormat
  private let value: Int32
  private let frames: Int
  private var position = 0
  private var block: [Int32] = []

  init(_ format: StreamFormat, value: Int32, frames: Int) {
    self.format = format
    self.value = value
    self.frames = frames
  }

  func next() throws(DecodeError) -> DecodeStep {
    let count = min(frames - position, 576)
    guard count > 0 else { return .end }
    block = [Int32](repeating: value, count: count * format.channels)
    defer { position += count }
    return .frames(
      FrameBlock(
        samples: block.withUnsafeBytes { UnsafeRawPointer($0.baseAddress) }, frameCount: count,
        position: Int64(position)))
  }

  func seek(to frame: Int64) throws(DecodeError) { position = Int(frame) }
}
