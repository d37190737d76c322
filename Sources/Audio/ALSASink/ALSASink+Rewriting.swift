internal import AudioCodecs
internal import AudioEngine
internal import CALSA
internal import CRealtime
internal import Glibc

// Fills a deep buffer, and rewrites the frames in this buffer when the sound changes.
extension ALSASink {
  /// True if the device is set up with a deep buffer that is rewritten.
  var isRewritten: Bool {
    @_noLocks get { deep != nil }
  }

  // MARK: Above the real-time line

  /// Sets the device up. The device gets a deep buffer if the configuration permits this and the device passes the
  /// ``RewindTest``. Otherwise the device is filled by periods.
  func setUp(
    _ pcm: OpaquePointer, _ wanted: StreamFormat
  ) throws(SinkError) -> (format: DeviceFormat, dueRoom: Int) {
    deep?.deallocate()
    deep = nil
    if let reason = reasonForPeriods(pcm) { return try setUpPeriods(pcm, wanted, reason) }
    let setup = HardwareSetup(pcm: pcm, name: device, buffering: buffering, isRewritten: true)
    guard let setup = try? setup.apply(wanted) else {
      snd_pcm_hw_free(pcm)
      return try setUpPeriods(pcm, wanted, .notSupported)
    }
    var format = setup.format
    let test = cardTest(pcm, format)
    guard let test, test.step > 0 else {
      snd_pcm_hw_free(pcm)
      var periods = try setUpPeriods(pcm, wanted, .testFailed)
      periods.format.cardTest = test
      return periods
    }
    deep = DeepBuffer(
      pcm: pcm, bufferFrames: format.bufferFrames, rate: format.sampleRate,
      step: Self.step(test, rate: format.sampleRate))
    format.cardTest = test
    return (format, setup.dueRoom)
  }

  /// The largest number of frames by which the position of the device advances at once at `rate`. The test contains
  /// this step at ``testRate``.
  private static func step(_ test: DeviceFormat.CardTest, rate: Int) -> Int {
    max(test.step, test.step * rate / testRate)
  }

  /// The rate for which steps are saved, in frames per second. The step of some cards is a fixed time. The step of
  /// other cards is a fixed number of frames. It is not known which of the two applies, so the step at another rate is
  /// the larger of the two values.
  private static let testRate = 48000

  private func setUpPeriods(
    _ pcm: OpaquePointer, _ wanted: StreamFormat, _ reason: DeviceFormat.PeriodsReason
  ) throws(SinkError) -> (format: DeviceFormat, dueRoom: Int) {
    let setup = HardwareSetup(pcm: pcm, name: device, buffering: buffering, isRewritten: false)
    var (format, room) = try setup.apply(wanted)
    format.periodsReason = reason
    return (format, room)
  }

  /// The reason to fill the device by periods without a test; nil if the device must be tested.
  private func reasonForPeriods(_ pcm: OpaquePointer) -> DeviceFormat.PeriodsReason? {
    switch buffering.latency {
    case .periods: .configured
    case .rewind: nil
    case .auto: snd_pcm_type(pcm) == SND_PCM_TYPE_HW ? nil : .noSoundCard
    }
  }

  /// The result of the test for this card. Runs the test only if no result is known. If the test gives no result,
  /// returns nil, and the next opening repeats the test.
  private func cardTest(_ pcm: OpaquePointer, _ format: DeviceFormat) -> DeviceFormat.CardTest? {
    let card = Self.cardName(pcm) ?? device
    if let known = cardTests.first(where: { $0.card == card }) { return known }
    let block = 1024
    let silence = UnsafeMutableRawPointer.allocate(
      byteCount: block * format.frameBytes, alignment: 64)
    defer { silence.deallocate() }
    silence.initializeMemory(as: UInt8.self, repeating: 0, count: block * format.frameBytes)
    let test = RewindTest(
      pcm: pcm, rate: format.sampleRate, bufferFrames: format.bufferFrames,
      silence: UnsafeRawPointer(silence), blockFrames: block)
    let step: Int
    switch test.run() {
    case .works(let measured): step = max(measured, measured * Self.testRate / format.sampleRate)
    case .fails: step = 0
    case .unknown: return nil
    }
    let result = DeviceFormat.CardTest(card: card, step: step)
    cardTests = [result] + cardTests
    return result
  }

