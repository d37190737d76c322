internal import AudioCodecs
internal import Threads

/// The decode thread's second task: decodes the chime or prompt that sounds over the music, and writes its frames to
/// the ring of the ``OverlayMixer``.
///
/// A newer overlay replaces an older one. A chime is mixed into a prompt of a phone, see ``MixedTrack``. If the device
/// is set up again for the music, the overlay continues at the position where it was interrupted.
final class OverlayLoop {
  private struct Overlay {
    let command: EngineExchange.OverlayCommand
    let id: Int
    let decoder: any AudioDecoder
    let description: TrackDescription
    /// Time of the frame at `startPosition`, from the start of the overlay.
    var startSeconds = 0.0
    /// Ring position of the overlay's first frame.
    var startPosition = 0
    /// True if the event that starts the overlay was written.
    var isStartSent = false
    /// True if all frames of the overlay are converted. All these frames are in the ring, except the frames in
    /// `pending`.
    var isComplete = false

    var live: LiveInput? { (decoder as? LiveDecoder)?.input }
  }

  private let mixer: OverlayMixer
  private let exchange: EngineExchange
  private var overlay: Overlay?
  /// The chime that sounds together with ``overlay``, which is live.
  private var mixed: MixedTrack?
  private let mixScratch = FloatScratch()
  private var epoch = 0
  private var chain: ConversionChain?
  private var device: DeviceFormat?
  private var deviceCount = 0
  private let scratch = FloatScratch()
  private var pending: (frames: UnsafeRawPointer, count: Int)?
  private var pendingEvents: [StreamEvent] = []

  init(mixer: OverlayMixer, exchange: EngineExchange) {
    self.mixer = mixer
    self.exchange = exchange
  }

  /// Does one piece of work. After a device setup, does nothing until `decode` has taken the new device.
  func step(beside decode: DecodeLoop) -> DecodeLoop.Step {
    if let command = exchange.takeOverlay() {
      handle(command)
      return .worked
    }
    closeFinished()
    guard let current = overlay else { return flushEvents() }
    guard let device = decode.device else {
      // A waiting command can start music. In this case the music determines the format of the device.
      if !exchange.hasCommand { decode.requestMissingDevice(current.description.format) }
      return .waits
    }
    guard decode.deviceCount == exchange.devices else { return .waits }
    if deviceCount != decode.deviceCount {
      let oldRate = self.device?.sampleRate
      self.device = device
      deviceCount = decode.deviceCount
      if !resume(oldRate: oldRate) { return .worked }
    }
    if flushEvents() == .worked { return .worked }
    if pending != nil { return write() }
    if let converted = chain?.next() {
      setPending(converted, current.decoder.format)
      return .worked
    }
    if current.isComplete { return .waits }
    return decodeNext(current)
  }

  /// If the mixer has read the overlay to its end, closes the file of the overlay.
  private func closeFinished() {
    guard overlay?.isComplete == true, pending == nil, pendingEvents.isEmpty else { return }
    // A device setup also empties the ring, but the overlay can then continue on the new device. So an empty ring means
    // the end of the overlay only if there was no setup.
    var isRead = false
    guard
      exchange.ifDevice(
        is: deviceCount,
        { isRead = mixer.ring.releasedPosition == mixer.ring.writePosition }),
      isRead
    else { return }
    overlay = nil
    chain = nil
    // The prompt has ended before the chime, which continues alone.
    if let mixed { begin(mixed) }
  }

  private func handle(_ command: EngineExchange.OverlayCommand) {
    switch command.action {
    case .mix(let track)
    where overlay?.live != nil && overlay?.isComplete == false && device != nil:
      mix(track, command)
    case .play(let track), .mix(let track):
      drop(command)
      endMixed()
      begin(track, command)
    case .stop(let id) where mixed?.id == id:
      endMixed()
    case .stop(let id) where overlay?.id == id:
      // The mixed track is heard from the first frame that the mixer has not read.
      let unheard = mixer.ring.writePosition - mixer.ring.releasedPosition
      drop(command)
      continueMixed(unheard: unheard)
    // An overlay that was read to its end can still be in the buffer of the device, which is rewritten.
    case .stop where overlay == nil: drop(command)
    case .stop: break
    }
  }

