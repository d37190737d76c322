public import AudioCodecs
public import AudioEngine
public import MusicFiles

extension LocalPlayer {
  /// The state that surfaces show.
  public struct State: Equatable, Sendable {
    /// Place in the queue's order, from 0.
    public var place = 0
    /// The current file, whether it plays or not. Nil if there is none.
    public var file: MusicFile?
    /// The current tags. A chained stream changes them.
    public var metadata = AudioMetadata()
    /// The description of the file since it was opened. Nil before that.
    public var description: TrackDescription?
    /// Paused by the user.
    public var isPaused = false
    /// Playback has ended or was stopped.
    public var isStopped = false
    /// The format of the output. Nil until it is set up.
    public var device: DeviceFormat?
    /// How frames are converted for the output. Nil if frames are not converted.
    public var conversion: String?
  }

  /// Events for the log.
  public enum Event: Sendable {
    /// A track is heard. Its place in the order is from 0.
    case started(MusicFile, TrackDescription, place: Int)
    /// The next part of a chained stream is heard.
    case metadataChanged(MusicFile, AudioMetadata)
    /// The format changed within a track.
    case formatChanged(MusicFile, StreamFormat)
    /// A part of a track was skipped, or does not match its header.
    case damaged(MusicFile, DecodeError)
    /// This number of further places of a track was skipped.
    case moreDamage(MusicFile, places: Int)
    /// A track cannot be played, or ended early.
    case failed(MusicFile, DecodeError)
    /// The output was set up.
    case output(DeviceFormat, conversion: String?)
    /// The output cannot be used at present.
    case outputFailed(SinkError)
    /// The output can be used again.
    case outputRegained
    /// The output was set up again between two tracks. Nothing was heard for this time.
    case changedOver(seconds: Double)
    /// The system refused the real-time rights that the text names. The output may run dry when the
    /// machine is busy.
    case realTimeRefused(String)
    /// The output ran dry (underrun) and continues. The time is that of its detection, on the
    /// monotonic clock.
    case ranDry(nanoseconds: Int64)
    /// Silence replaced the frames of a track for this time, because its storage delivered no data
    /// in time.
    case starvationEnded(seconds: Double)
    /// No track follows. Frames that were handed over are still heard.
    case ended
    /// The effect of a command is heard. See ``EngineEvent/applied(_:handedOver:heard:)``.
    case applied(Effect, handedOver: Int64, heard: Int64)
    /// An overlay began, ended, or cannot be played.
    case overlayBegan(id: Int)
    case overlayEnded(id: Int)
    case overlayFailed(id: Int, DecodeError)
  }
}
