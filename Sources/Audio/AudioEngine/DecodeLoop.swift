internal import AudioCodecs
internal import Synchronization
internal import Threads

/// The work of the decode thread: keeps the ring full of frames in the device's rate and channels.
///
/// Commands arrive from the control thread, and the ring carries the frames to the output thread.
/// This loop opens files, decodes, seeks, resamples and mixes down. It may block when it reads a
/// file. It never uses the device. It cannot change frames that are already in the ring; it can
/// only request that the renderer drops them. The thread calls ``step()`` in a loop. Tests call
/// ``step()`` directly.
final class DecodeLoop {
  enum Step {
    case worked
    /// Nothing can be done until `decodeWake` is signalled.
    case waits
  }

  private struct Track {
    let request: TrackRequest
    var id: Int { request.id }
    let decoder: any AudioDecoder
    let description: TrackDescription
    let gain: Float
    var format: StreamFormat
    /// The position that the next frame should have. If the next frame has another position,
    /// because of a gap or a seek, a new segment begins.
    var expected: Int64
    /// True after the decoder has returned frames.
    var hasSound = false
    /// The time of the next segment's first frame, in seconds.
    var startSeconds: Double
    /// New tags, for the next segment.
    var newMetadata: AudioMetadata?
    var reportedFormat: StreamFormat
    /// Number of damaged places so far.
    var damageCount = 0
  }

  /// The number of damaged places in one track that are reported one by one. Further places are
  /// only counted, because a hostile file can have one in each packet.
  private static let reportedDamage = 20

  private let ring: FrameRing
  private let streamEvents: StreamEventRing
  private let exchange: EngineExchange
  private let sink: any AudioSink

  private var track: Track?
  /// The next track. It is already open while the chain of the previous track is drained.
  private var following: Track?
  private var lastToken = 0
  /// The track and the time from which the frames in the ring come.
  private var places = RingPlaces()
  /// Number of the current command.
  private var command = 0
  /// Number of times that the frames in the ring were discarded.
  private var epoch = 0
  private(set) var device: DeviceFormat?
  /// Number of device setups so far. Frames that were converted for an earlier setup are void.
  private(set) var deviceCount = 0
  /// The format with which the device was requested.
  private var deviceRequest: StreamFormat?
  private var awaitsDevice = false
  private var chain: ConversionChain?
  /// Frames that wait for room in the ring. The chain or the decoder owns their memory.
  private var pending: (frames: UnsafeRawPointer, count: Int)?
  /// Keeps a drained chain alive while `pending` points to its last frames.
  private var drained: ConversionChain?
  private var pendingEvents: [StreamEvent] = []
  /// The track that has ended; nil as soon as the control thread has answered which track follows.
  private var endedID: Int?
  /// True if the stream ends as soon as the pending frames are written.
  private var endsAfterPending = false
  /// The last track before the end of the stream.
  private var lastEndedID = 0
  private var announced: (device: DeviceFormat, conversion: String?)?
  private var askedAfter: Int?

  /// The device format for all tracks; nil if the device follows the format of each track.
  private let fixed: StreamFormat?

  init(
    ring: FrameRing, streamEvents: StreamEventRing, exchange: EngineExchange, sink: any AudioSink,
    fixed: StreamFormat? = nil
  ) {
    self.fixed = fixed
    self.ring = ring
    self.streamEvents = streamEvents
    self.exchange = exchange
    self.sink = sink
  }

  /// Does one piece of work: handles a command, decodes a packet or writes frames.
  func step() -> Step {
    let result = work()
    if result == .waits, ring.takeReaderWakeRequest(always: true) { wakeOutput() }
    return result
  }