  /// Ends the overlay: what was decoded fades out, and the rest is not decoded.
  private func drop(_ command: EngineExchange.OverlayCommand) {
    epoch = command.number
    mixer.ring.discardWritten(epoch: epoch, command: epoch)
    exchange.outputWake.signal()
    if let overlay, !overlay.isStartSent { exchange.post(.overlayEnded(id: overlay.id)) }
    overlay?.live?.detachFromOverlay()
    overlay = nil
    chain = nil
    pending = nil
    pendingEvents = []
  }

  private func begin(_ track: TrackRequest, _ command: EngineExchange.OverlayCommand) {
    do {
      let opened = try track.open()
      overlay = Overlay(
        command: command, id: track.id, decoder: opened.decoder, description: opened.description,
        startPosition: mixer.ring.writePosition)
      if let live = overlay?.live { exchange.attachToOverlay(live) }
      if let device { makeChain(opened.description.format, device) }
    } catch {
      exchange.post(.overlayFailed(id: track.id, error))
    }
  }

  // MARK: A chime together with a prompt

  private func mix(_ track: TrackRequest, _ command: EngineExchange.OverlayCommand) {
    endMixed()
    guard let device else { return }
    do {
      mixed = try MixedTrack(track, command, device)
    } catch {
      exchange.post(.overlayFailed(id: track.id, error))
    }
  }

  private func endMixed() {
    if let mixed { exchange.post(.overlayEnded(id: mixed.id)) }
    mixed = nil
  }

  private func continueMixed(unheard: Int) {
    guard let mixed, let device else { return }
    do {
      try mixed.restart(on: device, unheard: unheard)
      begin(mixed)
    } catch {
      failMixed(error)
    }
  }

  private func failMixed(_ error: DecodeError) {
    if let mixed { exchange.post(.overlayFailed(id: mixed.id, error)) }
    mixed = nil
  }

  /// The mixed track continues as an overlay of its own.
  private func begin(_ track: MixedTrack) {
    mixed = nil
    overlay = Overlay(
      command: track.command, id: track.id, decoder: track.decoder,
      description: track.description, startSeconds: track.seconds,
      startPosition: mixer.ring.writePosition)
    chain = track.chain
    // The frames that are converted already come first.
    let rest = track.rest()
    guard rest.count > 0 else { return }
    let floats = mixScratch.reserve(rest.count)
    for (index, sample) in rest.enumerated() { floats[index] = sample }
    pending = (UnsafeRawPointer(floats), rest.count / (device?.layout.count ?? 2))
  }

  /// Adds the mixed track to the pending frames of the overlay.
  private func addMixed() {
    guard let mixed, let device, let (frames, count) = pending else { return }
    let samples = count * device.layout.count
    let floats = mixScratch.reserve(samples)
    floats.update(from: frames.assumingMemoryBound(to: Float.self), count: samples)
    pending?.frames = UnsafeRawPointer(floats)
    do {
      if try mixed.add(to: floats, samples: samples) { endMixed() }
    } catch {
      failMixed(error)
    }
  }

  private func makeChain(_ format: StreamFormat, _ device: DeviceFormat) {
    do {
      chain = try ConversionChain(from: format, to: device)
    } catch {
      fail(error)
    }
  }

  private func fail(_ error: DecodeError) {
    guard let overlay else { return }
    exchange.post(.overlayFailed(id: overlay.id, error))
    finish()
  }

