internal import AudioCodecs
internal import AudioEngine
internal import CALSA
internal import CRealtime
internal import Glibc

// A deep buffer that is rewritten when the sound changes.
extension ALSASink {
  /// True if the device is set up for a buffer that is rewritten.
  var isRewritten: Bool {
    @_noLocks get { deep != nil }
  }

  // MARK: Above the real-time line

  /// Sets the device up. Uses a buffer that is rewritten if the configuration permits this and the device passes the
  /// test, otherwise periods.
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

  /// The step at this rate. The step of the test is for ``testRate``.
  private static func step(_ test: DeviceFormat.CardTest, rate: Int) -> Int {
    max(test.step, test.step * rate / testRate)
  }

  /// Steps are saved for this rate, in frames per second. Some cards move in steps of a certain time, others in steps
  /// of a number of frames.
  private static let testRate = 48000

  private func setUpPeriods(
    _ pcm: OpaquePointer, _ wanted: StreamFormat, _ reason: DeviceFormat.PeriodsReason
  ) throws(SinkError) -> (format: DeviceFormat, dueRoom: Int) {
    let setup = HardwareSetup(pcm: pcm, name: device, buffering: buffering, isRewritten: false)
    var (format, room) = try setup.apply(wanted)
    format.periodsReason = reason
    return (format, room)
  }

  /// Why the device is filled by periods; nil if it may be possible to rewrite its buffer.
  private func reasonForPeriods(_ pcm: OpaquePointer) -> DeviceFormat.PeriodsReason? {
    switch buffering.latency {
    case .periods: .configured
    case .rewind: nil
    case .auto: snd_pcm_type(pcm) == SND_PCM_TYPE_HW ? nil : .noSoundCard
    }
  }

  /// Tests the device once for each card and driver. Returns nil if the test has no result; then the next opening
  /// repeats it.
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

  /// The driver and the name of the card; nil if the PCM has no card.
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

  /// Takes the silence back that follows the last content, so that closing need not wait for it.
  func takeBackSilence(_ pcm: OpaquePointer) {
    guard let deep else { return }
    let room = snd_pcm_avail(pcm)
    let held = room < 0 ? 0 : deep.bufferFrames - room
    if held > deep.safeguard {
      snd_pcm_rewind(pcm, snd_pcm_uframes_t(held - deep.safeguard))
    }
  }

  // MARK: Below the real-time line

  /// The time up to which a suspended device was heard: the monotonic clock, in nanoseconds. The time at which the
  /// device was last asked may be much earlier, and the suspend may have lasted for hours. 0 if the driver does not say
  /// when it stopped.
  @_noLocks func stopTime(_ pcm: OpaquePointer) -> Int64 {
    guard let deep else { return 0 }
    if snd_pcm_status(pcm, deep.status) < 0 { return 0 }
    var time = snd_htimestamp_t()
    snd_pcm_status_get_trigger_htstamp(deep.status, &time)
    // A card forgets the frames that it has read and not played. In QEMU's HDA these last for 3.6 … 5.3 ms. To hear 20
    // ms twice is better than to lose them.
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) &- 20_000_000
  }

  /// See ``AudioSink/run(_:)``.
  @_noLocks func rewrite(_ pcm: OpaquePointer, _ renderer: Renderer) -> SinkExit {
    guard let deep else { return .failed(EBADFD) }
    deep.descriptors[0].fd = renderer.outputWake
    renderer.setSafeguard(deep.safeguard)
    // Number of frames that the device held after the last filling, and the time of the last progress.
    var lastHeld = -1
    var lastProgress = rt_monotonic_ns()
    while true {
      let room = snd_pcm_avail(pcm)
      if room < 0 {
        let status = recover(pcm, room, renderer)
        if status < 0 { return fail(status) }
        // A device that runs dry directly after each start makes no progress.
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
      // After a stop the loop waits for a fade, and not for a device that has hung.
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

  /// Takes frames back and writes frames until the device needs no more. Returns the step that follows, the number of
  /// frames that the device holds, and 0 or a negative system error number.
  @_noLocks private func fill(
    _ pcm: OpaquePointer, _ deep: DeepBuffer, _ measured: Int, _ renderer: Renderer
  ) -> (step: RewriteStep, held: Int, error: Int) {
    var held = measured
    var isFresh = true
    // Number of frames in `buffer` that are not written yet. They are written together, because each call of libasound
    // asks the device for its position.
    var pending = 0
    // After frames were taken back, the first frames are written soon, before the device needs them.
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
          // The device was faster than the safeguard. It plays these frames as they were.
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

  /// Writes `count` frames of the buffer. Returns the number of frames that were not written, and the reason.
  @_noLocks private func write(_ pcm: OpaquePointer, _ count: Int) -> (frames: Int, error: Int) {
    var done = 0
    while done < count {
      let written = snd_pcm_mmap_writei(
        pcm, buffer + done &* frameBytes, snd_pcm_uframes_t(count &- done))
      if written < 0, written != -Int(EAGAIN) { return (count &- done, written) }
      // The device has said that it has room. If it takes nothing, its state is unknown.
      if written <= 0 { return (count &- done, -Int(EIO)) }
      done &+= written
    }
    return (0, 0)
  }

  /// Renders frames that are not handed over.
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

  /// Sleeps until the device has played `frames` frames, or the output thread is woken.
  @_noLocks private func wait(_ deep: DeepBuffer, _ frames: Int) {
    let limit: Int64 = 1_000_000_000
    let nanoseconds = Int64(frames) &* 1_000_000_000 / Int64(deep.rate)
    let hasError = calsa_wait(
      deep.descriptors, Int32(deep.descriptorCount), nanoseconds < limit ? nanoseconds : limit)
    // A device may report an error here before it returns the error. Without this pause the thread would leave no
    // processor time to other threads.
    if hasError == 1 { rt_sleep_until(rt_monotonic_ns() &+ 1_000_000) }
  }
}
