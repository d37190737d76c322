internal import AudioCodecs
internal import Threads

/// The output thread's work above the real-time line: it sets the device up, lets the sink run,
/// and sets it up anew when the renderer asks or the device fails. What happens below the line is
/// in ``AudioSink/run(_:)`` and ``Renderer``.
final class OutputLoop {
  /// How long a device that failed is left alone.
  private static let retryMilliseconds: Int32 = 1000

  private let sink: any AudioSink
  private let renderer: Renderer
  private let exchange: EngineExchange
  /// What the device is set up for, also while it is lost; nil before the first time and while
  /// the renderer waits for another.
  private var request: StreamFormat?
  private var isOpen = false
  /// The device is closed because there is nothing to hear.
  private var isResting = false
  /// The last failure, so that a device that stays away is reported once.
  private var reported: SinkError?

  init(sink: any AudioSink, renderer: Renderer, exchange: EngineExchange) {
    self.sink = sink
    self.renderer = renderer
    self.exchange = exchange
  }

  /// What one piece of work came to.
  enum Step: Equatable {
    case worked
    /// Nothing can be done until `outputWake`, or for so long.
    case waits(milliseconds: Int32)
  }

  /// Runs until the engine stops.
  func run() {
    // A sink without a clock of its own has no deadline.
    if sink.keepsTime, let words = RealTimeThread.enter() {
      exchange.post(.realTimeRefused(words))
    }
    while !exchange.isStopping {
      if case .waits(let milliseconds) = step() {
        exchange.outputWake.wait(milliseconds: milliseconds)
      }
    }
    close(draining: false)
  }

  /// Opens the device, or lets the sink run until it leaves.
  func step() -> Step {
    if isOpen { return play() }
    if isResting {
      guard renderer.hasWork() else { return .waits(milliseconds: -1) }
      isResting = false
    }
    if let request {
      // The device was lost; the ring is for one as it was.
      guard let format = open(request) else {
        // What is wanted by now may be in another format, in which it can be opened.
        if exchange.deviceRequest != nil, renderer.reachDeviceRequest() {
          self.request = nil
          return .worked
        }
        return .waits(milliseconds: Self.retryMilliseconds)
      }
      if renderer.goOn(with: format) {
        reportSuccess()
        return .worked
      }
      // Another device, or it can do something else now. The decode thread knows what is to
      // follow, and asks for it.
      close(draining: false)
      self.request = nil
      exchange.tellDeviceChange()
      return .worked
    }
    guard let wanted = exchange.deviceRequest, renderer.reachDeviceRequest() else {
      return .waits(milliseconds: -1)
    }
    guard let format = open(wanted) else { return .waits(milliseconds: Self.retryMilliseconds) }
    guard exchange.claimDeviceRequest() else {
      // Somebody wants something else by now.
      close(draining: false)
      return .worked
    }
    request = wanted
    reportSuccess()
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
      if renderer.wantsRest {
        close(draining: false)
        isResting = true
      } else if renderer.wantsDevice {
        // The frames before the event are all handed over, and the request is there or comes.
        close(draining: true)
        renderer.beginChangeover()
        request = nil
      }
      return .worked
    case .failed(let code):
      close(draining: false)
      report(SinkError("\(sink.name): \(systemWords(code))"))
      // It may well open again at once, only to fail at once.
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
