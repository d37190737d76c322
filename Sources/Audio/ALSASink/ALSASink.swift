public import AudioCodecs
public import AudioEngine
internal import CALSA
internal import CRealtime
internal import Glibc

/// Plays on one ALSA PCM.
///
/// ALSA's own conversions are switched off (`SND_PCM_NO_AUTO_*`). So the device runs exactly as this class sets it up.
/// The engine converts instead, so that each conversion can be reported. The sample format is always the widest that
/// the device supports, because a 16-bit sample loses nothing in a 32-bit format. So the format does not depend on the
/// depth of the file, and tracks of different depths join without a gap.
public final class ALSASink: AudioSink, @unchecked Sendable {
  /// The name of the PCM, as in `aplay -D`.
  public let name: String
  /// Chooses the PCM each time the output is opened. Nil if the PCM is always ``name``.
  private let choice: SoundCardChoice?
  /// The PCM that was opened last.
  private(set) var device: String
  let buffering: Buffering
  private var mute: Mute?
  private(set) var pcm: OpaquePointer?
  private(set) var buffer = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
  private var periodFrames = 0
  /// Set if the buffer of the device is rewritten.
  var deep: DeepBuffer?
  /// The results of the tests of sound cards, the newest first.
  var cardTests: [DeviceFormat.CardTest]
  /// The next period is handed over when the device's buffer has room for this number of frames. If the device is to
  /// hold less sound than fits into its buffer, a part of the buffer stays empty. The number is then larger than a
  /// period.
  private var dueRoom = 0
  private(set) var frameBytes = 0
  private var sampleRate = 1
  /// True if ``run(_:)`` has ended because the device failed.
  private var isLost = false
  /// If the device takes no frames for this number of nanoseconds, it counts as lost.
  private(set) var timeout: Int64 = 0

  /// Creates the sink without opening the PCM. Mutes the amplifier, which can block.
  ///
  /// - Parameters:
  ///   - name: an ALSA PCM, as in `aplay -D`.
  ///   - choice: chooses the PCM each time the output is opened; nil if the PCM is always `name`.
  ///   - muting: the amplifier after the sound card; nil if no amplifier can be muted.
  public init(
    name: String, choice: SoundCardChoice? = nil, buffering: Buffering = Buffering(),
    muting: Muting? = nil
  ) {
    self.name = name
    self.choice = choice
    device = name
    self.buffering = buffering
    cardTests = buffering.cardTests
    mute = muting.map { Mute($0) }
    mute?.set(true)
  }

  deinit {
    if let pcm {
      mute?.set(true)
      snd_pcm_close(pcm)
    }
    buffer.deallocate()
    deep?.deallocate()
  }

  /// See ``AudioSink/open(_:)``. If there is an amplifier, unmutes it at the end.
  public func open(_ wanted: StreamFormat) throws(SinkError) -> DeviceFormat {
    mute?.set(true)
    device = try choice?.pcm() ?? name
    let mode =
      SND_PCM_NONBLOCK | Int32(SND_PCM_NO_AUTO_RESAMPLE) | Int32(SND_PCM_NO_AUTO_CHANNELS)
      | Int32(SND_PCM_NO_AUTO_FORMAT)
    let status = snd_pcm_open(&pcm, device, SND_PCM_STREAM_PLAYBACK, mode)
    guard status == 0, let pcm else { throw Self.error(device, "cannot be opened", status) }
    do throws(SinkError) {
      let (format, dueRoom) = try setUp(pcm, wanted)
      self.dueRoom = dueRoom
      periodFrames = format.periodFrames
      sampleRate = format.sampleRate
      frameBytes = format.frameBytes
      isLost = false
      // The device takes a new period as soon as it has played one period of its buffer. If the device takes nothing
      // for the duration of its buffer plus three seconds, it counts as lost. The three seconds allow for delays of a
      // loaded machine or of a bus that wakes up.
      timeout =
        3_000_000_000 + Int64(format.bufferFrames) * 1_000_000_000 / Int64(format.sampleRate)
      let bytes = chunkFrames * frameBytes
      buffer.deallocate()
      buffer = .allocate(byteCount: bytes, alignment: 64)
      // This writes to each page of the buffer, so that the real-time loop causes no page fault.
      buffer.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
      try unmute(pcm)
      return format
    } catch {
      snd_pcm_close(pcm)
      self.pcm = nil
      throw error
    }
  }

