import Testing

@testable import AudioCodecs

@Suite struct ChannelLayoutTests {
  @Test(arguments: 1...8)
  func layouts_upToEightChannels_areEqualInBothCodecs(channels: Int) {
    let flac = ChannelLayout.flac(channels: channels)
    let vorbis = ChannelLayout.vorbis(channels: channels)
    #expect(flac.count == channels)
    #expect(Set(flac.positions) == Set(vorbis.positions))
    #expect(flac.alsaOrdered == vorbis.alsaOrdered)
    #expect(flac.waveOrdered == flac || channels == 7)
  }

  @Test func permutation_surround_movesEachChannelToItsLoudspeaker() {
    let wave = ChannelLayout.flac(channels: 6)
    // ALSA: FL FR RL RR FC LFE; WAV: FL FR FC LFE RL RR.
    #expect(wave.alsaOrdered.permutation(from: wave) == [0, 1, 4, 5, 2, 3])
    #expect(wave.permutation(from: wave.alsaOrdered) == [0, 1, 4, 5, 2, 3])
  }

  @Test func mask_withTheStreamsChannelCount_overridesTheOrder() {
    let quad = ChannelLayout.flac(mask: 0x33, channels: 4)
    #expect(quad?.positions == [.frontLeft, .frontRight, .rearLeft, .rearRight])
    #expect(ChannelLayout.flac(mask: 0x33, channels: 5) == nil)
    #expect(ChannelLayout.flac(mask: 0x8000_0003, channels: 3) == nil)
  }

  @Test func name_ofEachLayout_isItsCommonName() {
    #expect(ChannelLayout.mono.name == "mono")
    #expect(ChannelLayout.stereo.name == "stereo")
    #expect(ChannelLayout.flac(channels: 6).name == "5.1")
    #expect(ChannelLayout.flac(channels: 8).name == "7.1")
    #expect(ChannelLayout.flac(channels: 4).name == "4.0")
  }
}
