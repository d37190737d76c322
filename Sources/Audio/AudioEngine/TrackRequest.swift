public import AudioCodecs

/// What the engine is asked to play. It learns no title and no path: it opens, and plays.
public struct TrackRequest: Sendable {
  /// Names the track in events; unique for each request.
  public let id: Int
  /// Opens the file. Called on the decode thread, where it may block.
  public let open: @Sendable () throws(DecodeError) -> OpenedTrack

  /// Joins the two.
  public init(id: Int, open: @escaping @Sendable () throws(DecodeError) -> OpenedTrack) {
    self.id = id
    self.open = open
  }
}

/// A track that is ready to decode.
public struct OpenedTrack {
  /// Where the frames come from.
  public let decoder: any AudioDecoder
  /// What is told about it.
  public let description: TrackDescription
  /// Linear gain for the whole track (ReplayGain); 1 changes nothing.
  public let gain: Float

  /// Joins the three.
  public init(decoder: any AudioDecoder, description: TrackDescription, gain: Float = 1) {
    self.decoder = decoder
    self.description = description
    self.gain = gain
  }
}

/// What is known of a track once it is open.
public struct TrackDescription: Equatable, Sendable {
  /// `FLAC`, `Vorbis`.
  public var codec: String
  /// The format of its first frames.
  public var format: StreamFormat
  /// Seconds; nil where only playing it would tell.
  public var durationSeconds: Double?
  /// Its tags.
  public var metadata: AudioMetadata

  /// Joins all.
  public init(
    codec: String, format: StreamFormat, durationSeconds: Double?, metadata: AudioMetadata
  ) {
    self.codec = codec
    self.format = format
    self.durationSeconds = durationSeconds
    self.metadata = metadata
  }
}

/// What the engine tells the control thread.
public enum EngineEvent: Sendable {
  /// A track is open; it may still be a while until it sounds.
  case opened(id: Int, TrackDescription)
  /// The first frame of a track was handed to the device.
  case started(id: Int)
  /// A track was decoded to its end, or as far as it went, and there was sound in it.
  case decoded(id: Int)
  /// The tags of a track changed (a chained link began), and its first frame was handed over.
  case metadataChanged(id: Int, AudioMetadata)
  /// The format of a track changed, and the first frame in it was handed over.
  case formatChanged(id: Int, StreamFormat)
  /// Part of a track was left out, or is not as its header says; it plays on.
  case damaged(id: Int, DecodeError)
  /// So many more places of a track were left out than were told one by one.
  case moreDamage(id: Int, places: Int)
  /// A track could not be opened, or ended early.
  case failed(id: Int, DecodeError)
  /// The engine wants to know what follows `id`; answer with ``PlaybackEngine/setUpcoming(_:)``.
  case wantsUpcoming(after: Int)
  /// The device is set up; how frames are converted to it, nil where they are not.
  case deviceOpened(DeviceFormat, conversion: String?)
  /// The device cannot be used now; the engine tries again each second.
  case deviceFailed(SinkError)
  /// The device of which that was told works again.
  case deviceRegained
  /// The device was set up anew between two tracks, and so long nothing was heard.
  case changedOver(nanoseconds: Int)
  /// The output thread runs, but not as it should: without what these words name, and say how to
  /// allow. Told once.
  case realTimeRefused(String)
  /// The first frame that is as was asked for was handed to the device, and when it is heard: soon
  /// (nanoseconds of the monotonic clock). Whatever ``Effect/isSettled(by:)`` this one is there.
  case applied(Effect, handedOver: Int64, heard: Int64)
  /// The device ran dry, noticed at this moment of the monotonic clock; it plays on.
  case xrun(nanoseconds: Int64)
  /// A track was not decoded in time, as its storage is slow or does not answer: from this moment on
  /// (nanoseconds of the monotonic clock) silence stands in for it.
  case starved(nanoseconds: Int64)
  /// Silence does that no more: the track goes on, or something else is asked for.
  case fed(nanoseconds: Int64)
  /// The first frame of an overlay was handed to the device; told again where the device was set
  /// up anew under it.
  case overlayBegan(id: Int)
  /// The last frame of an overlay was handed to the device, or it was taken back.
  case overlayEnded(id: Int)
  /// An overlay could not be opened, or ended early.
  case overlayFailed(id: Int, DecodeError)
  /// All was handed to the device and nothing follows this track.
  case ended(after: Int)
}
