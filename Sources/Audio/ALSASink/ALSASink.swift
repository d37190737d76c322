public import AudioCodecs
public import AudioEngine
internal import CALSA
internal import CRealtime
internal import Glibc

/// One ALSA PCM.
///
/// ALSA's own conversions are switched off (`SND_PCM_NO_AUTO_*`). So the device runs exactly as it
/// is set up, and the engine does each conversion, where it can be reported. The sample format is
/// the widest that the device takes, whatever the file has: 16 bits in 32 are the same 16 bits, and
/// tracks of different depth join without a gap.
public final class ALSASink: AudioSink, @unchecked Sendable {
  /// The number of frames that the device is given ahead. This is also the delay of each change of
  /// the sound.
  public struct Buffering: Sendable {
    /// Number of frames that are handed over at a time. Nil: 256 on a sound card, and 512 on any
    /// other PCM, such as a sound server, which wakes the thread less exactly.
    public var periodFrames: Int?
    /// Milliseconds of sound, at least two periods; on a sound card rounded down to whole periods.
    /// Nil: two periods on a sound card, otherwise 50 ms.
    public var bufferMilliseconds: Int?

    /// Nil chooses the default of the PCM.
    public init(periodFrames: Int? = nil, bufferMilliseconds: Int? = nil) {
      self.periodFrames = periodFrames
      self.bufferMilliseconds = bufferMilliseconds
    }
  }

  /// The PCM's name, as in `aplay -D`.
  public let name: String
  private let buffering: Buffering
  private var mute: Mute?
  private var pcm: OpaquePointer?
  private var buffer = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
  private var periodFrames = 0
  /// Free frames in the device's buffer at which the next period is due. The buffer may be larger
  /// than the number of frames that the device is given ahead.
  private var dueRoom = 0
  private var frameBytes = 0
  private var sampleRate = 1
  private var rate = 0
  /// True after the device was lost while it ran.
  private var isLost = false
  /// Longest time in nanoseconds that the device may take no frames.
  private var timeout: Int64 = 0

  /// Does not open the PCM. Mutes the amplifier, which may block.
  ///
  /// - Parameters:
  ///   - name: an ALSA PCM, as in `aplay -D`.
  ///   - muting: the amplifier behind the PCM; nil if there is none that can be switched.
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

  /// Call before the first thread starts, because this changes the environment.
  public static func prepareProcess() { calsa_prepare() }

  /// The reason why the PCM `name` cannot be opened; nil if it can be opened. Opens and closes the
  /// PCM.
  public static func problem(opening name: String) -> SinkError? {
    var pcm: OpaquePointer?
    let status = snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
    guard status == 0, let pcm else { return error(name, "cannot be opened", status) }
    snd_pcm_close(pcm)
    return nil
  }

