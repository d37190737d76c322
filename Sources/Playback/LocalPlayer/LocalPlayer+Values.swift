public import AudioCodecs
public import AudioEngine
public import MusicFiles

extension LocalPlayer {
  /// The state that surfaces show.
  public struct State: Equatable, Sendable {
    /// The index of the current file in the playing order, from 0.
    public var queueIndex = 0
    /// The current file, also if playback is paused or stopped. Nil if there is no current file.
    public var file: MusicFile?
    /// The current tags. Until the file is opened, only the tags that ``MusicFile`` stores. In a
    /// chained stream, each link can have other tags.
    public var metadata = AudioMetadata()
    /// The description of the current file. Nil until the file is opened.
    public var description: TrackDescription?
    /// True if playback is paused.
    public var isPaused = false
    /// True if playback has ended or was stopped.
    public var isStopped = false
    /// The format of the output. Nil until the output is set up.
    public var device: DeviceFormat?
    /// The conversion of frames for the output, as text. Nil if frames are not converted.
    public var conversion: String?
  }

  /// Events for the log.
  public enum Event: Sendable {
    /// A track begins to be heard. `index` is the index of the track in the playing order, from 0.
    case started(MusicFile, TrackDescription, index: Int)
    /// The next link of a chained stream begins to be heard.
    case metadataChanged(MusicFile, AudioMetadata)
    /// The format changed within a track.
    case formatChanged(MusicFile, StreamFormat)
    /// A part of a track was skipped, or does not match its header.
    case damaged(MusicFile, DecodeError)
    /// Further parts of a track were skipped. `count` is their number.
    case moreDamage(MusicFile, count: Int)
    /// A track cannot be played, or ended early. `isGone` is true if its medium was removed.
    case failed(MusicFile, DecodeError, isGone: Bool)
    /// The output was set up.
    case output(DeviceFormat, conversion: String?)
    /// The output cannot be used at present.
    case outputFailed(SinkError)
    /// The output can be used again.
    case outputRegained
    /// The output was set up again between two tracks. No sound was heard for `seconds`.
    case changedOver(seconds: Double)
    /// The system refused real-time rights. The text names these rights. Without them, the output
    /// may run dry when the machine is busy.
    case realTimeRefused(String)
    /// The output ran dry (underrun) and continues. The value is the time of the detection, on the
    /// monotonic clock.
    case ranDry(nanoseconds: Int64)
    /// Silence replaced the frames of a track for `seconds`, because the storage of the track
    /// delivered no data in time.
    case starvationEnded(seconds: Double)
    /// No track follows. Frames that were handed over are still heard.
    case ended
    /// The effect of a command is heard. See ``EngineEvent/applied(_:handedOver:heard:)``.
    case applied(Effect, handedOver: Int64, heard: Int64)
    /// An overlay began.
    case overlayBegan(id: Int)
    /// An overlay ended.
    case overlayEnded(id: Int)
    /// An overlay cannot be played.
    case overlayFailed(id: Int, DecodeError)
  }
}
