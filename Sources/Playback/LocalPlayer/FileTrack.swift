internal import AudioCodecs
internal import AudioEngine
internal import MusicFiles

extension TrackRequest {
  /// A request for a file. The decode thread of the engine opens the file.
  static func file(
    _ path: String, id: Int, replayGain: ReplayGainChoice = ReplayGainChoice(.off)
  ) -> TrackRequest {
    TrackRequest(id: id, isGone: { FileByteSource.isMissing(path) }) { () throws(DecodeError) in
      let source = try FileByteSource(path: path)
      let file = try AudioFile(source)
      let loudness = file.header.metadata.loudness
      return OpenedTrack(
        decoder: file.decoder,
        description: TrackDescription(
          codec: file.header.codec.rawValue, format: file.format,
          durationSeconds: file.durationSeconds, metadata: file.header.metadata,
          stamp: source.digest),
        gain: loudness.gain(replayGain.mode))
    }
  }
}
