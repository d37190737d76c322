internal import AudioCodecs
internal import AudioEngine
internal import CALSA

/// Negotiates the hardware and software parameters of an open PCM.
struct HardwareSetup {
  let pcm: OpaquePointer
  let name: String
  let buffering: ALSASink.Buffering
  /// True for a deep buffer that is rewritten, false for short periods.
  let isRewritten: Bool

  /// The formats in order of preference. The widest integer format is first. FLOAT is last, because only software
  /// devices support FLOAT.
  private static let formats: [(snd_pcm_format_t, DeviceSamples)] = [
    (SND_PCM_FORMAT_S32_LE, .s32), (SND_PCM_FORMAT_S24_LE, .s24),
    (SND_PCM_FORMAT_S24_3LE, .s24Packed), (SND_PCM_FORMAT_S16_LE, .s16),
    (SND_PCM_FORMAT_FLOAT_LE, .float),
  ]

  /// Sets the device up for `wanted`, or for the nearest format that the device supports.
  ///
  /// - Returns: the format of the device, and `dueRoom`. With periods, the next period is handed over when the buffer
  ///   of the device has room for `dueRoom` frames. So the device never holds more than `format.bufferFrames` frames.
  ///   With a buffer that is rewritten, `dueRoom` is the size of the buffer.
  func apply(
    _ wanted: StreamFormat
  ) throws(SinkError) -> (format: DeviceFormat, dueRoom: Int) {
    var memory: OpaquePointer?
    snd_pcm_hw_params_malloc(&memory)
    guard let hardware = memory else { throw SinkError("\(name): out of memory") }
    defer { snd_pcm_hw_params_free(hardware) }

    try begin(hardware)
    // Each choice limits the later choices. So the property with the most audible effect is chosen first: the channels.
    // Then the rate is chosen, and then the sample format, because the lowest bits of a sample are hardly ever audible.
    let unsupported = (1...8).filter {
      snd_pcm_hw_params_test_channels(pcm, hardware, UInt32($0)) != 0
    }
    let layout = try chooseLayout(hardware, wanted.layout)
    let (rate, sourceRates) = try chooseRate(hardware, wanted.sampleRate)
    let samples = try chooseSamples(hardware)
    if isRewritten {
      try chooseDeepBuffer(hardware, rate: rate, frameBytes: layout.count * samples.bytes)
    } else {
      try choosePeriodAndBuffer(hardware, rate: rate)
    }
    try check("refuses the hardware parameters", snd_pcm_hw_params(pcm, hardware))

    var period: snd_pcm_uframes_t = 0
    var buffer: snd_pcm_uframes_t = 0
    try check(
      "does not report its period", snd_pcm_hw_params_get_period_size(hardware, &period, nil))
    try check("does not report its buffer", snd_pcm_hw_params_get_buffer_size(hardware, &buffer))
    if isRewritten, snd_pcm_hw_params_is_batch(hardware) == 1 {
      throw SinkError("\(name) is a batch device")
    }
    let filling =
      isRewritten ? deepFilling(rate: rate, buffer: buffer) : periods(rate, period, buffer)
    try applySoftware(start: max(filling.start, 1), dueRoom: filling.dueRoom)
    announce(layout)
    var format = DeviceFormat(
      sampleRate: rate, layout: layout, samples: samples, periodFrames: Int(period),
      bufferFrames: Int(filling.ahead), rewritableFrames: filling.rewritable.map { Int($0) })
    format.sourceRates = sourceRates
    // Unsupported numbers of channels are mixed to stereo, or to the layout that was chosen in place of stereo.
    if layout == .stereo || unsupported.contains(wanted.layout.count) {
      format.mixedChannels = Set(unsupported)
    }
    return (format, Int(filling.dueRoom))
  }

  /// How the buffer of the device is filled, in frames.
  private struct Filling {
    /// The device starts to play when it holds this number of frames.
    let start: snd_pcm_uframes_t
    /// The device wakes the thread when it has room for this number of frames.
    let dueRoom: snd_pcm_uframes_t
    /// The largest number of frames that the device holds.
    let ahead: snd_pcm_uframes_t
    var rewritable: snd_pcm_uframes_t?
  }

