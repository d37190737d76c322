internal import BluetoothController
internal import CBluetooth
internal import Glibc

/// The commands that query a controller and its links, and the answers so far. A value without I/O.
struct ControllerInquiry {
  /// The packets of the commands.
  let commands: [[UInt8]]
  /// The number of commands without an answer.
  private(set) var open: Int
  private(set) var reading: ControllerReading
  private let features: [UInt8]
  private let links: [ControllerLink]

  /// - Parameters:
  ///   - features: the controller's first page of features, with one bit for each feature.
  ///   - links: the links of the controller.
  init(features: [UInt8], links: [ControllerLink]) {
    self.features = features
    self.links = links
    // The reading contains all links, even links for which no answer arrives.
    reading = ControllerReading(
      links: Dictionary(
        links.map { ($0.address, LinkReading(isLowEnergy: $0.isLowEnergy)) },
        uniquingKeysWith: { first, _ in first }))
    commands =
      [ControllerCommand.version.packet()]
      + links.flatMap { link in
        // For a low-energy link, there is no command for the quality.
        let isClassic = !link.isLowEnergy
        return [ControllerCommand.signal.packet(handle: link.handle)]
          + (isClassic ? [ControllerCommand.quality.packet(handle: link.handle)] : [])
      }
    open = commands.count
  }

  /// Must be called for each command that could not be sent, because no answer to this command follows.
  mutating func skip() { open -= 1 }

  /// Processes a packet of the controller. A packet that does not answer one of the commands is ignored.
  mutating func handle(_ packet: ArraySlice<UInt8>) {
    guard let answer = ControllerAnswer(packet) else { return }
    switch answer {
    case .version(let version, let manufacturer):
      guard reading.details == nil else { return }
      reading.details = ControllerDetails(
        manufacturer: manufacturer, version: version, featureBits: features)
    case .signal(let handle, let signal):
      guard let link = link(handle), reading.links[link.address]?.signal == nil else { return }
      // On a low-energy link, 127 means that the signal is unknown.
      if !link.isLowEnergy || signal != 127 { reading.links[link.address]?.signal = Int(signal) }
    case .quality(let handle, let quality):
      guard let link = link(handle), reading.links[link.address]?.quality == nil else { return }
      reading.links[link.address]?.quality = Int(quality)
    case .refusal: break
    }
    // The socket also receives answers to commands of other processes. So answers to bluetoothd can end this inquiry
    // early, and some values then stay unknown.
    open -= 1
  }

  private func link(_ handle: UInt16) -> ControllerLink? { links.first { $0.handle == handle } }
}

extension ControllerInquiry {
  /// Queries a controller. Blocks until the answers have arrived or the time limit is reached.
  ///
  /// The socket is closed as soon as possible, because the kernel sends a copy of each event to an open socket.
  /// - Parameters:
  ///   - adapter: the number of the controller, such as 0 for `hci0`.
  ///   - milliseconds: the time limit. The default is long enough for a controller that is busy with commands of
  ///     bluetoothd.
  /// - Returns: the answers that arrived in time.
  /// - Throws: if the controller cannot be opened.
  static func ask(
    _ adapter: Int, _ access: some ControllerAccess, within milliseconds: Int64 = 2000
  ) throws(CallFailure) -> ControllerReading {
    let descriptor = try access.open(adapter)
    defer { close(descriptor) }
    var inquiry = ControllerInquiry(
      features: access.features(descriptor, adapter), links: access.links(descriptor, adapter))
    for command in inquiry.commands
    where write(descriptor, command, command.count) != command.count { inquiry.skip() }
    let end = now() + milliseconds
    while inquiry.open > 0, isReadable(descriptor, until: end) {
      var bytes = [UInt8](repeating: 0, count: 260)
      let count = read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      // The end of the data or any other error means that the controller was removed.
      guard count > 0 else { break }
      inquiry.handle(bytes[..<count])
    }
    return inquiry.reading
  }

  private static func isReadable(_ descriptor: Int32, until end: Int64) -> Bool {
    while case let left = end - now(), left > 0 {
      var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&waited, 1, Int32(clamping: left))
      if count > 0 { return true }
      if count < 0, errno != EINTR { return false }
    }
    return false
  }

  /// Monotonic time in milliseconds.
  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension ControllerDetails {
  /// Creates the details from the numbers that the command Read Local Version Information returns, and from the first
  /// page of features.
  init(manufacturer: UInt16, version: UInt8, featureBits: [UInt8]) {
    // The caller must free the text. The text is empty if the library has no name for this version.
    let text = hci_vertostr(UInt32(version))
    let name = text.map { String(cString: $0) } ?? ""
    bt_free(text)
    self.init(
      manufacturer: String(cString: bt_compidtostr(Int32(manufacturer))),
      version: name.isEmpty ? "of number \(version)" : name,
      features: Set(
        Feature.allCases.filter { feature in
          let (byte, bit) = feature.rawValue.quotientAndRemainder(dividingBy: 8)
          return byte < featureBits.count && featureBits[byte] & 1 << bit != 0
        }))
  }
}
