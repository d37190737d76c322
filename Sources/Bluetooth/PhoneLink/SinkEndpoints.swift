internal import A2DPStream
internal import Bluez
internal import EventLoop
internal import Reports

/// The endpoints of the unit for A2DP. Through an endpoint, a phone finds the unit as a loudspeaker and configures the
/// sound.
///
/// With an unpatched bluetoothd, an endpoint serves one phone at a time, so each adapter has several endpoints. Control
/// thread; never blocks. If bluetoothd refuses an endpoint, further attempts follow.
final class SinkEndpoints {
  /// Number of endpoints of an adapter. This number of phones can have a stream at the same time.
  static let perAdapter = 3
  private static let firstWait = Duration.seconds(1)
  private static let longestWait = Duration.seconds(30)

  private let client: BluezClient
  /// The paths of the endpoints that are registered with BlueZ.
  private(set) var registered: Set<String> = []
  /// The wait before the next registration attempt, keyed by the path of the endpoint. Contains all endpoints: a
  /// registered endpoint has the first wait, in case bluetoothd drops the endpoint.
  private var waits: [String: Duration] = [:]
  private var timer: TimerSource?

  init(_ client: BluezClient) {
    self.client = client
    timer = TimerSource(client.loop, accuracy: .milliseconds(50)) { [weak self] in
      self?.registerMissing()
    }
    client.observe { [weak self] in self?.handle($0) }
  }

  deinit { timer?.cancel() }

  private func handle(_ event: BluezClient.Event) {
    switch event {
    case .mediaAdded(let adapter): add(adapter)
    case .mediaRemoved(let adapter): remove { BluezDevice.adapter(of: $0) == adapter }
    case .serviceEnded: remove { _ in true }
    default: break
    }
  }

  private func add(_ adapter: String) {
    for number in 0..<Self.perAdapter {
      let path = "/org/autoharp/\(adapter)/sink\(number)"
      guard waits[path] == nil else { continue }
      waits[path] = Self.firstWait
      // `objects.add` cannot fail, because the path is valid.
      try? client.objects.add(object(path))
      register(path)
    }
  }

  private func remove(_ isRemoved: (String) -> Bool) {
    for path in waits.keys where isRemoved(path) {
      waits[path] = nil
      client.objects.remove(path: path)
    }
    registered = registered.filter { waits[$0] != nil }
  }

  // MARK: Registering

  private func register(_ path: String) {
    client.registerEndpoint(
      path, on: BluezDevice.adapter(of: path),
      [
        "UUID": .string(BluezFeature.sink.uuid), "Codec": .byte(0),
        "Capabilities": .bytes(SBCConfiguration.capabilities),
        // Without this property, BlueZ still offers delay reporting, but rejects a phone that configures delay
        // reporting.
        "DelayReporting": .boolean(true),
      ]
    ) { [weak self] in self?.answered(path, $0) }
  }

  private func answered(_ path: String, _ result: Result<Void, BusError>) {
    guard let wait = waits[path] else { return }
    switch result {
    case .success, .failure(.remote(name: BluezNames.alreadyExists, message: _)):
      registered.insert(path)
      waits[path] = Self.firstWait
    case .failure(let error):
      client.log(.endpointRefused, "BlueZ refuses the endpoint \(path): \(error)")
      waits[path] = min(wait * 2, Self.longestWait)
      timer?.set(after: wait)
    }
  }

  private func registerMissing() {
    for path in waits.keys.sorted() where !registered.contains(path) { register(path) }
  }

  // MARK: Calls of bluetoothd

  private static let interface = BusInterface(
    BluezNames.endpoint,
    methods: [
      .init("SetConfiguration", [.init("transport", "o"), .init("properties", "a{sv}")]),
      .init(
        "SelectConfiguration", [.init("capabilities", "ay")],
        returns: [.init("configuration", "ay")]),
      .init("ClearConfiguration", [.init("transport", "o")]), .init("Release"),
    ])

  private func object(_ path: String) -> BusObject {
    BusObject(path: path, interfaces: [Self.interface]) { [weak self] call in
      guard let self, client.isBluez(call.message.sender) else {
        return call.fail(BusErrorName.accessDenied, "only bluetoothd may call this")
      }
      var arguments = call.arguments
      switch call.member {
      case "SetConfiguration": configure(call)
      case "SelectConfiguration":
        guard let best = (try? arguments.bytes()).flatMap(SBCConfiguration.best) else {
          return call.fail(BusErrorName.invalidArguments, "no configuration fits")
        }
        call.reply([.bytes(best)])
      case "Release":
        call.reply()
        released(path)
      default: call.reply()
      }
    }
  }

  /// Checks a configuration that a phone has sent. If the answer is an error, bluetoothd rejects the configuration of
  /// the phone.
  private func configure(_ call: MethodCall) {
    let configuration = call.arguments.values.last?["Configuration"]?.byteArray ?? []
    do throws(SBCConfiguration.Refusal) {
      _ = try SBCConfiguration(configuration)
      call.reply()
    } catch {
      let bytes = configuration.prefix(8).map { String($0, radix: 16) }.joined(separator: " ")
      client.log(
        .streamRefused, "a configuration of SBC is refused (\(error)): \(bytes)")
      call.fail(BusErrorName.invalidArguments, "the configuration is not one that was offered")
    }
  }

  /// Must be called when bluetoothd has dropped an endpoint. Usually bluetoothd is ending or removes the adapter, and
  /// an event about this follows. If no event follows, the endpoint is registered again.
  private func released(_ path: String) {
    registered.remove(path)
    if waits[path] != nil { timer?.set(after: Self.firstWait) }
  }
}