  /// Call this after the device has changed. Continues the overlay in the new format, after the last frame that the
  /// mixer has read. Returns false if the overlay cannot continue.
  ///
  /// - Parameter oldRate: the rate of the previous device; nil for the first device.
  private func resume(oldRate: Int?) -> Bool {
    guard var current = overlay, let device else { return false }
    if current.isComplete, pending == nil, mixer.lostFrom == mixer.ring.writePosition {
      // The mixer has read the last frame before the device changed.
      overlay = nil
      chain = nil
      continueMixed(unheard: 0)
      return false
    }
    if let oldRate {
      let heard = max(0, mixer.lostFrom - current.startPosition)
      current.startSeconds += Double(heard) / Double(oldRate)
    }
    current.startPosition = mixer.ring.writePosition
    current.isStartSent = false
    current.isComplete = false
    pending = nil
    pendingEvents = []
    overlay = current
    do {
      try mixed?.restart(on: device)
    } catch {
      failMixed(error)
    }
    do {
      let frame = current.decoder.frame(atSeconds: current.startSeconds)
      if frame > 0 { try current.decoder.seek(to: frame) }
      chain = try ConversionChain(from: current.decoder.format, to: device)
      return true
    } catch {
      fail(error)
      return false
    }
  }

  private func decodeNext(_ current: Overlay) -> DecodeLoop.Step {
    do {
      switch try current.decoder.next() {
      case .frames(let block):
        if let samples = block.samples, block.frameCount > 0 {
          chain?.feed(samples, frames: block.frameCount)
        }
      case .formatChanged(let format):
        if let device { makeChain(format, device) }
      case .metadataChanged, .skipped, .working:
        break
      case .waiting:
        // The frames of a live input arrive in real time and do not fill the ring. So the overlay starts with the first
        // frames.
        if mixer.ring.writePosition > current.startPosition { sendStart() }
        return .waits
      case .end:
        setPending(chain?.drain(), current.decoder.format)
        finish()
      }
    } catch {
      exchange.post(.overlayFailed(id: current.id, error))
      finish()
    }
    return .worked
  }

  private func setPending(_ frames: (frames: UnsafeRawPointer, count: Int)?, _ format: StreamFormat)
  {
    guard let frames, frames.count > 0, let chain, let device else { return }
    pending = frames
    // The mixer adds floats, so convert integers to floats.
    if !chain.output(of: format).isFloat {
      pending?.frames = scratch.floats(
        fromIntegers: frames.frames, count: frames.count * device.layout.count)
    }
    addMixed()
  }

  private func finish() {
    overlay?.isComplete = true
    if pending == nil { end() }
  }

  private func end() {
    sendStart()
    guard let overlay else { return }
    pendingEvents.append(
      StreamEvent(kind: .end, position: mixer.ring.writePosition, epoch: epoch, token: overlay.id))
    _ = flushEvents()
  }

  private func write() -> DecodeLoop.Step {
    guard let (frames, count) = pending else { return .waits }
    var written = 0
    guard
      exchange.ifDevice(is: deviceCount, { written = mixer.ring.write(frames, count: count) })
    else { return .waits }
    if written == 0 {
      sendStart()
      return mixer.ring.waitForRoom() ? .waits : .worked
    }
    let bytes = written * 4 * (device?.layout.count ?? 2)
    pending = written < count ? (frames + bytes, count - written) : nil
    if pending == nil, overlay?.isComplete == true { end() }
    return .worked
  }

  /// Starts the overlay. Call this when the ring is full or contains all frames of the overlay, so that the ring does
  /// not run dry.
  private func sendStart() {
    guard let overlay, !overlay.isStartSent else { return }
    self.overlay?.isStartSent = true
    var event = StreamEvent(
      kind: .segment, position: overlay.startPosition, epoch: epoch, token: overlay.id)
    event.gain = overlay.command.musicGain
    event.frame = overlay.command.frame
    pendingEvents.append(event)
    _ = flushEvents()
  }

  /// Writes the pending events while the ring of events has room. Returns `worked` if at least one event was written.
  private func flushEvents() -> DecodeLoop.Step {
    var step = DecodeLoop.Step.waits
    while let event = pendingEvents.first {
      var hasRoom = false
      guard exchange.ifDevice(is: deviceCount, { hasRoom = mixer.streamEvents.push(event) }),
        hasRoom
      else {
        break
      }
      pendingEvents.removeFirst()
      step = .worked
      // Wake the output thread, because it can be resting.
      exchange.outputWake.signal()
    }
    return step
  }
}
