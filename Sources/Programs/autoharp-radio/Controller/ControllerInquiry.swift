internal import BluetoothRadio
internal import Glibc

/// What a controller is asked about itself and its links, and what it has answered. A value.
struct ControllerInquiry {
  /// The packets that ask.
  let questions: [[UInt8]]
  /// How many of them are not answered.
  private(set) var open: Int
  private(set) var reading: RadioReading
  private let features: [UInt8]
  private let links: [ControllerLink]

  /// - Parameters:
  ///   - features: the controller's first page, one bit each.
  ///   - links: that it has.
  init(features: [UInt8], links: [ControllerLink]) {
    self.features = features
    self.links = links
    // Those that are there, whatever is answered about them.
    reading = RadioReading(
      links: Dictionary(
        links.map { ($0.address, LinkReading(isLowEnergy: $0.isLowEnergy)) },
        uniquingKeysWith: { first, _ in first }))
    questions =
      [ControllerQuestion.version.packet()]
      + links.flatMap { link in
        // The other kind has no such question.
        let isClassic = !link.isLowEnergy
        return [ControllerQuestion.signal.packet(handle: link.handle)]
          + (isClassic ? [ControllerQuestion.quality.packet(handle: link.handle)] : [])
      }
    open = questions.count
  }

  /// A question could not be asked.
  mutating func skip() { open -= 1 }

  /// Takes a packet of the controller; what is no answer to one of the questions changes nothing.
  mutating func take(_ packet: ArraySlice<UInt8>) {
    guard let answer = ControllerAnswer(packet) else { return }
    switch answer {
    case .version(let version, let manufacturer):
      guard reading.details == nil else { return }
      reading.details = ControllerDetails(
        manufacturer: manufacturer, version: version, featureBits: features)
    case .signal(let handle, let signal):
      guard let link = link(handle), reading.links[link.address]?.signal == nil else { return }
      // 127 is low energy's word for not known.
      if !link.isLowEnergy || signal != 127 { reading.links[link.address]?.signal = Int(signal) }
    case .quality(let handle, let quality):
      guard let link = link(handle), reading.links[link.address]?.quality == nil else { return }
      reading.links[link.address]?.quality = Int(quality)
    case .refusal: break
    }
    // Answers to others are seen, too; one to bluetoothd may end this early, with something unknown.
    open -= 1
  }

  private func link(_ handle: UInt16) -> ControllerLink? { links.first { $0.handle == handle } }
}

extension ControllerInquiry {
  /// Asks a controller and waits for its answers.
  ///
  /// The controller is asked on a socket that is closed with the last answer: while one is open, the
  /// kernel hands it a copy of each event.
  /// - Parameters:
  ///   - adapter: 0 for `hci0`.
  ///   - milliseconds: bluetoothd may be asking it, too; a controller that says nothing for so long does
  ///     not.
  /// - Returns: what was answered until then.
  /// - Throws: where it cannot be asked.
  static func ask(
    _ adapter: Int, _ access: some ControllerAccess, within milliseconds: Int64 = 2000
  ) throws(CallFailure) -> RadioReading {
    let descriptor = try access.open(adapter)
    defer { close(descriptor) }
    var inquiry = ControllerInquiry(
      features: access.features(descriptor, adapter), links: access.links(descriptor, adapter))
    for question in inquiry.questions
    where write(descriptor, question, question.count) != question.count { inquiry.skip() }
    let end = now() + milliseconds
    while inquiry.open > 0, isReadable(descriptor, until: end) {
      var bytes = [UInt8](repeating: 0, count: 260)
      let count = read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      // The controller was pulled.
      guard count > 0 else { break }
      inquiry.take(bytes[..<count])
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

  /// In milliseconds.
  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