  /// The driver, the name of the card and the identity of the PCM, joined by slashes. Nil if the PCM has no card.
  private static func cardName(_ pcm: OpaquePointer) -> String? {
    var memory: OpaquePointer?
    snd_pcm_info_malloc(&memory)
    guard let info = memory else { return nil }
    defer { snd_pcm_info_free(info) }
    guard snd_pcm_info(pcm, info) == 0, snd_pcm_info_get_card(info) >= 0 else { return nil }
    var control: OpaquePointer?
    guard snd_ctl_open(&control, "hw:\(snd_pcm_info_get_card(info))", SND_CTL_READONLY) == 0
    else { return nil }
    defer { snd_ctl_close(control) }
    var cardMemory: OpaquePointer?
    snd_ctl_card_info_malloc(&cardMemory)
    guard let card = cardMemory else { return nil }
    defer { snd_ctl_card_info_free(card) }
    guard snd_ctl_card_info(control, card) == 0,
      let driver = snd_ctl_card_info_get_driver(card), let name = snd_ctl_card_info_get_name(card),
      let device = snd_pcm_info_get_id(info)
    else { return nil }
    return [driver, name, device].map { String(cString: $0) }.joined(separator: "/")
  }

  /// Takes back (rewinds) the silence in the device, except for the safeguard. So neither the first content nor the
  /// closing of the device has to wait for this silence.
  func takeBackSilence(_ pcm: OpaquePointer) {
    guard let deep else { return }
    let room = snd_pcm_avail(pcm)
    let held = room < 0 ? 0 : deep.bufferFrames - room
    if held > deep.safeguard {
      snd_pcm_rewind(pcm, snd_pcm_uframes_t(held - deep.safeguard))
    }
  }

  // MARK: Below the real-time line

