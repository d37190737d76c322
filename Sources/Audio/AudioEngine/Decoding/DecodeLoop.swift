internal import AudioCodecs
internal import Synchronization
internal import Threads

/// The work of the decode thread: keeps the ring full of frames in the device's rate and channels.
///
/// Commands arrive from the control thread, and the ring carries the frames to the output thread. This loop opens
/// files, decodes, seeks, resamples and mixes down. It can block when it reads a file. It never uses the device. It
/// cannot change frames that are already in the ring. It can only request that the renderer drops these frames. The
/// thread calls ``step()`` in a loop. Tests call ``step()`` directly.
final class DecodeLoop {
  enum Step {
    case worked
    /// Nothing can be done until `decodeWake` is signalled, or a descriptor of ``awaited`` can be read.
    case waits
  }

  /// What is decoded.
  enum Content {
    case nothing
    /// This track. If a device is requested, the track waits for the device.
    case track(OpenTrack)
    /// This track, as soon as the frames before it are written to the ring. The frames before it have another format.
    case next(OpenTrack)
    /// Nothing, because the track with this number has ended or cannot be opened. The control thread has not said yet
    /// which track follows.
    case ended(id: Int)
    /// Nothing. The stream ends as soon as the frames of the track with this number are written.
    case ending(after: Int)
  }

  let exchange: EngineExchange
  private var content = Content.nothing
  var output: RequestedDevice
  var input: RingInput
  var chain: ConversionChain?
  /// The track and the time from which the frames in the ring come.
  private var ringTracks = RingTracks()
  private var lastToken = 0
  /// The device and the conversion that were reported to the control thread last.
  private var announced: (device: DeviceFormat, conversion: String?)?
  /// The id of the track for which the control thread was asked what follows this track. Nil if it was not asked.
  private var askedAfter: Int?
  /// The descriptors for which the decoder of the track waits. Empty if the last step did not end at such a decoder.
  private(set) var awaited: [Int32] = []

  init(
    ring: FrameRing, streamEvents: StreamEventRing, exchange: EngineExchange, sink: any AudioSink,
    fixed: StreamFormat? = nil
  ) {
    self.exchange = exchange
    output = RequestedDevice(exchange: exchange, sink: sink, fixed: fixed)
    input = RingInput(ring: ring, streamEvents: streamEvents, exchange: exchange, sink: sink)
  }

  /// The format of the frames in the ring. Nil if there is no device.
  var device: DeviceFormat? { output.format }

  /// Number of device setups so far. Frames that were converted for an earlier setup must not be written.
  var deviceCount: Int { output.count }

  /// Does one piece of work: handles a command, decodes a packet or writes frames.
  func step() -> Step {
    awaited = []
    let result = work()
    if result == .waits { input.wakeWaitingReader() }
    return result
  }

  private func work() -> Step {
    // This check must be first. After a change of the device, the output reads no frames until this loop requests a
    // device again. So a wait for room in the ring would never end.
    if exchange.takeDeviceChange() {
      startOver()
      return .worked
    }
    if output.isRequested {
      // A new command withdraws the request, because a device that cannot be opened must not block the command.
      guard exchange.hasCommand, output.withdraw() else {
        return input.flushEvents() ? receiveDevice() : .waits
      }
    }
    if let command = exchange.takeCommand() {
      input.command = command.number
      perform(command.action)
      return .worked
    }
    guard input.flushEvents() else { return .waits }
    if input.hasFrames { return input.write(channels: device?.layout.count ?? 2) }
    if let converted = chain?.next() {
      input.setFrames(converted)
      return .worked
    }
    switch content {
    case .nothing: return .waits
    case .track(let track): return decode(track)
    case .next(let track): begin(track)
    case .ended(let id): return continueAfterEnd(of: id)
    case .ending(let id):
      content = .nothing
      reportEnd(after: id)
    }
    return .worked
  }

  // MARK: Commands

