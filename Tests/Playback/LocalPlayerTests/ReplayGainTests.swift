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
    #expect(loudness(track: -6).gain(.off) == 1 && loudness().gain(.off) == 1)
    #expect(linearGain(decibels: 0) == 1)
  }

  @Test func gain_missingTag_usesTheOtherTag() {
    #expect(abs(loudness(track: -20, album: -40).gain(.track) - 0.1) < 1e-6)
    #expect(abs(loudness(track: -20, album: -40).gain(.album) - 0.01) < 1e-6)
    #expect(abs(loudness(track: -20).gain(.album) - 0.1) < 1e-6)
  }

  @Test(arguments: [ReplayGainSettings.Mode.track, .album, .automatic], [-7.0, -20, 0])
  func gain_noTags_isThatOfTheSetting(_ mode: ReplayGainSettings.Mode, _ missing: Double) {
    for isShuffled in [false, true] {
      let gain = loudness().gain(
        ReplayGainSettings(mode, missingDecibels: missing), isShuffled: isShuffled)
      #expect(gain == linearGain(decibels: missing))
    }
    #expect(ReplayGainSettings().missingDecibels == -7)
  }

  @Test func gain_peakWithoutGain_isThatOfTheSetting_belowThePeak() {
    let loud = loudness(trackPeak: 1.25)
    #expect(loud.gain(.track) == linearGain(decibels: -7))
    #expect(loud.gain(ReplayGainSettings(.track, missingDecibels: 0), isShuffled: false) == 0.8)
  }

  @Test func gain_automatic_isThatOfTheTrackOnlyIfShuffled() {
    let both = loudness(track: -20, album: -40)
    #expect(both.gain(ReplayGainSettings(.automatic), isShuffled: true) == both.gain(.track))
    #expect(both.gain(ReplayGainSettings(.automatic), isShuffled: false) == both.gain(.album))
  }

  @Test func gain_knownPeak_isLimited() {
    #expect(loudness(track: 12, trackPeak: 0.5).gain(.track) == 2)
    #expect(loudness(track: 0, trackPeak: 1.25).gain(.track) == 0.8)
  }
}

extension Loudness {
  fileprivate func gain(_ mode: ReplayGainSettings.Mode) -> Float {
    gain(ReplayGainSettings(mode), isShuffled: false)
  }
}