  private func work() -> Step {
    // This check is first. After a change of the device, the output reads no frames until this loop
    // requests a device again. So a wait for room in the ring would never end.
    if exchange.takeDeviceChange() {
      startOver()
      return .worked
    }
    if awaitsDevice, exchange.hasCommand, exchange.withdrawDeviceRequest() {
      // A device that cannot be opened as requested must not block a new command.
      awaitsDevice = false
      device = nil
      deviceRequest = nil
    }
    if !awaitsDevice, let command = exchange.takeCommand() {
      handle(command)
      return .worked
    }
    if !flushEvents() { return .waits }
    if awaitsDevice { return takeDevice() }
    if let pending { return write(pending) }
    if let converted = chain?.next() {
      pending = converted
      return .worked
    }
    if let next = following {
      following = nil
      begin(next)
      return .worked
    }
    if endsAfterPending {
      reportEnd()
      return .worked
    }
    if endedID != nil { return continueAfterEnd() }
    guard track != nil else { return .waits }
    return decode()
  }

  private func takeDevice() -> Step {
    guard let answer = exchange.takeDeviceAnswer() else {
      // While a new command waits, the renderer outputs no frames. But it must reach the event that
      // requests the device. So discard the frames before this event.
      if exchange.hasCommand {
        ring.discardWritten(epoch: epoch, command: command)
        wakeOutput()
      }
      return .waits
    }
    awaitsDevice = false
    device = answer
    deviceCount = exchange.devices
    startChain()
    return .worked
  }

  private func write(_ frames: (frames: UnsafeRawPointer, count: Int)) -> Step {
    let written = ring.write(frames.frames, count: frames.count)
    if written == 0 { return ring.waitForRoom() ? .waits : .worked }
    if ring.takeReaderWakeRequest(always: false) { wakeOutput() }
    let bytes = written * 4 * (device?.layout.count ?? 2)
    pending = written < frames.count ? (frames.frames + bytes, frames.count - written) : nil
    return .worked
  }

  private func reportEnd() {
    endsAfterPending = false
    if device == nil {
      // Without a device, the output thread would not reach an end event. So report the end
      // directly.
      post(.ended(after: lastEndedID))
    } else {
      push(StreamEvent(kind: .end, position: ring.writePosition, token: lastEndedID))
    }
  }

  // MARK: Commands

  private func handle(_ command: EngineExchange.Command) {
    self.command = command.number
    perform(command.action)
  }

  private func perform(_ action: EngineExchange.Command.Action) {
    discardFrames()
    following = nil
    askedAfter = nil
    endedID = nil
    endsAfterPending = false
    switch action {
    case .stop:
      lastEndedID = track?.id ?? 0
      track = nil
      exchange.forgetUpcoming()
      reportEnd()
    case .play(let request, let seconds):
      if var same = track, same.id == request.id {
        track = nil
        // The control thread ignores events of older commands, so send it the event `opened` again.
        post(.opened(id: same.id, same.description))
        if seek(&same, to: seconds) { begin(same) } else { advance(after: same.id) }
        return
      }
      track = nil
      guard var opened = open(request) else { return advance(after: request.id) }
      if seconds > 0, !seek(&opened, to: seconds) { return advance(after: request.id) }
      begin(opened)
    }
  }

  /// Discards the frames in the ring, and the frames that were not written to the ring yet.
  private func discardFrames() {
    epoch += 1
    pendingEvents = []
    pending = nil
    chain = nil
    places.removeAll()
    ring.discardWritten(epoch: epoch, command: command)
    wakeOutput()
  }

  private func open(_ request: TrackRequest) -> Track? {
    do {
      let opened = try request.open()
      post(.opened(id: request.id, opened.description))
      return Track(
        request: request, decoder: opened.decoder, description: opened.description,
        gain: opened.gain,
        format: opened.decoder.format, expected: 0, startSeconds: 0,
        reportedFormat: opened.decoder.format)
    } catch {
      postFailure(request, error)
      return nil
    }
  }

  private func postFailure(_ request: TrackRequest, _ error: DecodeError) {
    post(.failed(id: request.id, error, isGone: request.isGone()))
  }

