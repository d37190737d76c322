internal import AudioCodecs

/// The device as the decode thread sees it. The decode thread requests a format. The output thread sets the device up
/// and answers with the format of the device. Used on the decode thread only.
struct RequestedDevice {
  private enum State {
    case none
    /// A setup in this format was requested. The frames in the ring still have the format `before`.
    case requested(StreamFormat, before: DeviceFormat?)
    /// The device is set up. Its format can differ from the requested format.
    case ready(DeviceFormat, requested: StreamFormat)
  }

  private let exchange: EngineExchange
  private let sink: any AudioSink
  /// The device format for all tracks; nil if the device follows the format of each track.
  private let fixed: StreamFormat?
  private var state = State.none
  /// Number of device setups so far. Frames that were converted for an earlier setup must not be written.
  private(set) var count = 0

  init(exchange: EngineExchange, sink: any AudioSink, fixed: StreamFormat?) {
    self.exchange = exchange
    self.sink = sink
    self.fixed = fixed
  }

  /// True until the output thread has answered the request.
  var isRequested: Bool {
    if case .requested = state { true } else { false }
  }

  /// True if there is no device, and no device is requested.
  var isMissing: Bool {
    if case .none = state { true } else { false }
  }

  /// The format of the frames in the ring. Nil if there is no device.
  var format: DeviceFormat? {
    switch state {
    case .none: nil
    case .requested(_, let before): before
    case .ready(let format, _): format
    }
  }

  /// The format of the last request; nil if there is no device and no device is requested.
  var request: StreamFormat? {
    switch state {
    case .none: nil
    case .requested(let format, _), .ready(_, requested: let format): format
    }
  }

  /// The format of the device, if the device can play `format` without a new setup.
  func format(for format: StreamFormat) -> DeviceFormat? {
    guard case .ready(let device, let requested) = state,
      sink.accepts(fixed ?? format, openedFor: requested, as: device)
    else { return nil }
    return device
  }

  /// Requests a device for the frames that follow the frames in `input`.
  mutating func request(_ wanted: StreamFormat, after input: inout RingInput) {
    let format = fixed ?? wanted
    state = .requested(format, before: self.format)
    // Push the event before the request: the output thread removes the event when it takes the request.
    input.push(StreamEvent(kind: .reconfigure, position: input.writePosition))
    exchange.requestDevice(format)
  }

  /// Takes the answer of the output thread; nil if there is none yet.
  mutating func takeAnswer() -> DeviceFormat? {
    guard case .requested(let request, _) = state, let answer = exchange.takeDeviceAnswer()
    else { return nil }
    state = .ready(answer, requested: request)
    count = exchange.devices
    return answer
  }

  /// Withdraws the request. Returns false if the output thread has taken the request. In this case the answer follows.
  mutating func withdraw() -> Bool {
    guard exchange.withdrawDeviceRequest() else { return false }
    state = .none
    return true
  }

  /// Call this after another device has replaced the device.
  mutating func forget() { state = .none }
}

/// A request of the decode thread to set the device up.
struct DeviceRequest: Equatable, Sendable {
  /// Distinguishes requests for the same format.
  let number: Int
  let format: StreamFormat
}
