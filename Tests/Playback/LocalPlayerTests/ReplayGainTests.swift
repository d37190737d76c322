import AudioCodecs
import AudioEngine
import Testing

@testable import LocalPlayer

@Suite struct ReplayGainTests {
  private func loudness(
    track: Double? = nil, trackPeak: Double? = nil, album: Double? = nil, albumPeak: Double? = nil
  ) -> Loudness {
    var loudness = Loudness()
    loudness.trackGain = track
    loudness.trackPeak = trackPeak
    loudness.albumGain = album
    loudness.albumPeak = albumPeak
    return loudness
  }

  @Test func gain_modeOff_isExactlyOne() {
    #expect(loudness(track: -6).gain(.off) == 1)
    #expect(linearGain(decibels: 0) == 1)
  }

  @Test func gain_missingTag_usesTheOtherTag() {
    #expect(abs(loudness(track: -20, album: -40).gain(.track) - 0.1) < 1e-6)
    #expect(abs(loudness(track: -20, album: -40).gain(.album) - 0.01) < 1e-6)
    #expect(abs(loudness(track: -20).gain(.album) - 0.1) < 1e-6)
    #expect(loudness().gain(.track) == 1)
  }

  @Test func gain_knownPeak_isLimited() {
    #expect(loudness(track: 12, trackPeak: 0.5).gain(.track) == 2)
    #expect(loudness(track: 0, trackPeak: 1.25).gain(.track) == 0.8)
  }
}
