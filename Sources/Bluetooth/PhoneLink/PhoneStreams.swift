internal import A2DPStream
internal import Bluez
internal import EventLoop
internal import Reports

/// Acquires the streams that phones begin, and records when the streams end.
///
/// bluetoothd ends a stream that is not acquired within five seconds. So this type acquires each stream at once, even
/// if its sound is not needed. Control thread; never blocks.
final class PhoneStreams {
  private enum State {
    case idle
    /// bluetoothd was asked for the socket. The value is the number of the last call. If the phone stops and starts its
    /// stream quickly, there are several calls. Each answer can contain the socket, and only the failure of the last
    /// call counts.
    case acquiring(Int)
    case streaming(PhoneStream)
    /// The stream could not be acquired.
    case failed
  }

  private let client: BluezClient
  /// The states of the transports of phones, keyed by the path of the transport.
  private var states: [String: State] = [:]
  private var lastNumber = 0
  /// Called when a phone begins or ends a stream, with the path of its device.
  var onChange: ((_ devicePath: String) -> Void)?

  init(_ client: BluezClient) {
    self.client = client
    client.observe { [weak self] in self?.handle($0) }
  }

  /// True if at least one phone streams or begins to stream.
  var isStreaming: Bool {
    states.values.contains { state in
      switch state {
      case .streaming, .acquiring: true
      case .idle, .failed: false
      }
    }
  }

  /// The stream of a phone. If the phone has several streams, the newest. Nil if the phone does not stream.
  func stream(ofDevice path: String) -> PhoneStream? {
    streams(ofDevice: path).max { $0.id.number < $1.id.number }
  }

  private func streams(ofDevice path: String) -> [PhoneStream] {
    states.compactMap { transport, state in
      guard case .streaming(let stream) = state, BluezDevice.path(ofPart: transport) == path else {
        return nil
      }
      return stream
    }
  }

  private func handle(_ event: BluezClient.Event) {
    switch event {
    case .transportAdded(let transport) where transport.isSource: update(transport)
    case .transportChanged(let transport, let changed)
    where transport.isSource && changed.contains(.state):
      update(transport)
    case .transportRemoved(let path): end(path) { states[path] = nil }
    case .serviceEnded:
      for path in states.keys.sorted() { end(path) { states[path] = nil } }
    default: break
    }
  }

  private func update(_ transport: BluezTransport) {
    let path = transport.path
    switch (transport.state, states[path]) {
    case (.pending, .idle?), (.pending, nil): acquire(transport)
    case (.pending, _), (.active, _): break
    case (.idle, _), (nil, _): end(path) { states[path] = .idle }
    }
  }

  private func acquire(_ transport: BluezTransport) {
    let path = transport.path
    let configuration: SBCConfiguration
    do throws(SBCConfiguration.Refusal) {
      guard transport.codec == 0 else { throw .length }
      configuration = try SBCConfiguration(transport.configuration)
    } catch {
      states[path] = .failed
      return client.log(.streamRefused, "the stream \(path) is refused (\(error))")
    }
    lastNumber += 1
    let number = lastNumber
    states[path] = .acquiring(number)
    client.acquire(path) { [weak self] result in
      guard let self, case .acquiring(let last)? = states[path] else { return }
      switch result {
      case .success(let socket): begin(path, number, configuration, socket)
      // The phone may have stopped its stream meanwhile. Before the next stream, the transport reports *idle*, which
      // ends the state `failed`.
      case .failure(let error) where number == last:
        states[path] = .failed
        client.log(.streamFailed, "the stream \(path) cannot be acquired: \(error)")
      case .failure: break
      }
    }
  }

  private func begin(
    _ path: String, _ number: Int, _ configuration: SBCConfiguration, _ socket: BluezClient.Stream
  ) {
    states[path] = .streaming(
      PhoneStream(
        id: .init(transport: path, number: number), configuration: configuration,
        socket: socket.socket, packetBytes: socket.packetBytes))
    client.log(
      .streamBegan,
      "\(name(path)) streams: SBC \(configuration.rate) Hz, \(configuration.channels) channels, "
        + "bitpool up to \(configuration.bitpools.upperBound)")
    onChange?(BluezDevice.path(ofPart: path))
  }

  private func end(_ path: String, _ change: () -> Void) {
    let wasStreaming = if case .streaming? = states[path] { true } else { false }
    change()
    guard wasStreaming else { return }
    client.log(.streamEnded, "\(name(path)) has ended its stream")
    onChange?(BluezDevice.path(ofPart: path))
  }

  private func name(_ path: String) -> String {
    client.device(at: BluezDevice.path(ofPart: path))?.name ?? path
  }
}