  /// See ``AudioSink/open(_:)``. With an amplifier this returns after unmuting it.
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
      // The device takes a period as soon as it has played one period of its buffer. If it takes
      // nothing for the length of the buffer plus three seconds, it has hung. A loaded machine or a
      // bus that wakes up may need some of these three seconds.
      timeout =
        3_000_000_000 + Int64(format.bufferFrames) * 1_000_000_000 / Int64(format.sampleRate)
      buffer.deallocate()
      buffer = .allocate(byteCount: periodFrames * frameBytes, alignment: 64)
      // Written now, so that the real-time loop meets no page fault.
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
      let deadline = rt_monotonic_ns() &+ timeout
      let room = awaitRoom(pcm, dueRoom, deadline, renderer)
      if room < 0 { return fail(room) }
      if room == 0 { return .left }
      let frames = renderer.render(into: buffer, frames: periodFrames, pads: true)
      // Drivers play whole periods, so silence must follow the last frame.
      let missing = periodFrames &- frames
      if missing > 0 { rt_zero(buffer + frames &* frameBytes, missing &* frameBytes) }
      let status = write(pcm, frames > 0 ? periodFrames : 0, deadline, renderer)
      if status < 0 { return fail(status) }
      // The delay includes the silence before the renderer's first frame. The playback position
      // stands still until that silence was heard.
      var delay = 0
      if snd_pcm_delay(pcm, &delay) < 0 { delay = 0 }
      renderer.handedOver(deviceDelay: delay)
      if renderer.mustLeave { return .left }
    }
  }

  @_noLocks private func fail(_ code: Int32) -> SinkExit {
    isLost = true
    return .failed(code)
  }

  /// Waits until the device takes `frames` more frames. The thread waits only here, and here a
  /// device that has stopped playing is detected.
  ///
  /// - Parameter deadline: on the monotonic clock; after this time the device counts as lost,
  ///   whatever state it reports.
  /// - Returns: above 0 if there is room, 0 if the engine stops, else a negative system error
  ///   number.
  @_noLocks private func awaitRoom(
    _ pcm: OpaquePointer, _ frames: Int, _ deadline: Int64, _ renderer: Renderer
  ) -> Int32 {
    while true {
      let available = snd_pcm_avail_update(pcm)
      if available >= frames { return 1 }
      var status = available < 0 ? Int32(truncatingIfNeeded: available) : 0
      // In steps of 100 ms, because only the device wakes this thread and the engine may stop
      // meanwhile.
      if status == 0 { status = snd_pcm_wait(pcm, 100) }
      if status < 0 {
        status = recover(pcm, Int(status), renderer)
        if status < 0 { return status }
      } else if status > 0 {
        sleepForRoom(pcm, frames)
      }
      if renderer.mustStop { return 0 }
      if rt_monotonic_ns() > deadline { return -EIO }
    }
  }

  /// Some plug-ins report that they are ready with less room than requested. This sleeps for the
  /// time that the missing room takes to play. Otherwise the real-time thread would poll without a
  /// pause and leave no processor time to other threads.
  @_noLocks private func sleepForRoom(_ pcm: OpaquePointer, _ frames: Int) {
    let available = snd_pcm_avail_update(pcm)
    if available < 0 { return }
    if available >= frames { return }
    let nanoseconds = Int64(frames &- available) &* 1_000_000_000 / Int64(sampleRate)
    rt_sleep_until(rt_monotonic_ns() &+ (nanoseconds < 100_000_000 ? nanoseconds : 100_000_000))
  }

  /// Hands over all `frames` by `deadline`, including frames that an xrun rejected.
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
      // There was room for all frames, so the device took fewer than it offered, or had an xrun.
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

  /// Prepares the PCM again after an xrun or a suspend.
  @_noLocks private func recover(_ pcm: OpaquePointer, _ code: Int, _ renderer: Renderer) -> Int32 {
    let wasXrun = code == -Int(EPIPE)
    if wasXrun { renderer.countXrun() }
    if wasXrun { return snd_pcm_prepare(pcm) }
    // `snd_pcm_resume` would keep a few periods, but not every driver supports it.
    // `snd_pcm_prepare` always works.
    if code == -Int(ESTRPIPE) { return snd_pcm_prepare(pcm) }
    return Int32(truncatingIfNeeded: code)
  }

  /// See ``AudioSink/close(draining:)``. With an amplifier the buffer is always played to its end,
  /// unless the device is lost: dropped frames could be heard as a thump.
  public func close(draining: Bool) {
    guard let pcm else { return }
    if mute != nil {
      if isLost { mute?.set(true) } else { muteAfterLastFrame(pcm, untilTimeout: draining) }
      // After a drain the device would stop by itself, before the amplifier is muted.
      snd_pcm_drop(pcm)
    } else if !draining || !drain(pcm) {
      snd_pcm_drop(pcm)
    }
    snd_pcm_close(pcm)
    self.pcm = nil
  }

  /// If there is an amplifier: lets the device run on silence, then unmutes the amplifier.
  private func unmute(_ pcm: OpaquePointer) throws(SinkError) {
    guard mute != nil else { return }
    var silence = silencePlayer(pcm)
    let status = mute?.unmute(over: &silence, by: rt_monotonic_ns() + timeout) ?? 0
    guard status == 0 else { throw Self.error(name, "does not start", status) }
  }

  /// - Parameter untilTimeout: true waits as long as ``run(_:)`` would; false waits not much longer
  ///   than the frames in the device last.
  private func muteAfterLastFrame(_ pcm: OpaquePointer, untilTimeout: Bool) {
    rt_zero(buffer, periodFrames * frameBytes)
    var silence = silencePlayer(pcm)
    var held = 0
    if snd_pcm_delay(pcm, &held) < 0 { held = 0 }
    let limit = untilTimeout ? timeout : 200_000_000 + 2 * silence.nanoseconds(max(held, 0))
    mute?.mute(over: &silence, by: rt_monotonic_ns() + limit)
  }

  private func silencePlayer(_ pcm: OpaquePointer) -> SilencePlayer {
    SilencePlayer(
      pcm: pcm, silence: UnsafeRawPointer(buffer), periodFrames: periodFrames, rate: rate)
  }

  /// Waits until the device has played its frames. False if that takes longer than `timeout`.
  /// ALSA's own blocking drain may never return.
  private func drain(_ pcm: OpaquePointer) -> Bool {
    let deadline = rt_monotonic_ns() + timeout
    // The PCM was opened non-blocking, but ioplug plug-ins need the mode set again.
    snd_pcm_nonblock(pcm, 1)
    while true {
      let status = snd_pcm_drain(pcm)
      if status != -EAGAIN { return status == 0 }
      let left = (deadline - rt_monotonic_ns()) / 1_000_000
      guard left > 0 else { return false }
      awaitChange(pcm, milliseconds: Int32(clamping: left))
    }
  }

  /// Waits for any event of the PCM. `snd_pcm_wait` would return at once, because it waits for
  /// room, and a device that drains has room.
  private func awaitChange(_ pcm: OpaquePointer, milliseconds: Int32) {
    let count = snd_pcm_poll_descriptors_count(pcm)
    guard count > 0 else { return }
    var entries = [pollfd](repeating: pollfd(), count: Int(count))
    snd_pcm_poll_descriptors(pcm, &entries, UInt32(count))
    poll(&entries, nfds_t(count), milliseconds)
    // Some plug-ins clear their wake-up in this call.
    var events: UInt16 = 0
    snd_pcm_poll_descriptors_revents(pcm, &entries, UInt32(count), &events)
  }

  static func error(_ name: String, _ what: String, _ status: Int32) -> SinkError {
    SinkError(
      "\(name) \(what): \(String(cString: snd_strerror(status)))",
      isAbsent: [ENOENT, ENODEV, ENXIO].contains(-status))
  }
}
