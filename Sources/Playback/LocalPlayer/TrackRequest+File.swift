internal import AudioCodecs
internal import AudioEngine
internal import FileReading
internal import MusicFiles

extension TrackRequest {
  /// A request for a file. The decode thread of the engine opens the file.
  /// - Parameters:
  ///   - volume: the volume of the file; nil if it is not known.
  ///   - gain: the linear gain of a file with this loudness. See ``OpenedTrack/gain``.
  static func file(
    _ path: String, on volume: VolumeMount? = nil, id: Int,
    gain: @escaping @Sendable (Loudness) -> Float = { _ in 1 }
  ) -> TrackRequest {
    let played = PlayedFile(path, in: PlayedFile.Place(volume))
    return TrackRequest(id: id, isGone: { played.isGone }) { () throws(DecodeError) in
      let source = try played.open()
      let file = try AudioFile(source)
      let loudness = file.header.metadata.loudness
      return OpenedTrack(
        decoder: file.decoder,
        description: TrackDescription(
          codec: file.header.codec.rawValue, format: file.format,
          durationSeconds: file.durationSeconds, metadata: file.header.metadata,
          stamp: source.digest),
        gain: gain(loudness))
    }
  }
}

extension PlayedFile.Place {
  fileprivate init(_ volume: VolumeMount?) {
    self =
      switch (volume?.path, volume?.isMedium) {
      case (let path?, true?): .medium(path)
      case (_?, _): .folder
      case (nil, _): .unknown
      }
  }
}