  private func periods(
    _ rate: Int, _ period: snd_pcm_uframes_t, _ buffer: snd_pcm_uframes_t
  ) -> Filling {
    let ahead = framesAhead(rate: rate, period: period, buffer: buffer)
    // The device starts when it holds two periods. If the device started only with a full buffer, each recovery would
    // take longer. If fewer than two periods fit into the buffer, the device starts when it holds all whole periods
    // that fit. Only whole periods are handed over, so with a higher threshold the device would never start.
    let start = min(buffer / period * period, 2 * period)
    // The next period is handed over when the device holds `ahead - period` frames. So the device never holds more than
    // `ahead` frames. `dueRoom` is at least a period and at most the buffer.
    let dueRoom = buffer - ahead + min(period, ahead)
    return Filling(start: start, dueRoom: dueRoom, ahead: ahead)
  }

  private func deepFilling(rate: Int, buffer: snd_pcm_uframes_t) -> Filling {
    // As soon as the device plays, the thread hands over further frames faster than the device plays them. So few
    // frames are enough for the start. With `dueRoom` equal to the whole buffer, the device wakes the thread only after
    // an error. The buffer is longer than the wanted depth by a quarter of the depth. This quarter is a fifth of the
    // buffer, and is never filled with content.
    Filling(
      start: snd_pcm_uframes_t(min(512, max(64, rate / 50))), dueRoom: buffer, ahead: buffer,
      rewritable: buffer - buffer / 5)
  }

  // MARK: Hardware

  /// Limits the possible configurations to configurations without resampling and with interleaved frames.
  private func begin(_ hardware: OpaquePointer) throws(SinkError) {
    try check("has no configuration", snd_pcm_hw_params_any(pcm, hardware))
    try check(
      "cannot switch resampling off", snd_pcm_hw_params_set_rate_resample(pcm, hardware, 0))
    try check(
      "does not support interleaved frames",
      snd_pcm_hw_params_set_access(
        pcm, hardware,
        isRewritten ? SND_PCM_ACCESS_MMAP_INTERLEAVED : SND_PCM_ACCESS_RW_INTERLEAVED))
  }

  private func chooseLayout(
    _ hardware: OpaquePointer, _ wanted: ChannelLayout
  ) throws(SinkError) -> ChannelLayout {
    let count = UInt32(wanted.count)
    if snd_pcm_hw_params_test_channels(pcm, hardware, count) == 0 {
      try check("refuses \(count) channels", snd_pcm_hw_params_set_channels(pcm, hardware, count))
      return wanted
    }
    // The next choice is stereo, because the engine can mix every layout to stereo. If the device does not support
    // stereo, the channel count nearest to two is chosen.
    var other: UInt32 = 2
    try check(
      "supports no number of channels", snd_pcm_hw_params_set_channels_near(pcm, hardware, &other))
    guard (1...8).contains(other) else { throw SinkError("\(name) requires \(other) channels") }
    return other == count ? wanted : Self.standardLayout(Int(other))
  }

  /// - Returns: the rate, and the rates of tracks to which no other rate of the device is as near.
  private func chooseRate(
    _ hardware: OpaquePointer, _ wanted: Int
  ) throws(SinkError) -> (rate: Int, sources: ClosedRange<Int>) {
    var memory: OpaquePointer?
    snd_pcm_hw_params_malloc(&memory)
    guard let all = memory else { throw SinkError("\(name): out of memory") }
    defer { snd_pcm_hw_params_free(all) }
    snd_pcm_hw_params_copy(all, hardware)
    var nearest = UInt32(clamping: wanted)
    try check("supports no rate", snd_pcm_hw_params_set_rate_near(pcm, hardware, &nearest, nil))
    let rate = Int(nearest)
    let lower = otherRate(all, rate - 1, snd_pcm_hw_params_set_rate_max)
    let higher = otherRate(all, rate + 1, snd_pcm_hw_params_set_rate_min)
    let lowest = lower.map { ($0 + rate) / 2 + 1 } ?? 1
    let highest = higher.map { (rate + $0 - 1) / 2 } ?? Int(UInt32.max)
    return (rate, min(lowest, rate)...max(highest, rate))
  }