  private func seek(_ track: inout Track, to seconds: Double) -> Bool {
    do {
      let frame = track.decoder.frame(atSeconds: max(0, seconds))
      try track.decoder.seek(to: frame)
      track.format = track.decoder.format
      track.expected = frame
      track.startSeconds = track.decoder.seconds(atFrame: frame)
      return true
    } catch {
      postFailure(track.request, error)
      return false
    }
  }

  // MARK: Tracks

  /// Makes `next` the current track. Requests a new setup of the device if the format of the track
  /// does not fit the device.
  private func begin(_ next: Track) {
    track = next
    askUpcoming()
    if fitsDevice(next.format) { startChain() } else { requestDevice(next.format) }
  }

  private func fitsDevice(_ format: StreamFormat) -> Bool {
    guard let deviceRequest, device != nil else { return false }
    return sink.accepts(fixed ?? format, openedFor: deviceRequest)
  }

  /// Requests a device for an overlay, if there is no device yet.
  func requestMissingDevice(_ format: StreamFormat) {
    if device == nil, !awaitsDevice { requestDevice(format) }
  }

  private func requestDevice(_ wanted: StreamFormat) {
    let format = fixed ?? wanted
    deviceRequest = format
    awaitsDevice = true
    // Push the event before the request: the output thread removes the event when it takes the
    // request.
    push(StreamEvent(kind: .reconfigure, position: ring.writePosition))
    exchange.requestDevice(format)
  }

  /// Called after the device was lost, if the frames in the ring do not fit the new device. Frames
  /// that were not handed over yet are decoded again after the new device is set up.
  private func startOver() {
    let position = ring.readPosition
    let place = device.flatMap { places.place(at: position, sampleRate: $0.sampleRate) }
    let isAllHandedOver = position == ring.writePosition && pending == nil
    let waiting = awaitsDevice ? track : nil
    let lastRequest = deviceRequest
    device = nil
    deviceRequest = nil
    awaitsDevice = false
    if let waiting, isAllHandedOver || place == nil {
      // This track waits for a device, and its device request is void now. Request a device for it
      // again, and discard all frames in the ring.
      discardFrames()
      begin(waiting)
    } else if let place, !(isAllHandedOver && isOver) {
      // The decode thread may have taken the upcoming track already. So ask the control thread for
      // it again.
      exchange.forgetUpcoming()
      perform(.play(place.request, seconds: place.seconds))
    } else if let lastRequest {
      // No content is left to play. But perhaps the output has not reached the end event yet. It
      // needs a device to reach this event.
      requestDevice(lastRequest)
    }
  }

  /// True if no more frames will be written.
  private var isOver: Bool {
    track == nil && following == nil && endedID == nil && !endsAfterPending
  }

  /// Call this when the device has the right format. The next frame of the track begins a segment.
  private func startChain() {
    guard let track, let device else { return }
    if chain?.fits(track.format, device) != true {
      do {
        chain = try ConversionChain(from: track.format, to: device)
      } catch {
        postFailure(track.request, error)
        return advance(after: track.id)
      }
    }
    let conversion = chain?.summary
    if announced?.device != device || announced?.conversion != conversion {
      announced = (device, conversion)
      exchange.post(.deviceOpened(device, conversion: conversion))
    }
    startSegment()
  }

  private func startSegment() {
    guard let track, let chain, let device else { return }
    lastToken += 1
    let position = ring.writePosition + chain.framesBehind
    places.add(
      RingPlaces.Place(request: track.request, seconds: track.startSeconds), at: position,
      readPosition: ring.readPosition)
    exchange.add(
      Segment(
        trackID: track.id, startSeconds: track.startSeconds, sampleRate: device.sampleRate,
        metadata: track.newMetadata,
        format: track.format == track.reportedFormat ? nil : track.format),
      token: lastToken)
    self.track?.newMetadata = nil
    self.track?.reportedFormat = track.format
    push(
      StreamEvent(
        kind: .segment, position: position, token: lastToken,
        source: chain.output(of: track.format), gain: track.gain))
  }