  func perform(_ action: EngineExchange.Command.Action) {
    discardFrames()
    exchange.attach(nil)
    askedAfter = nil
    var current: OpenTrack?
    if case .track(let track) = content { current = track }
    content = .nothing
    switch action {
    case .stop:
      exchange.forgetUpcoming()
      reportEnd(after: current?.id ?? 0)
    case .play(let request, let seconds):
      if let current, current.id == request.id {
        // The control thread ignores events of older commands, so send it the event `opened` again.
        post(.opened(id: current.id, current.description))
        return play(current, from: seconds)
      }
      // The file of the current track is closed before the next file is opened.
      current = nil
      guard let opened = open(request) else { return advance(after: request.id) }
      if seconds > 0 { play(opened, from: seconds) } else { begin(opened) }
    }
  }

  private func play(_ track: OpenTrack, from seconds: Double) {
    var track = track
    do throws(DecodeError) {
      try track.seek(to: seconds)
    } catch {
      postFailure(track.request, error)
      return advance(after: track.id)
    }
    begin(track)
  }

  /// Discards the frames in the ring, and the frames that were not written to the ring yet.
  private func discardFrames() {
    chain = nil
    ringTracks.removeAll()
    input.discard()
  }

  private func open(_ request: TrackRequest) -> OpenTrack? {
    do throws(DecodeError) {
      let opened = try request.open()
      post(.opened(id: request.id, opened.description))
      return OpenTrack(request, opened)
    } catch {
      postFailure(request, error)
      return nil
    }
  }

  // MARK: Tracks

  /// Makes `track` the current track. Requests a new setup of the device if the format of the track does not fit the
  /// device.
  func begin(_ track: OpenTrack) {
    content = .track(track)
    if askedAfter != track.id {
      askedAfter = track.id
      post(.needsUpcoming(after: track.id))
    }
    if let device = output.format(for: track.format) {
      start(track, on: device)
    } else {
      output.request(track.format, after: &input)
    }
  }

  /// Begins a segment with the next frame of `track`. The device must have the right format.
  func start(_ track: OpenTrack, on device: DeviceFormat) {
    if chain?.fits(track.format, device, variesRate: track.live != nil) != true {
      do throws(DecodeError) {
        chain = try ConversionChain(
          from: track.format, to: device, variesRate: track.live != nil)
      } catch {
        postFailure(track.request, error)
        return advance(after: track.id)
      }
    }
    exchange.attach(track.live?.input)
    let conversion = chain?.summary
    if announced?.device != device || announced?.conversion != conversion {
      announced = (device, conversion)
      exchange.post(.deviceOpened(device, conversion: conversion))
    }
    var track = track
    startSegment(&track)
    content = .track(track)
  }

  private func startSegment(_ track: inout OpenTrack) {
    guard let chain, let device else { return }
    lastToken += 1
    let position = input.writePosition + chain.framesBehind
    ringTracks.add(track.segmentTime, at: position, readPosition: input.readPosition)
    exchange.add(track.beginSegment(sampleRate: device.sampleRate), token: lastToken)
    input.push(
      StreamEvent(
        kind: .segment, position: position, token: lastToken,
        source: chain.output(of: track.format), isLive: track.live != nil, gain: track.gain()))
  }

  /// Call this if the track `id` has ended or could not be opened. Asks the control thread which track follows.
  func advance(after id: Int) {
    if askedAfter != id {
      askedAfter = id
      exchange.forgetUpcoming()
      post(.needsUpcoming(after: id))
    }
    content = .ended(id: id)
  }

  /// Continues with the upcoming track. Waits if this track is not known yet.
  private func continueAfterEnd(of id: Int) -> Step {
    switch exchange.takeUpcoming() {
    case .unknown:
      return .waits
    case .nothing:
      drainChain()
      content = .ending(after: id)
    case .track(let request):
      guard let next = open(request) else {
        advance(after: request.id)
        return .worked
      }
      if let device = output.format(for: next.format),
        chain?.fits(next.format, device, variesRate: next.live != nil) == true
      {
        begin(next)
      } else {
        drainChain()
        content = .next(next)
      }
    }
    return .worked
  }

  /// Takes the last frames from the resampler, to write them next.
  private func drainChain() {
    input.setFrames(chain?.drain(), keeping: chain)
    chain = nil
  }

  // MARK: Frames

