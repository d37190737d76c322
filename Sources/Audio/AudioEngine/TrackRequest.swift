public import AudioCodecs

/// A track that the engine is to play. The request contains neither a title nor a path.
public struct TrackRequest: Sendable {
  /// Identifies the track in events. Each request has its own number.
  public let id: Int
  /// Opens the file. Called on the decode thread, where it can block.
  public let open: @Sendable () throws(DecodeError) -> OpenedTrack

  /// True if the medium of the file was removed. Called on the decode thread after a failure. Can block.
  public let isGone: @Sendable () -> Bool

  /// Creates a request.
  public init(
    id: Int, isGone: @escaping @Sendable () -> Bool = { false },
    open: @escaping @Sendable () throws(DecodeError) -> OpenedTrack
  ) {
    self.id = id
    self.isGone = isGone
    self.open = open
  }
}

/// A track that is ready to decode.
public struct OpenedTrack {
  /// The source of the frames.
  public let decoder: any AudioDecoder
  /// The properties of the track, for events.
  public let description: TrackDescription
  /// Linear gain of the track (ReplayGain); 1 changes nothing. Called on the decode thread when a segment begins, so a
  /// new value is heard from the next segment on.
  public let gain: @Sendable () -> Float

  /// Creates an opened track.
  public init(
    decoder: any AudioDecoder, description: TrackDescription,
    gain: @autoclosure @escaping @Sendable () -> Float = 1
  ) {
    self.decoder = decoder
    self.description = description
    self.gain = gain
  }
}

/// The properties of a track that are known after the track was opened.
public struct TrackDescription: Equatable, Sendable {
  /// The name of the codec: `MP3`, `FLAC`, `Vorbis`, `Opus` or `PCM`.
  public var codec: String
  /// The format of the track's first frames.
  public var format: StreamFormat
  /// Duration in seconds; nil if it is known only after the whole track is decoded.
  public var durationSeconds: Double?
  /// The tags of the track.
  public var metadata: AudioMetadata
  /// Identifies the content of the file, so that a change of the content is recognised. 0 if unknown.
  public var stamp: UInt32

  /// Creates a description.
  public init(
    codec: String, format: StreamFormat, durationSeconds: Double?, metadata: AudioMetadata,
    stamp: UInt32 = 0
  ) {
    self.codec = codec
    self.format = format
    self.durationSeconds = durationSeconds
    self.metadata = metadata
    self.stamp = stamp
  }
}

/// An event that the engine reports to the control thread.
public enum EngineEvent: Sendable {
  /// A track is open. Some time can pass until the track is heard.
  case opened(id: Int, TrackDescription)
  /// The first frame of a track was handed to the device.
  case started(id: Int)
  /// A track with sound was decoded to its end, or to the position where decoding had to stop.
  case decoded(id: Int)
  /// The tags of a track changed, because the next link of a chain began. The first frame after the change was handed
  /// over.
  case metadataChanged(id: Int, AudioMetadata)
  /// The format of a track changed, and the first frame in the new format was handed over.
  case formatChanged(id: Int, StreamFormat)
  /// A part of a track was left out, or differs from the header of the file. Playback continues.
  case damaged(id: Int, DecodeError)
  /// The number of damaged parts of a track that were not reported one by one.
  case moreDamage(id: Int, count: Int)
  /// A track could not be opened, or ended early. `isGone` is true if its medium was removed.
  case failed(id: Int, DecodeError, isGone: Bool)
  /// The engine asks what follows the track `after`. Answer with ``PlaybackEngine/setUpcoming(_:)``.
  case needsUpcoming(after: Int)
  /// The device is set up. `conversion` describes how frames are converted; nil if frames are not converted.
  case deviceOpened(DeviceFormat, conversion: String?)
  /// The device cannot be used now. The engine tries again each second.
  case deviceFailed(SinkError)
  /// The device works again after ``deviceFailed(_:)``.
  case deviceRegained
  /// The device was set up again between two tracks. Nothing was heard for this time.
  case changedOver(nanoseconds: Int)
  /// The output thread runs without real-time priority, without locked memory, or without both. The text names what was
  /// refused and how to allow it. Reported once.
  case realTimeRefused(String)
  /// The first frame with the requested change was handed to the device. `handedOver` is the time at which this
  /// happened. `heard` is the time in the near future at which this frame is heard. Both are in nanoseconds of the
  /// monotonic clock. An earlier effect is also settled if its ``Effect/isSettled(by:)`` returns true for this effect.
  case applied(Effect, handedOver: Int64, heard: Int64)
  /// The device ran dry. The value is the time at which this was detected, on the monotonic clock. Playback continues.
  case xrun(nanoseconds: Int64)
  /// A track was not decoded in time, because its storage is slow or does not answer. From this time on (nanoseconds of
  /// the monotonic clock), silence replaces its frames.
  case starved(nanoseconds: Int64)
  /// The silence of ``starved(nanoseconds:)`` is over: the track continues, or other content was requested.
  case starvationEnded(nanoseconds: Int64)
  /// The first frame of an overlay was handed to the device. Reported again if the device was set up again during the
  /// overlay.
  case overlayBegan(id: Int)
  /// The last frame of an overlay was handed to the device, or the overlay was stopped.
  case overlayEnded(id: Int)
  /// An overlay could not be opened, or ended early.
  case overlayFailed(id: Int, DecodeError)
  /// All frames were handed to the device, and nothing follows this track.
  case ended(after: Int)
}
