public import AudioCodecs
public import AudioEngine
internal import CALSA
internal import CRealtime
internal import Glibc

/// One ALSA PCM.
///
/// ALSA's own conversions are switched off (`SND_PCM_NO_AUTO_*`), so what the device is set up
/// for is what it does, and the engine converts, visibly. The sample format is the widest that
/// the device takes, whatever the file has: 16 bits in 32 are the same 16 bits, and tracks of
/// different depth join without a gap.
public final class ALSASink: AudioSink, @unchecked Sendable {
  /// How large a buffer is asked for.
  public struct Buffering: Sendable {
    /// Frames handed over at a time.
    public var periodFrames: Int
    /// Milliseconds of sound that the device holds.
    public var bufferMilliseconds: Int

    /// Joins the two.
    public init(periodFrames: Int = 512, bufferMilliseconds: Int = 50) {
      self.periodFrames = periodFrames
      self.bufferMilliseconds = bufferMilliseconds
    }
  }

  /// The PCM's name.
  public let name: String
  private let buffering: Buffering
  private var pcm: OpaquePointer?
  private var buffer = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
  private var periodFrames = 0
  private var bufferFrames = 0
  private var frameBytes = 0

  /// Opens nothing yet.
  /// - Parameter name: an ALSA PCM, as in `aplay -D`.
  public init(name: String, buffering: Buffering = Buffering()) {
    self.name = name
    self.buffering = buffering
  }

  deinit {
    if let pcm { snd_pcm_close(pcm) }
    buffer.deallocate()
  }

  /// Must be called before the first thread starts: it changes the environment.
  public static func prepareProcess() { calsa_prepare() }

  /// Why the PCM called `name` cannot be opened; nil where it can. Opens and closes it.
  public static func problem(opening name: String) -> SinkError? {
    var pcm: OpaquePointer?
    let status = snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
    guard status == 0, let pcm else { return error(name, "cannot be opened", status) }
    snd_pcm_close(pcm)
    return nil
  }

  /// See ``AudioSink/open(_:)``.
  public func open(_ wanted: StreamFormat) throws(SinkError) -> DeviceFormat {
    let mode =
      SND_PCM_NONBLOCK | Int32(SND_PCM_NO_AUTO_RESAMPLE) | Int32(SND_PCM_NO_AUTO_CHANNELS)
      | Int32(SND_PCM_NO_AUTO_FORMAT)
    let status = snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, mode)
    guard status == 0, let pcm else { throw Self.error(name, "cannot be opened", status) }
    do throws(SinkError) {
      let format = try HardwareSetup(pcm: pcm, name: name, buffering: buffering).apply(wanted)
      periodFrames = format.periodFrames
      bufferFrames = format.bufferFrames
      frameBytes = format.frameBytes
      buffer.deallocate()
      buffer = .allocate(byteCount: periodFrames * frameBytes, alignment: 64)
      // Touched now, so that the real-time loop meets no page fault.
      buffer.initializeMemory(as: UInt8.self, repeating: 0, count: periodFrames * frameBytes)
      return format
    } catch {
      snd_pcm_close(pcm)
      self.pcm = nil
      throw error
    }
  }

  /// See ``AudioSink/run(_:)``.
  @_noLocks public func run(_ renderer: Renderer) -> SinkExit {
    guard let pcm else { return .failed(EBADFD) }
    var silentSeconds = 0
    while true {
      let available = snd_pcm_avail_update(pcm)
      if available < 0 {
        let status = recover(pcm, available, renderer)
        if status < 0 { return .failed(status) }
        continue
      }
      if available < periodFrames {
        let status = snd_pcm_wait(pcm, 1000)
        if status < 0 {
          let status = recover(pcm, Int(status), renderer)
          if status < 0 { return .failed(status) }
        } else if status == 0 {
          // A device that takes nothing for three seconds has hung, whatever it says.
          silentSeconds &+= 1
          if silentSeconds == 3 { return .failed(-EIO) }
        }
        continue
      }
      silentSeconds = 0
      let frames = renderer.render(into: buffer, frames: periodFrames, pads: true)
      // Drivers play whole periods: what follows the last frame must be silence.
      let missing = periodFrames &- frames
      if missing > 0 { rt_zero(buffer + frames &* frameBytes, missing &* frameBytes) }
      let status = write(pcm, frames > 0 ? periodFrames : 0, renderer)
      if status < 0 { return .failed(status) }
      var delay = 0
      if snd_pcm_delay(pcm, &delay) < 0 { delay = 0 }
      renderer.handedOver(deviceDelay: delay)
      if renderer.mustLeave { return .left }
    }
  }

  /// Hands all of `frames` over, also those that an xrun rejected.
  @_noLocks private func write(_ pcm: OpaquePointer, _ frames: Int, _ renderer: Renderer) -> Int32 {
    var done = 0
    while done < frames {
      let written = snd_pcm_writei(
        pcm, buffer + done &* frameBytes, snd_pcm_uframes_t(frames &- done))
      if written >= 0 {
        done &+= written
      } else if written == -Int(EAGAIN) {
        let status = snd_pcm_wait(pcm, 1000)
        if status == 0 { return -EIO }
      } else {
        let status = recover(pcm, written, renderer)
        if status < 0 { return status }
      }
    }
    return 0
  }

  /// Gets the PCM ready again after an xrun or a suspend.
  @_noLocks private func recover(_ pcm: OpaquePointer, _ code: Int, _ renderer: Renderer) -> Int32 {
    let wasXrun = code == -Int(EPIPE)
    if wasXrun { renderer.noteXrun() }
    if wasXrun { return snd_pcm_prepare(pcm) }
    // Resuming keeps a few periods that nobody will miss; preparing works on every card.
    if code == -Int(ESTRPIPE) { return snd_pcm_prepare(pcm) }
    return Int32(truncatingIfNeeded: code)
  }

  /// See ``AudioSink/close(draining:)``.
  public func close(draining: Bool) {
    guard let pcm else { return }
    if draining {
      snd_pcm_nonblock(pcm, 0)
      snd_pcm_drain(pcm)
    } else {
      snd_pcm_drop(pcm)
    }
    snd_pcm_close(pcm)
    self.pcm = nil
  }

  static func error(_ name: String, _ what: String, _ status: Int32) -> SinkError {
    SinkError(
      "\(name) \(what): \(String(cString: snd_strerror(status)))",
      isAbsent: [ENOENT, ENODEV, ENXIO].contains(-status))
  }
}