  func decode(_ current: OpenTrack) -> Step {
    var track = current
    if let live = track.live { prepare(live, &track) }
    do throws(DecodeError) {
      switch try track.decoder.next() {
      case .frames(let block):
        if track.receive(block) { startSegment(&track) }
        if let samples = block.samples, block.frameCount > 0 {
          chain?.feed(samples, frames: block.frameCount)
        }
      case .formatChanged(let format):
        // The part in the new format is treated like the next track.
        track.change(to: format)
        drainChain()
        content = .next(track)
        return .worked
      case .metadataChanged(let metadata):
        track.change(to: metadata)
        startSegment(&track)
      case .skipped(let error):
        if track.damageCount < Self.reportedDamage { post(.damaged(id: track.id, error)) }
        track.damageCount += 1
      case .working:
        break
      case .waiting(let descriptors):
        content = .track(track)
        awaited = descriptors
        return .waits
      case .end:
        if !track.hasSound, track.startSeconds == 0 {
          postFailure(
            track.request, DecodeError(.endTrack, at: .frame(0), "the file contains no sound"))
        }
        finish(track)
        return .worked
      }
    } catch {
      postFailure(track.request, error)
      finish(track)
      return .worked
    }
    content = .track(track)
    return .worked
  }

  /// Call this before the next frames of a live input are taken.
  private func prepare(_ live: LiveDecoder, _ track: inout OpenTrack) {
    let written = input.writePosition
    live.progress = LiveProgress(written: written, end: written + (chain?.framesBehind ?? 0))
    if chain?.setRatio(live.input.ratio) == true {
      // A new segment tells the renderer the new coding of the frames.
      track.continueSegment()
      startSegment(&track)
    }
  }

  private func finish(_ track: OpenTrack) {
    if track.damageCount > Self.reportedDamage {
      post(.moreDamage(id: track.id, count: track.damageCount - Self.reportedDamage))
    }
    if track.hasSound { post(.decoded(id: track.id)) }
    advance(after: track.id)
  }

  // MARK: The device

  private func receiveDevice() -> Step {
    guard let answer = output.takeAnswer() else {
      // While a new command waits, the renderer outputs no frames. But it must reach the event that requests the
      // device. So discard the frames before this event.
      if exchange.hasCommand { input.discardWritten() }
      return .waits
    }
    if case .track(let track) = content { start(track, on: answer) }
    return .worked
  }

  /// Requests a device for an overlay, if there is no device yet.
  func requestMissingDevice(_ format: StreamFormat) {
    if output.isMissing { output.request(format, after: &input) }
  }

  /// Called after the device was lost, if the frames in the ring do not fit the new device. Frames that were not handed
  /// over yet are decoded again after the new device is set up.
  private func startOver() {
    let position = input.readPosition
    let time = device.flatMap { ringTracks.time(at: position, sampleRate: $0.sampleRate) }
    let isAllHandedOver = position == input.writePosition && !input.hasFrames
    let lost = output
    output.forget()
    if lost.isRequested, case .track(let waiting) = content, isAllHandedOver || time == nil {
      // The track `waiting` waits for a device, and its device request was removed. Request a device for this track
      // again, and discard all frames in the ring.
      discardFrames()
      begin(waiting)
    } else if let time, !(isAllHandedOver && isOver) {
      // The decode thread can already have taken the upcoming track. So the control thread must be asked for this track
      // again.
      exchange.forgetUpcoming()
      perform(.play(time.request, seconds: time.seconds))
    } else if let format = lost.request {
      // No content is left to play. But perhaps the output has not reached the end event yet, and it needs a device to
      // reach this event.
      output.request(format, after: &input)
    }
  }

  /// True if no further frames will be written.
  private var isOver: Bool {
    if case .nothing = content { true } else { false }
  }

  // MARK: Reports

  /// The number of damaged parts of one track that are reported one by one. Further damaged parts are only counted,
  /// because a hostile file can have one in each packet.
  private static let reportedDamage = 20

  private func post(_ event: EngineEvent) { exchange.post(event, command: input.command) }

  private func postFailure(_ request: TrackRequest, _ error: DecodeError) {
    post(.failed(id: request.id, error, isGone: request.isGone()))
  }

  private func reportEnd(after id: Int) {
    if device == nil {
      // Without a device, the output thread would not reach an end event. So report the end directly.
      post(.ended(after: id))
    } else {
      input.push(StreamEvent(kind: .end, position: input.writePosition, token: id))
    }
  }
}