  /// The time until which a suspended device was heard: monotonic clock, in nanoseconds. 0 if the driver does not
  /// report when the device stopped. The time of the last query cannot be used, because it can be much earlier. The
  /// current time cannot be used either, because the suspend can have lasted for hours.
  @_noLocks func stopTime(_ pcm: OpaquePointer) -> Int64 {
    guard let deep else { return 0 }
    if snd_pcm_status(pcm, deep.status) < 0 { return 0 }
    var time = snd_htimestamp_t()
    snd_pcm_status_get_trigger_htstamp(deep.status, &time)
    // At a suspend, a card drops the frames that it has read and not played: 3.6 … 5.3 ms with the HDA card of QEMU. So
    // the last 20 ms are played again. Repeated sound is better than lost sound.
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) &- 20_000_000
  }

  /// The loop of ``AudioSink/run(_:)`` for a buffer that is rewritten.
  @_noLocks func rewrite(_ pcm: OpaquePointer, _ renderer: Renderer) -> SinkExit {
    guard let deep else { return .failed(EBADFD) }
    deep.descriptors[0].fd = renderer.outputWake
    renderer.setSafeguard(deep.safeguard)
    // The number of frames in the device after the last call of `fill`, and the time at which this number last changed.
    var lastHeld = -1
    var lastProgress = rt_monotonic_ns()
    while true {
      let room = snd_pcm_avail(pcm)
      if room < 0 {
        let status = recover(pcm, room, renderer)
        if status < 0 { return fail(status) }
        // After the recovery, the device holds 0 frames. This does not count as progress, so a device that runs dry
        // directly after each start times out.
        lastHeld = 0
        continue
      }
      let held = deep.bufferFrames &- room
      var delay = 0
      if snd_pcm_delay(pcm, &delay) < 0 { delay = held }
      renderer.deviceHolds(held, delay: delay)
      let now = rt_monotonic_ns()
      if held != lastHeld { lastProgress = now }
      if now &- lastProgress > timeout { return fail(-EIO) }
      // After a stop of the engine, the loop continues until the fade was heard. If the device makes no progress for
      // 0.5 s, the loop ends without the fade.
      if renderer.mustStop, now &- lastProgress > 500_000_000 { return .left }
      let filled = fill(pcm, deep, held, renderer)
      if filled.error < 0 {
        let status = recover(pcm, filled.error, renderer)
        if status < 0 { return fail(status) }
        continue
      }
      lastHeld = filled.held
      switch filled.step {
      case .leave: return .left
      case .wait(let frames): wait(deep, frames)
      case .measure, .takeBack, .write: break
      }
    }
  }

  /// Takes back and writes frames as the renderer requests, until the renderer requests a ``RewriteStep`` of another
  /// kind. Returns this ``RewriteStep``, the number of frames in the device, and 0 or a negative system error number.
  @_noLocks private func fill(
    _ pcm: OpaquePointer, _ deep: DeepBuffer, _ measured: Int, _ renderer: Renderer
  ) -> (step: RewriteStep, held: Int, error: Int) {
    var held = measured
    var isFresh = true
    // Number of rendered frames in `buffer` that are not written to the device yet. Many frames are written with one
    // call, because each call of libasound reads the position of the device.
    var pending = 0
    // The pending frames are written when their number has reached this limit. After a rewind, the limit is lower for
    // the first frames, so that these frames are written before the device needs them.
    var limit = deep.writeFrames
    while true {
      let step = renderer.nextStep(held: held, isFresh: isFresh)
      if pending > 0, mustWrite(step, pending, limit) {
        let left = write(pcm, pending)
        if left.frames > 0 {
          renderer.forgetUnwritten(left.frames)
          return (.measure, held, left.error)
        }
        pending = 0
        limit = deep.writeFrames
      }
      switch step {
      case .takeBack(let frames):
        let taken = snd_pcm_rewind(pcm, snd_pcm_uframes_t(frames))
        if taken > 0 { held &-= taken }
        let missing = frames &- (taken > 0 ? taken : 0)
        if missing > 0 {
          // The device has read frames beyond the safeguard. It plays the `missing` frames unchanged, so the renderer
          // must skip these frames.
          raiseSafeguard(renderer)
          skip(missing, deep, renderer)
        }
        limit = deep.writeFrames < 256 ? deep.writeFrames : 256
      case .write(let frames):
        let room = deep.writeFrames &- pending
        let count = renderer.renderBlock(
          into: buffer + pending &* frameBytes, frames: frames < room ? frames : room)
        pending &+= count
        held &+= count
        isFresh = false
      case .measure, .wait, .leave: return (step, held, 0)
      }
    }
  }

  /// True if the `pending` frames must be written before `step`.
  @_noLocks private func mustWrite(_ step: RewriteStep, _ pending: Int, _ limit: Int) -> Bool {
    if case .write = step { return pending >= limit }
    return true
  }

  /// Writes the first `count` frames of `buffer`. Returns the number of frames that were not written, and 0 or a
  /// negative system error number.
  @_noLocks private func write(_ pcm: OpaquePointer, _ count: Int) -> (frames: Int, error: Int) {
    var done = 0
    while done < count {
      let written = snd_pcm_mmap_writei(
        pcm, buffer + done &* frameBytes, snd_pcm_uframes_t(count &- done))
      if written < 0, written != -Int(EAGAIN) { return (count &- done, written) }
      // The device has reported room for these frames. If it takes none of them, its state is unknown.
      if written <= 0 { return (count &- done, -Int(EIO)) }
      done &+= written
    }
    return (0, 0)
  }

  /// Renders `frames` frames without handing them over.
  @_noLocks private func skip(_ frames: Int, _ deep: DeepBuffer, _ renderer: Renderer) {
    var left = frames
    while left > 0 {
      let count = left < deep.writeFrames ? left : deep.writeFrames
      left &-= renderer.renderBlock(into: buffer, frames: count)
    }
  }

  @_noLocks private func raiseSafeguard(_ renderer: Renderer) {
    guard let now = deep else { return }
    var raised = now.safeguard &+ now.safeguard / 2
    if raised > now.rate / 5 { raised = now.rate / 5 }
    deep?.safeguard = raised
    renderer.setSafeguard(raised)
  }

  /// Sleeps until the device has played `frames` frames or the output thread is woken, but at most for a second.
  @_noLocks private func wait(_ deep: DeepBuffer, _ frames: Int) {
    let limit: Int64 = 1_000_000_000
    let nanoseconds = Int64(frames) &* 1_000_000_000 / Int64(deep.rate)
    let hasError = calsa_wait(
      deep.descriptors, Int32(deep.descriptorCount), nanoseconds < limit ? nanoseconds : limit)
    // `poll` can report an error of the device before a call of libasound returns this error. Without this pause, the
    // thread would loop without sleeping and leave no processor time to other threads.
    if hasError == 1 { rt_sleep_until(rt_monotonic_ns() &+ 1_000_000) }
  }
}
