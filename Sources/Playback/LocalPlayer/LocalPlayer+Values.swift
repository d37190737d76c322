public import AudioCodecs
public import AudioEngine
public import MusicFiles

extension LocalPlayer {
  /// What a surface shows.
  public struct State: Equatable, Sendable {
    /// Place in the queue's order, from 0.
    public var place = 0
    /// The file that plays, or would; nil where there is none.
    public var file: MusicFile?
    /// Its tags now (a chained stream changes them).
    public var metadata = AudioMetadata()
    /// What is known since it was opened.
    public var description: TrackDescription?
    /// Held by the user.
    public var isPaused = false
    /// Nothing plays any more.
    public var isStopped = false
    /// What the output is set up for.
    public var device: DeviceFormat?
    /// How frames are converted to it; nil where they are not.
    public var conversion: String?
  }

  /// What a log shows.
  public enum Event: Sendable {
    /// A track sounds, at this place in the order, from 0.
    case started(MusicFile, TrackDescription, place: Int)
    /// A chained stream's next part sounds.
    case metadataChanged(MusicFile, AudioMetadata)
    /// The format changed within a track.
    case formatChanged(MusicFile, StreamFormat)
    /// Part of a track is left out, or is not as its header says.
    case damaged(MusicFile, DecodeError)
    /// So many more places of a track were left out.
    case moreDamage(MusicFile, places: Int)
    /// A track cannot be played, or ended early.
    case failed(MusicFile, DecodeError)
    /// The output is set up.
    case output(DeviceFormat, conversion: String?)
    /// The output cannot be used now.
    case outputFailed(SinkError)
    /// It can be used again.
    case outputRegained
    /// The output was set up anew between two tracks; so long nothing was heard.
    case changedOver(seconds: Double)
    /// The output runs without what the words name, and may run dry when the machine is busy.
    case realTimeRefused(String)
    /// The output was not fed in time, noticed at this moment of the monotonic clock, and goes on.
    case ranDry(nanoseconds: Int64)
    /// Silence has stood in for a track that did not come from its storage.
    case fed(seconds: Double)
    /// Nothing follows; what was handed over still sounds.
    case ended
    /// What was asked of the sound is there; see ``EngineEvent/applied(_:handedOver:heard:)``.
    case applied(Effect, handedOver: Int64, heard: Int64)
    /// Something else than the player's tracks began to sound over them, has ended, or cannot.
    case overlayBegan(id: Int)
    case overlayEnded(id: Int)
    case overlayFailed(id: Int, DecodeError)
  }
}