  @_noLocks public func run(_ renderer: Renderer) -> SinkExit {
    guard let pcm else { return .failed(EBADFD) }
    if isRewritten { return rewrite(pcm, renderer) }
    while true {
      let deadline = rt_monotonic_ns() &+ timeout
      let room = awaitRoom(pcm, dueRoom, deadline, renderer)
      if room < 0 { return fail(room) }
      if room == 0 { return .left }
      let frames = renderer.render(into: buffer, frames: periodFrames, pads: true)
      // Drivers play only whole periods, so the rest of the last period must be silence.
      let missing = periodFrames &- frames
      if missing > 0 { rt_zero(buffer + frames &* frameBytes, missing &* frameBytes) }
      let status = writePeriod(pcm, frames > 0 ? periodFrames : 0, deadline, renderer)
      if status < 0 { return fail(status) }
      // If silence was handed over before the renderer's first frame, the delay includes this silence. So the playback
      // position does not advance until the silence was heard.
      var delay = 0
      if snd_pcm_delay(pcm, &delay) < 0 { delay = 0 }
      renderer.handedOver(deviceDelay: delay)
      if renderer.mustLeave { return .left }
    }
  }

  @_noLocks func fail(_ code: Int32) -> SinkExit {
    isLost = true
    return .failed(code)
  }

