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
  /// How much sound the device is given ahead: the delay of everything that is changed.
  public struct Buffering: Sendable {
    /// Frames handed over at a time. Nil for 256 on a sound card, and 512 where there is more
    /// between than that (a sound server), which wakes up less exactly.
    public var periodFrames: Int?
    /// Milliseconds of sound, whole periods of it and at least two. Nil for two periods on a sound
    /// card, else 50 ms.
    public var bufferMilliseconds: Int?

    /// Joins the two.
    public init(periodFrames: Int? = nil, bufferMilliseconds: Int? = nil) {
      self.periodFrames = periodFrames
      self.bufferMilliseconds = bufferMilliseconds
    }
  }

  /// The PCM's name.
  public let name: String
  private let buffering: Buffering
  private var mute: Mute?
  private var pcm: OpaquePointer?
  private var buffer = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
  private var periodFrames = 0
  /// The device's buffer may be larger than what it shall be given: with so much room in it, a
  /// period is due.
  private var dueRoom = 0
  private var frameBytes = 0
  private var sampleRate = 1
  private var rate = 0
  /// The device was lost while it ran.
  private var isLost = false
  /// How long a device may take nothing, in nanoseconds.
  private var patience: Int64 = 0

  /// Opens nothing yet, but mutes the amplifier, for which it may block.
  ///
  /// - Parameters:
  ///   - name: an ALSA PCM, as in `aplay -D`.
  ///   - muting: the amplifier behind it; nil for none that can be switched.
  public init(name: String, buffering: Buffering = Buffering(), muting: Muting? = nil) {
    self.name = name
    self.buffering = buffering
    mute = muting.map { Mute($0) }
    mute?.set(true)
  }

  deinit {
    if let pcm {
      mute?.set(true)
      snd_pcm_close(pcm)
    }
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

  /// See ``AudioSink/open(_:)``. With an amplifier it returns when that is unmuted.
  public func open(_ wanted: StreamFormat) throws(SinkError) -> DeviceFormat {
    mute?.set(true)
    let mode =
      SND_PCM_NONBLOCK | Int32(SND_PCM_NO_AUTO_RESAMPLE) | Int32(SND_PCM_NO_AUTO_CHANNELS)
      | Int32(SND_PCM_NO_AUTO_FORMAT)
    let status = snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, mode)
    guard status == 0, let pcm else { throw Self.error(name, "cannot be opened", status) }
    do throws(SinkError) {
      let setup = HardwareSetup(pcm: pcm, name: name, buffering: buffering)
      let (format, dueRoom) = try setup.apply(wanted)
      self.dueRoom = dueRoom
      periodFrames = format.periodFrames
      sampleRate = format.sampleRate
      frameBytes = format.frameBytes
      rate = format.sampleRate
      isLost = false
      // It takes a period as soon as it has played one of the buffer. When it could have played
      // the whole buffer and was given three seconds more, as a loaded machine or a bus that wakes
      // up may need some, it has hung.
      patience =
        3_000_000_000 + Int64(format.bufferFrames) * 1_000_000_000 / Int64(format.sampleRate)
      buffer.deallocate()
      buffer = .allocate(byteCount: periodFrames * frameBytes, alignment: 64)
      // Touched now, so that the real-time loop meets no page fault.
      buffer.initializeMemory(as: UInt8.self, repeating: 0, count: periodFrames * frameBytes)
      try unmute(pcm)
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
    while true {
      let deadline = rt_monotonic_ns() &+ patience
      let room = awaitRoom(pcm, dueRoom, deadline, renderer)
      if room < 0 { return lose(room) }
      if room == 0 { return .left }
      let frames = renderer.render(into: buffer, frames: periodFrames, pads: true)
      // Drivers play whole periods: what follows the last frame must be silence.
      let missing = periodFrames &- frames
      if missing > 0 { rt_zero(buffer + frames &* frameBytes, missing &* frameBytes) }
      let status = write(pcm, frames > 0 ? periodFrames : 0, deadline, renderer)
      if status < 0 { return lose(status) }
      // All that it holds, also the silence before the renderer's first frame, which stands still
      // until that was heard.
      var delay = 0
      if snd_pcm_delay(pcm, &delay) < 0 { delay = 0 }
      renderer.handedOver(deviceDelay: delay)
      if renderer.mustLeave { return .left }
    }
  }

  @_noLocks private func lose(_ code: Int32) -> SinkExit {
    isLost = true
    return .failed(code)
  }

  /// Waits until the device takes `frames` more frames: the one place where the thread waits, and
  /// where a device that has stopped playing is found out.
  ///
  /// - Parameter deadline: on the monotonic clock, after which the device counts as lost, whatever
  ///   it says of itself.
  /// - Returns: above 0 when there is room, 0 when the engine stops, else a system error number.
  @_noLocks private func awaitRoom(
    _ pcm: OpaquePointer, _ frames: Int, _ deadline: Int64, _ renderer: Renderer
  ) -> Int32 {
    while true {
      let available = snd_pcm_avail_update(pcm)
      if available >= frames { return 1 }
      var status = available < 0 ? Int32(truncatingIfNeeded: available) : 0
      // In steps, as nothing but the device wakes this thread and the engine may want to stop.
      if status == 0 { status = snd_pcm_wait(pcm, 100) }
      if status < 0 {
        status = recover(pcm, Int(status), renderer)
        if status < 0 { return status }
      } else if status > 0 {
        rest(pcm, frames)
      }
      if renderer.mustStop { return 0 }
      if rt_monotonic_ns() > deadline { return -EIO }
    }
  }

  /// Some plug-ins say that they are ready with less room than was asked for. So long as it takes
  /// to play the rest, this thread must not ask again: nobody else would run.
  @_noLocks private func rest(_ pcm: OpaquePointer, _ frames: Int) {
    let available = snd_pcm_avail_update(pcm)
    if available < 0 { return }
    if available >= frames { return }
    let nanoseconds = Int64(frames &- available) &* 1_000_000_000 / Int64(sampleRate)
    rt_sleep_until(rt_monotonic_ns() &+ (nanoseconds < 100_000_000 ? nanoseconds : 100_000_000))
  }

  /// Hands all of `frames` over by `deadline`, also those that an xrun rejected.
  @_noLocks private func write(
    _ pcm: OpaquePointer, _ frames: Int, _ deadline: Int64, _ renderer: Renderer
  ) -> Int32 {
    var done = 0
    while done < frames {
      let written = snd_pcm_writei(
        pcm, buffer + done &* frameBytes, snd_pcm_uframes_t(frames &- done))
      if written > 0 {
        done &+= written
        continue
      }
      // There was room for all of them, so this is a device that changed its mind, or had an xrun.
      if written < 0, written != -Int(EAGAIN) {
        let status = recover(pcm, written, renderer)
        if status < 0 { return status }
      }
      if rt_monotonic_ns() > deadline { return -EIO }
      let room = awaitRoom(pcm, frames &- done, deadline, renderer)
      if room <= 0 { return room }
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

  /// See ``AudioSink/close(draining:)``. With an amplifier all is played out in any case, but for
  /// a device that is lost: what would be dropped could be heard as a thump.
  public func close(draining: Bool) {
    guard let pcm else { return }
    if mute != nil {
      if isLost { mute?.set(true) } else { muteAfterTheLastFrame(pcm, patiently: draining) }
      // Drained, it would have stopped by itself, and before it was muted.
      snd_pcm_drop(pcm)
    } else if !draining || !drain(pcm) {
      snd_pcm_drop(pcm)
    }
    snd_pcm_close(pcm)
    self.pcm = nil
  }

  /// Lets the device run on silence, and unmutes the amplifier if there is one.
  private func unmute(_ pcm: OpaquePointer) throws(SinkError) {
    guard mute != nil else { return }
    var silence = silencePlayer(pcm)
    let status = mute?.unmute(over: &silence, by: rt_monotonic_ns() + patience) ?? 0
    guard status == 0 else { throw Self.error(name, "does not begin to play", status) }
  }

  /// - Parameter patiently: for as long as ``run(_:)`` would wait for the device; otherwise not
  ///   much longer than what it holds should last.
  private func muteAfterTheLastFrame(_ pcm: OpaquePointer, patiently: Bool) {
    rt_zero(buffer, periodFrames * frameBytes)
    var silence = silencePlayer(pcm)
    var held = 0
    if snd_pcm_delay(pcm, &held) < 0 { held = 0 }
    let grace = patiently ? patience : 200_000_000 + 2 * silence.nanoseconds(max(held, 0))
    mute?.mute(over: &silence, by: rt_monotonic_ns() + grace)
  }

  private func silencePlayer(_ pcm: OpaquePointer) -> SilencePlayer {
    SilencePlayer(
      pcm: pcm, silence: UnsafeRawPointer(buffer), periodFrames: periodFrames, rate: rate)
  }

  /// Lets the device play what it has; false where it does not in as much time as ``run(_:)``
  /// would give it. ALSA's own waiting may have no end.
  private func drain(_ pcm: OpaquePointer) -> Bool {
    let deadline = rt_monotonic_ns() + patience
    // It was opened so, but plug-ins of one kind (ioplug) need to be told once more.
    snd_pcm_nonblock(pcm, 1)
    while true {
      let status = snd_pcm_drain(pcm)
      if status != -EAGAIN { return status == 0 }
      let left = (deadline - rt_monotonic_ns()) / 1_000_000
      guard left > 0 else { return false }
      awaitChange(pcm, milliseconds: Int32(clamping: left))
    }
  }

  /// Waits until anything happens to the PCM. `snd_pcm_wait` would wait for room, of which there
  /// is plenty while the device drains.
  private func awaitChange(_ pcm: OpaquePointer, milliseconds: Int32) {
    let count = snd_pcm_poll_descriptors_count(pcm)
    guard count > 0 else { return }
    var entries = [pollfd](repeating: pollfd(), count: Int(count))
    snd_pcm_poll_descriptors(pcm, &entries, UInt32(count))
    poll(&entries, nfds_t(count), milliseconds)
    // Some plug-ins take their wake-up back in here.
    var events: UInt16 = 0
    snd_pcm_poll_descriptors_revents(pcm, &entries, UInt32(count), &events)
  }

  static func error(_ name: String, _ what: String, _ status: Int32) -> SinkError {
    SinkError(
      "\(name) \(what): \(String(cString: snd_strerror(status)))",
      isAbsent: [ENOENT, ENODEV, ENXIO].contains(-status))
  }
}
