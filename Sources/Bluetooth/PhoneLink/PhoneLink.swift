package import Bluez
internal import EventLoop
package import NowPlaying
internal import Reports

/// The phones that are sources of sound: their streams, their players, and commands to them. The unit is an A2DP sink
/// and an AVRCP controller.
///
/// Control thread; never blocks. Changes of the titles of a phone are reported at most once per ``quietTime``, so that
/// a phone that sends without pause does not keep the unit busy.
package final class PhoneLink {
  /// Shortest time between two reports about the titles of a phone. At a track change, a phone first clears the fields
  /// of the track and then fills them within this time.
  static let quietTime = Duration.milliseconds(100)

  private let client: BluezClient
  private let endpoints: SinkEndpoints
  private let streams: PhoneStreams
  private let clock: () -> MonotonicInstant
  private var phones: [String: Phone] = [:]
  /// Object paths of the devices that were passed to ``onChange`` since bluetoothd started.
  private var reported: Set<String> = []
  private var timer: TimerSource?

  /// Called after each change of a phone, with the path of its device.
  package var onChange: ((_ device: String) -> Void)?

  /// Called when a phone begins or ends its stream, with its address.
  package var onStream: ((_ address: String, _ isStreaming: Bool) -> Void)?

  private struct Phone {
    var position: PhoneReading.Position?
    var positionNumber = 0
    /// Path of the player to which all values of this structure belong.
    var player: String?
    var status: BluezMediaPlayer.Status?
    var track = BluezMediaPlayer.Track()
    /// The end of the quiet time, at which a report is due. Nil if no report is waiting.
    var reportDue: MonotonicInstant?
  }

  /// - Parameters:
  ///   - client: the connection to bluetoothd. The caller starts it.
  ///   - clock: returns the current time.
  package init(_ client: BluezClient, clock: @escaping () -> MonotonicInstant) {
    self.client = client
    self.clock = clock
    endpoints = SinkEndpoints(client)
    streams = PhoneStreams(client)
    timer = TimerSource(client.loop, accuracy: .milliseconds(10)) { [weak self] in
      self?.reportDue()
    }
    streams.onChange = { [weak self] in self?.streamChanged($0) }
    client.observe { [weak self] in self?.handle($0) }
  }

  deinit { timer?.cancel() }

  // MARK: State

  /// True if at least one endpoint is registered, so that phones find the unit as a loudspeaker.
  package var isRegistered: Bool { !endpoints.registered.isEmpty }

  /// False while bluetoothd does not run or has no adapter.
  package var isServiceRunning: Bool { if case .ready = client.service { true } else { false } }

  /// The device paths of the phones that are connected as a source of sound.
  package var connected: [String] { client.devices.map(\.path).filter(isConnected) }

  /// True if a phone is connected as a source of sound: it has a transport, or a player.
  package func isConnected(_ device: String) -> Bool {
    guard let known = client.device(at: device), known.isConnected else { return false }
    return known.isSource && known.player != nil || hasSound(device)
  }

  /// See ``BluezClient/hasSound(_:)``.
  package func hasSound(_ device: String) -> Bool { client.hasSound(device) }

  /// What is known about a phone. Nil if there is no such device.
  package func reading(_ device: String) -> PhoneReading? {
    guard let known = client.device(at: device) else { return nil }
    return PhoneReading(
      address: known.address, name: known.name,
      player: known.player.flatMap(client.player(at:)), position: phones[device]?.position)
  }

  /// The stream of a phone. Nil if the phone does not stream.
  package func stream(_ device: String) -> PhoneStream? { streams.stream(ofDevice: device) }

  /// True if at least one phone streams or begins to stream.
  package var isStreaming: Bool { streams.isStreaming }

  // MARK: Commands

  /// Sends a command to the addressed player of the phone (``BluezDevice/player``).
  package func send(
    _ command: PhoneCommand, to device: String,
    _ completion: @escaping (Refusal?) -> Void = { _ in }
  ) {
    guard let player = client.device(at: device)?.player else {
      return completion(Refusal(.failed, "the phone has no player that can be commanded"))
    }
    let answer: BluezClient.Completion = { result in
      switch result {
      case .success: completion(nil)
      case .failure(let error): completion(Refusal(.failed, "\(error)"))
      }
    }
    switch command.call {
    case .method(let name): client.command(name, player: player, answer)
    case .setting(let name, let value): client.set(name, value, ofPlayer: player, answer)
    }
  }

  /// Reports to the phone the delay from the arrival of its sound until the sound is heard.
  package func setDelay(_ delay: Duration, of stream: PhoneStream.ID) {
    client.setDelay(Int(delay / .microseconds(100)), ofTransport: stream.transport)
  }

  // MARK: Events

  private func handle(_ event: BluezClient.Event) {
    switch event {
    case .playerChanged(let path, let changed):
      playerChanged(BluezDevice.path(ofPart: path), path, changed)
    case .controlChanged: for path in connected { follow(path) }
    // The phone is connected already, for example because it has stayed connected during a restart of the daemon.
    case .deviceAdded(let device) where isConnected(device.path): follow(device.path)
    case .deviceChanged(let device, let changed) where changed.contains(.link):
      if !device.isConnected { phones[device.path] = nil }
      report(device.path)
    case .deviceRemoved(let path, _):
      phones[path] = nil
      report(path)
      reported.remove(path)
    case .transportAdded(let transport): report(transport.devicePath)
    case .transportRemoved(let path): report(BluezDevice.path(ofPart: path))
    case .serviceEnded:
      phones = [:]
      let devices = reported
      reported = []
      for device in devices { onChange?(device) }
    default: break
    }
  }

  /// Reports a change of a device. Also adds the device to ``reported``, so that its disconnection is reported when
  /// bluetoothd ends.
  private func report(_ device: String) {
    reported.insert(device)
    onChange?(device)
  }

  private func streamChanged(_ device: String) {
    if let address = client.device(at: device)?.address {
      onStream?(address, streams.stream(ofDevice: device) != nil)
    }
    report(device)
  }

  /// Handles a possible change of the addressed player of a phone.
  private func follow(_ device: String) {
    guard phones[device]?.player != client.device(at: device)?.player else { return }
    noteChange(device)
  }

  private func playerChanged(_ device: String, _ path: String, _ changed: Set<String>?) {
    guard let known = client.device(at: device), known.player == path else { return }
    if let changed, changed.contains("Position"), let position = client.player(at: path)?.position {
      note(.milliseconds(position), device)
    }
    noteChange(device, asks: changed.map { !$0.isDisjoint(with: ["Status", "Track"]) } ?? true)
  }

  /// Handles a change of the addressed player or of its properties. A change of the status is reported as soon as the
  /// position is known.
  private func noteChange(_ device: String, asks: Bool = false) {
    guard let reading = reading(device) else { return }
    let old = phones[device, default: Phone()]
    phones[device, default: Phone()].player = reading.player?.path
    phones[device]?.status = reading.player?.status
    phones[device]?.track = reading.player?.track ?? .init()
    if old.player != reading.player?.path || old.track != phones[device]?.track {
      phones[device]?.position = nil
    }
    let isOtherStatus = old.status != reading.player?.status && reading.player?.track != .init()
    if old.reportDue == nil { phones[device]?.reportDue = clock().advanced(by: Self.quietTime) }
    if asks || old.player != reading.player?.path { askPosition(device, reports: isOtherStatus) }
    setTimer()
  }

  /// Reads the position from BlueZ, because BlueZ does not send it with each change.
  /// - Parameter reports: true if the answer must be reported at once.
  private func askPosition(_ device: String, reports: Bool) {
    guard let player = phones[device]?.player else { return }
    client.readPosition(ofPlayer: player) { [weak self] position in
      guard let self, phones[device]?.player == player else { return }
      if let position {
        note(.milliseconds(position), device)
      } else {
        phones[device]?.position = nil
      }
      if reports { phones[device]?.reportDue = nil }
      if phones[device]?.reportDue == nil { report(device) }
    }
  }

  private func note(_ position: Duration, _ device: String) {
    let number = (phones[device]?.positionNumber ?? 0) + 1
    phones[device, default: Phone()].positionNumber = number
    phones[device]?.position = PhoneReading.Position(time: position, at: clock(), number: number)
  }

  // MARK: The quiet time

  private func setTimer() {
    guard let next = phones.values.compactMap(\.reportDue).min() else {
      timer?.stop()
      return
    }
    timer?.set(after: next.wholeTime(since: clock()))
  }

  private func reportDue() {
    let now = clock()
    for (device, phone) in phones.sorted(by: { $0.key < $1.key }) {
      guard let due = phone.reportDue, due <= now else { continue }
      phones[device]?.reportDue = nil
      report(device)
    }
    setTimer()
  }
}

extension PhoneCommand {
  /// A D-Bus call to BlueZ's object for the player of a phone.
  fileprivate enum Call {
    case method(String)
    case setting(String, String)
  }

  fileprivate var call: Call {
    switch self {
    case .play: .method("Play")
    case .pause: .method("Pause")
    case .next: .method("Next")
    case .previous: .method("Previous")
    case .seekForward: .method("FastForward")
    case .seekBackward: .method("Rewind")
    case .endSeek: .method("Release")
    case .setRepeat(let mode): .setting("Repeat", mode.rawValue)
    case .setShuffle(let mode): .setting("Shuffle", mode.rawValue)
    }
  }
}