  /// Waits until the device has room for `frames` more frames. With periods, the output thread waits only here. This
  /// function also detects a device that has stopped playing.
  ///
  /// - Parameter deadline: a time on the monotonic clock. After this time the device counts as lost, whatever state it
  ///   reports.
  /// - Returns: 1 if there is room, 0 if the engine stops, otherwise a negative system error number.
  @_noLocks private func awaitRoom(
    _ pcm: OpaquePointer, _ frames: Int, _ deadline: Int64, _ renderer: Renderer
  ) -> Int32 {
    while true {
      let available = snd_pcm_avail_update(pcm)
      if available >= frames { return 1 }
      var status = available < 0 ? Int32(truncatingIfNeeded: available) : 0
      // Only the device wakes this thread. So the wait ends after 100 ms at the latest, and then the loop checks
      // whether the engine stops.
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

  /// Some ALSA plug-ins report that they are ready although they have less room than requested. This function sleeps
  /// until the device has played enough frames to have the requested room, but at most for 100 ms. Without this sleep,
  /// the real-time thread would poll without a pause and leave no processor time to other threads.
  @_noLocks private func sleepForRoom(_ pcm: OpaquePointer, _ frames: Int) {
    let available = snd_pcm_avail_update(pcm)
    if available < 0 { return }
    if available >= frames { return }
    let nanoseconds = Int64(frames &- available) &* 1_000_000_000 / Int64(sampleRate)
    rt_sleep_until(rt_monotonic_ns() &+ (nanoseconds < 100_000_000 ? nanoseconds : 100_000_000))
  }

  /// Hands over `frames` frames. Frames that the device rejects because of an xrun are handed over again. Returns a
  /// negative system error number after an error or after `deadline`, otherwise 0. If the engine stops, this function
  /// returns early with 0.
  @_noLocks private func writePeriod(
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
      // The device reported room for all frames. But it took fewer frames, or it had an xrun.
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
  @_noLocks func recover(_ pcm: OpaquePointer, _ code: Int, _ renderer: Renderer) -> Int32 {
    switch code {
    case -Int(EPIPE): renderer.deviceRanDry()
    // `snd_pcm_resume` would keep a few periods, but not every driver supports it. `snd_pcm_prepare` always works.
    case -Int(ESTRPIPE): renderer.goBackToHeardFrame(at: stopTime(pcm))
    default: return Int32(truncatingIfNeeded: code)
    }
    return snd_pcm_prepare(pcm)
  }

  /// See ``AudioSink/close(draining:)``. If there is an amplifier, the buffer is always played to its end, because
  /// dropped frames could be heard as a thump. The only exception is a lost device.
  public func close(draining: Bool) {
    guard let pcm else { return }
    takeBackSilence(pcm)
    if mute != nil {
      if isLost { mute?.set(true) } else { muteAfterLastFrame(pcm, untilTimeout: draining) }
      // The amplifier is muted now, so the frames in the device can be dropped. A drain before the muting would have
      // stopped the device while the amplifier was on.
      snd_pcm_drop(pcm)
    } else if !draining || isRewritten || !drain(pcm) {
      snd_pcm_drop(pcm)
    }
    snd_pcm_close(pcm)
    self.pcm = nil
  }

  /// If there is an amplifier: lets the device play silence, then unmutes the amplifier.
  private func unmute(_ pcm: OpaquePointer) throws(SinkError) {
    guard mute != nil else { return }
    var silence = silencePlayer(pcm)
    let status = mute?.unmute(over: &silence, by: rt_monotonic_ns() + timeout) ?? 0
    guard status == 0 else { throw Self.error(device, "does not start", status) }
    // Without this call, the content would be heard only after all silence in the buffer of the device.
    takeBackSilence(pcm)
  }

  /// The largest number of frames that are written at once.
  private var chunkFrames: Int { deep?.writeFrames ?? periodFrames }

  /// - Parameter untilTimeout: if true, the wait for the last frame ends after `timeout` at the latest. If false, the
  ///   wait ends after 0.2 s plus twice the duration of the frames in the device.
  private func muteAfterLastFrame(_ pcm: OpaquePointer, untilTimeout: Bool) {
    rt_zero(buffer, chunkFrames * frameBytes)
    var silence = silencePlayer(pcm)
    var held = 0
    if snd_pcm_delay(pcm, &held) < 0 { held = 0 }
    let limit = untilTimeout ? timeout : 200_000_000 + 2 * silence.nanoseconds(max(held, 0))
    mute?.mute(over: &silence, by: rt_monotonic_ns() + limit)
  }

  private func silencePlayer(_ pcm: OpaquePointer) -> SilencePlayer {
    SilencePlayer(
      pcm: pcm, silence: UnsafeRawPointer(buffer), isMapped: isRewritten,
      periodFrames: min(chunkFrames, isRewritten ? 256 : periodFrames), rate: sampleRate)
  }

  /// Waits until the device has played its frames. Returns false if the drain fails or takes longer than `timeout`.
  /// ALSA's blocking drain is not used, because it can block forever.
  private func drain(_ pcm: OpaquePointer) -> Bool {
    let deadline = rt_monotonic_ns() + timeout
    // The PCM was opened in non-blocking mode. For ioplug plug-ins this mode must be set again.
    snd_pcm_nonblock(pcm, 1)
    while true {
      let status = snd_pcm_drain(pcm)
      if status != -EAGAIN { return status == 0 }
      let left = (deadline - rt_monotonic_ns()) / 1_000_000
      guard left > 0 else { return false }
      awaitChange(pcm, milliseconds: Int32(clamping: left))
    }
  }

  /// Waits for any event of the PCM. `snd_pcm_wait` would return at once, because it waits for room, and a device that
  /// drains has room.
  private func awaitChange(_ pcm: OpaquePointer, milliseconds: Int32) {
    let count = snd_pcm_poll_descriptors_count(pcm)
    guard count > 0 else { return }
    var entries = [pollfd](repeating: pollfd(), count: Int(count))
    snd_pcm_poll_descriptors(pcm, &entries, UInt32(count))
    poll(&entries, nfds_t(count), milliseconds)
    // Some ALSA plug-ins clear their wake-up event in this call.
    var events: UInt16 = 0
    snd_pcm_poll_descriptors_revents(pcm, &entries, UInt32(count), &events)
  }

  // MARK: Static functions

  /// Prepares libasound. Changes the environment, so call this before the first thread starts.
  public static func prepareProcess() { calsa_prepare() }

  /// Opens the PCM `name` and closes it again. Returns the error, or nil if the PCM can be opened.
  public static func problem(opening name: String) -> SinkError? {
    var pcm: OpaquePointer?
    let status = snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
    guard status == 0, let pcm else { return error(name, "cannot be opened", status) }
    snd_pcm_close(pcm)
    return nil
  }

  static func error(_ name: String, _ what: String, _ status: Int32) -> SinkError {
    SinkError(
      "\(name) \(what): \(String(cString: snd_strerror(status)))",
      isAbsent: [ENOENT, ENODEV, ENXIO].contains(-status))
  }

  // MARK: Buffering

  /// How the device is filled.
  public enum Latency: String, Sendable, CaseIterable {
    /// Fills and rewrites a deep buffer if the PCM is a sound card (`hw`) that supports this. Otherwise hands over
    /// short periods.
    case auto
    /// Fills and rewrites a deep buffer if the PCM supports this, even if the PCM is not a sound card. Otherwise hands
    /// over short periods.
    case rewind
    /// Always hands over short periods.
    case periods
  }

  /// How much sound the device holds. With periods, a change of the sound is heard only after the device has played the
  /// sound that it held at the time of the change.
  public struct Buffering: Sendable {
    /// How the device is filled.
    public var latency: Latency
    /// Number of frames that are handed over at a time. Nil means 256 on a sound card, and 512 on any other PCM,
    /// because other PCMs wake the thread less precisely.
    public var periodFrames: Int?
    /// Milliseconds of sound that the sink keeps in the buffer of the device. With periods, the minimum is two periods.
    /// On a sound card the value is rounded down to whole periods. Nil means two periods on a sound card and 50 ms on
    /// any other PCM. With a deep buffer that is rewritten, the minimum is 500 ms, and nil means a second.
    public var bufferMilliseconds: Int?
    /// The results of earlier tests of sound cards. A card with a result is not tested again.
    public var cardTests: [DeviceFormat.CardTest]

    /// Creates the settings. For each parameter that is nil, the default of the PCM is used.
    public init(
      periodFrames: Int? = nil, bufferMilliseconds: Int? = nil, latency: Latency = .periods,
      cardTests: [DeviceFormat.CardTest] = []
    ) {
      self.cardTests = cardTests
      self.latency = latency
      self.periodFrames = periodFrames
      self.bufferMilliseconds = bufferMilliseconds
    }
  }
}
