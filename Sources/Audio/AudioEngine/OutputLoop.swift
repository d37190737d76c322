internal import AudioCodecs
internal import CRealtime
internal import Threads

/// The work of the output thread above the real-time line: sets the device up, runs the sink, and sets the device up
/// again if the renderer requests this or the device fails. The work below the real-time line is in
/// ``AudioSink/run(_:)`` and ``Renderer``.
final class OutputLoop {
  /// Time between two attempts to open a device that failed.
  private static let retryMilliseconds: Int32 = 1000

  private let sink: any AudioSink
  private let renderer: Renderer
  private let exchange: EngineExchange
  /// The format for which the device is set up. The value is kept while the device is lost. Nil before the first setup
  /// and while the renderer waits for another format.
  private var request: StreamFormat?
  /// The format with which the device was last set up for the decode thread.
  private var configured: DeviceFormat?
  private var isOpen = false
  /// True while the device is closed because there was no audible content for a long time.
  private var isResting = false
  /// The last failure that was reported. It is stored so that a repeated failure is reported only once.
  private var reported: SinkError?

  init(sink: any AudioSink, renderer: Renderer, exchange: EngineExchange) {
    self.sink = sink
    self.renderer = renderer
    self.exchange = exchange
  }

  /// The result of one piece of work.
  enum Step: Equatable {
    case worked
    /// Nothing can be done until `outputWake` is signalled or the time has passed. −1 means no limit of time.
    case waits(milliseconds: Int32)
  }

  /// Runs until the engine stops.
  func run() {
    // A sink without its own clock has no deadline, so its thread stays an ordinary thread.
    if sink.keepsTime, let refusal = RealTimeThread.enter() {
      exchange.post(.realTimeRefused(refusal))
    }
    while !exchange.isStopping {
      if case .waits(let milliseconds) = step() {
        exchange.outputWake.wait(milliseconds: milliseconds)
      }
    }
    close(draining: false)
  }

  /// Opens the device, or runs the sink until the sink leaves its loop.
  func step() -> Step {
    if isOpen { return play() }
    if isResting {
      guard renderer.hasWork() else { return .waits(milliseconds: -1) }
      isResting = false
    }
    if let request {
      // The device was lost. The frames in the ring still have the format of the lost device.
      guard let format = open(request) else {
        // Perhaps the device can be opened in the format of a newer request.
        if exchange.deviceRequest != nil, renderer.reachDeviceRequest() {
          self.request = nil
          return .worked
        }
        return .waits(milliseconds: Self.retryMilliseconds)
      }
      // The decode thread relies on the formats that the device converts, so these must be the same too.
      if configured?.sourceRates == format.sourceRates,
        configured?.mixedChannels == format.mixedChannels, renderer.resume(with: format)
      {
        reportSuccess()
        return .worked
      }
      // The opened device is another device, or the capabilities of the device have changed. The decode thread has the
      // track, so it must request a new format.
      close(draining: false)
      self.request = nil
      exchange.reportDeviceChange()
      return .worked
    }
    guard var wanted = exchange.deviceRequest, renderer.reachDeviceRequest() else {
      return .waits(milliseconds: -1)
    }
    guard let format = open(wanted.format) else {
      return .waits(milliseconds: Self.retryMilliseconds)
    }
    while !exchange.claim(wanted) {
      // The request was withdrawn in the meantime. If a newer request has the same format, the open device serves the
      // newer request.
      guard let newer = exchange.deviceRequest, newer.format == wanted.format,
        renderer.reachDeviceRequest()
      else {
        close(draining: false)
        return .worked
      }
      wanted = newer
    }
    request = wanted.format
    reportSuccess()
    configured = format
    exchange.configure { renderer.configure(format) }
    exchange.answerDevice(format)
    return .worked
  }

  private func open(_ request: StreamFormat) -> DeviceFormat? {
    do {
      let format = try sink.open(request)
      isOpen = true
      return format
    } catch {
      report(error)
      return nil
    }
  }

  private func play() -> Step {
    switch sink.run(renderer) {
    case .left:
      if renderer.mustRest {
        renderer.forgetSilence()
        close(draining: false)
        isResting = true
      } else if renderer.needsDevice {
        // All frames before the event that requests the device are handed over. The request of the decode thread has
        // arrived or will arrive soon.
        renderer.forgetSilence()
        close(draining: true)
        renderer.beginChangeover()
        request = nil
      }
      return .worked
    case .failed(let code):
      close(draining: false)
      renderer.goBackToHeardFrame(at: rt_monotonic_ns())
      report(SinkError("\(sink.name): \(systemWords(code))"))
      // Wait before the next attempt, because the device can open at once and fail again at once.
      return .waits(milliseconds: Self.retryMilliseconds)
    }
  }

  private func report(_ error: SinkError) {
    guard reported != error else { return }
    reported = error
    exchange.post(.deviceFailed(error))
  }

  private func reportSuccess() {
    if reported != nil { exchange.post(.deviceRegained) }
    reported = nil
  }

  private func close(draining: Bool) {
    guard isOpen else { return }
    sink.close(draining: draining)
    isOpen = false
  }
}