  private func askUpcoming() {
    guard let track, askedAfter != track.id else { return }
    askedAfter = track.id
    post(.needsUpcoming(after: track.id))
  }

  /// Call this if the track `id` has ended or could not be opened. Asks the control thread which
  /// track follows.
  private func advance(after id: Int) {
    if askedAfter != id {
      askedAfter = id
      exchange.forgetUpcoming()
      post(.needsUpcoming(after: id))
    }
    endedID = id
    track = nil
  }

  /// Continues with the upcoming track. Waits if this track is not known yet.
  private func continueAfterEnd() -> Step {
    switch exchange.takeUpcoming() {
    case .unknown:
      return .waits
    case .nothing:
      lastEndedID = endedID ?? 0
      endedID = nil
      drainChain()
      endsAfterPending = true
      return .worked
    case .track(let request):
      endedID = nil
      guard let next = open(request) else {
        advance(after: request.id)
        return .worked
      }
      if let device, let chain, chain.fits(next.format, device), fitsDevice(next.format) {
        begin(next)
      } else {
        drainChain()
        following = next
      }
      return .worked
    }
  }

  /// Gets the last frames out of the resampler.
  private func drainChain() {
    pending = chain?.drain()
    drained = chain
    chain = nil
  }

  // MARK: Frames

  private func decode() -> Step {
    guard let current = track else { return .waits }
    do {
      switch try current.decoder.next() {
      case .frames(let block):
        if block.position != current.expected {
          track?.startSeconds = current.decoder.seconds(atFrame: block.position)
          startSegment()
        }
        track?.expected = block.position + Int64(block.frameCount)
        track?.hasSound = true
        if let samples = block.samples, block.frameCount > 0 {
          chain?.feed(samples, frames: block.frameCount)
        }
      case .formatChanged(let format):
        changeFormat(current, format)
      case .metadataChanged(let metadata):
        // New tags are reported when the first frame for which they are valid is handed over. So
        // begin a new segment, which contains the new tags.
        track?.newMetadata = metadata
        track?.startSeconds = current.decoder.seconds(atFrame: current.expected)
        startSegment()
      case .skipped(let error):
        track?.damageCount += 1
        if current.damageCount < Self.reportedDamage { post(.damaged(id: current.id, error)) }
      case .working:
        break
      case .end:
        if !current.hasSound, current.startSeconds == 0 {
          postFailure(
            current.request, DecodeError(.endTrack, at: .frame(0), "the file contains no sound"))
        }
        finish(current)
      }
    } catch {
      postFailure(current.request, error)
      finish(current)
    }
    return .worked
  }

  private func finish(_ track: Track) {
    if track.damageCount > Self.reportedDamage {
      post(.moreDamage(id: track.id, places: track.damageCount - Self.reportedDamage))
    }
    if track.hasSound { post(.decoded(id: track.id)) }
    advance(after: track.id)
  }

  /// Continues the same track in another format. The part in the new format is treated like the
  /// next track.
  private func changeFormat(_ current: Track, _ format: StreamFormat) {
    var next = current
    next.format = format
    next.startSeconds = current.decoder.seconds(atFrame: current.expected)
    drainChain()
    track = nil
    following = next
  }

  /// Wakes the output thread, which may be waiting for frames or resting.
  private func wakeOutput() {
    sink.dataWake?.signal()
    exchange.outputWake.signal()
  }

  // MARK: Reporting

  private func post(_ event: EngineEvent) { exchange.post(event, command: command) }

  private func push(_ event: StreamEvent) {
    var event = event
    event.epoch = epoch
    event.command = command
    pendingEvents.append(event)
    _ = flushEvents()
  }

  /// True if all pending events are in the ring.
  private func flushEvents() -> Bool {
    while let event = pendingEvents.first {
      guard streamEvents.push(event) else { return false }
      pendingEvents.removeFirst()
      wakeOutput()
    }
    return true
  }
}