  /// The rate of the device that is nearest to `limit` and not beyond it. Nil if there is no such rate.
  private func otherRate(
    _ hardware: OpaquePointer, _ limit: Int,
    _ restrict: (
      OpaquePointer?, OpaquePointer?, UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<Int32>?
    ) -> Int32
  ) -> Int? {
    guard var rate = UInt32(exactly: limit) else { return nil }
    var memory: OpaquePointer?
    snd_pcm_hw_params_malloc(&memory)
    guard let copy = memory else { return nil }
    defer { snd_pcm_hw_params_free(copy) }
    snd_pcm_hw_params_copy(copy, hardware)
    return restrict(pcm, copy, &rate, nil) < 0 ? nil : Int(rate)
  }

  private func chooseSamples(_ hardware: OpaquePointer) throws(SinkError) -> DeviceSamples {
    guard
      let (format, samples) = Self.formats.first(where: {
        snd_pcm_hw_params_test_format(pcm, hardware, $0.0) == 0
      })
    else { throw SinkError("\(name) supports none of S32, S24, S16 and FLOAT") }
    try check("refuses the sample format", snd_pcm_hw_params_set_format(pcm, hardware, format))
    return samples
  }

  private func choosePeriodAndBuffer(
    _ hardware: OpaquePointer, rate: Int
  ) throws(SinkError) {
    var period = snd_pcm_uframes_t(buffering.periodFrames ?? (isSoundCard ? 256 : 512))
    try check(
      "supports no period", snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, nil))
    // The buffer of a sound card is twice as large as needed, and only half of it is filled. If the card plays beyond
    // the last frame, it plays silence from the other half. The buffer of a sound server is filled completely, because
    // some servers wake their client whenever one more period fits into the buffer. With a half-empty buffer, they
    // would wake the client again and again.
    var buffer = (isSoundCard ? 2 : 1) * wantedAhead(rate: rate, period: period)
    try check(
      "supports no buffer size", snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer))
  }

  /// Sets the size of the buffer to the wanted depth plus a quarter. The device plays this quarter, which contains
  /// silence, if the output thread does not run in time.
  private func chooseDeepBuffer(
    _ hardware: OpaquePointer, rate: Int, frameBytes: Int
  ) throws(SinkError) {
    // The thread computes how long the device can play, so the device need not wake the thread at each period.
    if snd_pcm_hw_params_can_disable_period_wakeup(hardware) == 1 {
      snd_pcm_hw_params_set_period_wakeup(pcm, hardware, 0)
    }
    // The depth is at least 500 ms, because a shorter buffer would hardly be longer than the safeguard.
    let depth = rate * max(500, buffering.bufferMilliseconds ?? 1000) / 1000
    var buffer = snd_pcm_uframes_t(min(depth + depth / 4, Self.deepBufferBytes / frameBytes))
    try check(
      "supports no buffer size", snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer))
    var period = buffer / 4
    try check(
      "supports no period", snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, nil))
  }

  /// The largest size of a deep buffer. With a larger buffer, a rewrite could take longer than the device needs to play
  /// the safeguard.
  private static let deepBufferBytes = 2 << 20

  /// The number of frames that the buffer of the device is to hold. The minimum is two periods, because a device that
  /// holds only one period cannot play without a gap.
  private func wantedAhead(rate: Int, period: snd_pcm_uframes_t) -> snd_pcm_uframes_t {
    guard let milliseconds = buffering.bufferMilliseconds ?? (isSoundCard ? nil : 50) else {
      return 2 * period
    }
    return max(snd_pcm_uframes_t(rate * milliseconds / 1000), 2 * period)
  }

  /// The largest number of frames that the sink keeps in the buffer of the device. On a sound card this is a whole
  /// number of periods, and at most the size of the buffer. On any other PCM it is the size of the buffer.
  private func framesAhead(
    rate: Int, period: snd_pcm_uframes_t, buffer: snd_pcm_uframes_t
  ) -> snd_pcm_uframes_t {
    guard isSoundCard else { return buffer }
    return min(wantedAhead(rate: rate, period: period) / period * period, buffer)
  }

  /// True if the PCM is a sound card of this machine. The PCM of a sound server has no card number.
  private var isSoundCard: Bool {
    var memory: OpaquePointer?
    snd_pcm_info_malloc(&memory)
    guard let info = memory else { return false }
    defer { snd_pcm_info_free(info) }
    return snd_pcm_info(pcm, info) == 0 && snd_pcm_info_get_card(info) >= 0
  }

  // MARK: Software

  /// - Parameters:
  ///   - start: the device starts to play when it holds this number of frames.
  ///   - dueRoom: the device wakes the thread when it has room for this number of frames.
  private func applySoftware(
    start: snd_pcm_uframes_t, dueRoom: snd_pcm_uframes_t
  ) throws(SinkError) {
    var memory: OpaquePointer?
    snd_pcm_sw_params_malloc(&memory)
    guard let software = memory else { throw SinkError("\(name): out of memory") }
    defer { snd_pcm_sw_params_free(software) }
    try check("has no software parameters", snd_pcm_sw_params_current(pcm, software))
    try check(
      "refuses the start threshold",
      snd_pcm_sw_params_set_start_threshold(pcm, software, start))
    try check(
      "refuses the wake-up threshold", snd_pcm_sw_params_set_avail_min(pcm, software, dueRoom))
    if isSoundCard { playSilenceAfterEnd(software) }
    // Makes the device report times of the monotonic clock. These times are needed only after a suspend of the device,
    // so an error is ignored.
    snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)
    try check("refuses the software parameters", snd_pcm_sw_params(pcm, software))
  }

  /// Makes the card play silence after the last frame. Without this setting, the card plays old frames of its buffer
  /// until the driver detects the xrun. Drivers that do not support the setting keep their default.
  private func playSilenceAfterEnd(_ software: OpaquePointer) {
    var boundary: snd_pcm_uframes_t = 0
    guard snd_pcm_sw_params_get_boundary(software, &boundary) == 0 else { return }
    snd_pcm_sw_params_set_silence_threshold(pcm, software, 0)
    snd_pcm_sw_params_set_silence_size(pcm, software, boundary)
  }

  // MARK: Channels

  /// Sets the channel map of the device. Most devices do not accept a channel map. These devices use ALSA's order, and
  /// the channels of the frames are in this order already.
  private func announce(_ layout: ChannelLayout) {
    guard layout.count > 2 else { return }
    let map = UnsafeMutablePointer<UInt32>.allocate(capacity: layout.count + 1)
    defer { map.deallocate() }
    map[0] = UInt32(layout.count)
    for (index, position) in layout.positions.enumerated() {
      map[index + 1] = snd_pcm_chmap_from_string(position.alsaName)
    }
    map.withMemoryRebound(to: snd_pcm_chmap_t.self, capacity: 1) { map in
      _ = snd_pcm_set_chmap(pcm, map)
    }
  }

  /// The layouts of the kernel's `snd_pcm_std_chmaps`. This table has no layout for 3, 5 or 7 channels. For these
  /// counts, the last channel of the next larger layout is left out.
  private static func standardLayout(_ channels: Int) -> ChannelLayout {
    let order: [ChannelPosition] = [
      .frontLeft, .frontRight, .rearLeft, .rearRight, .frontCenter, .lowFrequency, .sideLeft,
      .sideRight,
    ]
    return channels == 1 ? .mono : ChannelLayout(Array(order.prefix(channels)))
  }

  private func check(_ what: String, _ status: Int32) throws(SinkError) {
    if status < 0 { throw ALSASink.error(name, what, status) }
  }
}
