internal import AudioCodecs
internal import AudioEngine
internal import FileReading
internal import MusicFiles

extension TrackRequest {
  /// A request for a file. The decode thread of the engine opens the file.
  /// - Parameters:
  ///   - folder: the folder in which the volume of the file is mounted; nil if it is not known.
  ///   - medium: the folder in which the medium of the file is mounted; nil if the file is on no medium.
  ///   - gain: the linear gain of a file with this loudness. See ``OpenedTrack/gain``.
  static func file(
    _ path: String, folder: String? = nil, medium: String? = nil, id: Int,
    gain: @escaping @Sendable (Loudness) -> Float = { _ in 1 }
  ) -> TrackRequest {
    TrackRequest(id: id, isGone: { FileByteSource.isGone(path, medium: folder) }) {
      () throws(DecodeError) in
      let source = try FileByteSource(path: path, edge: medium.map { MediumEdge($0) })
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
