internal import AudioCodecs

/// The output thread's work above the real-time line: it sets the device up, lets the sink run,
/// and sets it up anew when the renderer asks or the device fails. What happens below the line is
/// in ``AudioSink/run(_:)`` and ``Renderer``.
final class OutputLoop {
  /// How long a device that failed is left alone.
  private static let retryMilliseconds: Int32 = 1000

  private let sink: any AudioSink
  private let renderer: Renderer
  private let exchange: EngineExchange
  /// What the device was last set up for.
  private var request: StreamFormat?
  private var isOpen = false

  init(sink: any AudioSink, renderer: Renderer, exchange: EngineExchange) {
    self.sink = sink
    self.renderer = renderer
    self.exchange = exchange
  }

  /// Runs until the engine stops.
  func run() {
    while !exchange.isStopping {
      if let wanted = exchange.deviceRequest {
        close(draining: true)
        request = wanted
        if !open(answers: true) { exchange.outputWake.wait(milliseconds: Self.retryMilliseconds) }
      } else if isOpen {
        play()
      } else if request != nil {
        if !open(answers: false) { exchange.outputWake.wait(milliseconds: Self.retryMilliseconds) }
      } else {
        exchange.outputWake.wait()
      }
    }
    close(draining: false)
  }

  /// - Parameter answers: the decode thread waits to hear what the device takes.
  private func open(answers: Bool) -> Bool {
    guard let request else { return false }
    do {
      let format = try sink.open(request)
      isOpen = true
      if answers {
        renderer.configure(format)
        exchange.answerDevice(format)
      }
      return true
    } catch {
      exchange.post(.deviceFailed(error))
      return false
    }
  }

  private func play() {
    switch sink.run(renderer) {
    case .left:
      // The request was there before the note that made the renderer leave.
      break
    case .failed(let code):
      exchange.post(.deviceFailed(SinkError("\(sink.name): \(systemWords(code))")))
      close(draining: false)
    }
  }

  private func close(draining: Bool) {
    guard isOpen else { return }
    sink.close(draining: draining)
    isOpen = false
  }
}
