package import NowPlaying
package import Reports
internal import ScreenLayout

// The state of phones on the screen.
extension ScreenModel {
  /// A pairing request is shown for this time. After this time the screen denies the request.
  static let pairingTime = Duration.seconds(30)

  /// Receives a new state of the phones. If there is no pairing request, shows a notice about a phone
  /// that has connected or disconnected. Returns the requests to the daemon that follow.
  package mutating func receive(_ phones: PhonesState, at now: MonotonicInstant)
    -> [ScreenRequest]
  {
    let before = arePhonesOld ? nil : self.phones
    self.phones = phones
    arePhonesOld = false
    applyStatus(phones, before: before, at: now)
    return before.map { pages.menu.receive(phones, before: $0) } ?? []
  }

  private mutating func applyStatus(
    _ phones: PhonesState, before: PhonesState?, at now: MonotonicInstant
  ) {
    switch phones.service {
    case .off, .noBus, .noService, .noAdapter: bluetooth = .absent
    case .ready:
      let isOn = phones.adapters.contains(where: \.isPowered)
      bluetooth = isOn ? .on(phones: phones.connected.map(\.name)) : .off
    }
    canPairPhone = bluetooth != .absent && bluetooth != .off
    guard let request = phones.request else {
      pairing = nil
      pairingNumber = nil
      return showConnectionChange(from: before, to: phones, at: now)
    }
    if request.number != pairingNumber {
      pairingNumber = request.number
      pairing = ScreenContext.Pairing(
        peer: request.name, code: request.passkey, until: now.advanced(by: Self.pairingTime))
    }
  }

  private mutating func showConnectionChange(
    from before: PhonesState?, to after: PhonesState, at now: MonotonicInstant
  ) {
    guard let before else { return }
    let texts = words.notices
    let (old, new) = (before.connected, after.connected)
    let removed = old.first { phone in !new.contains { $0.address == phone.address } }
    if let removed { self.notices.show(.phone, texts.disconnected(removed.name), at: now) }
    let added = new.first { phone in !old.contains { $0.address == phone.address } }
    if let added { self.notices.show(.phone, texts.connected(added.name), at: now) }
  }

  /// Removes the pairing request from the screen and returns its number. Nil if there is no
  /// request.
  package mutating func takePairingNumber() -> Int? {
    defer {
      pairing = nil
      pairingNumber = nil
    }
    return pairingNumber
  }

  /// True if the pairing request must be denied because the screen no longer shows it: the time of
  /// the request is over, or a call or the reverse gear hides the request.
  package func mustDenyPairing(at now: MonotonicInstant) -> Bool {
    guard pairing != nil, awaySince == nil else { return false }
    var context = ScreenContext(panel: Panel(size: PixelSize(width: 1, height: 1)), now: now)
    context.pairing = pairing
    context.isReversing = isReversing
    return NowPlayingLayout.shownPairing(shownState, context) == nil
  }

  /// The icon and the name of the source: radio, the unit's own files, or the app of a phone. Nil for
  /// other sources.
  func source(_ words: LocalizedWords) -> (symbol: Symbol, name: String)? {
    guard let session = state?.session?.rawValue, state?.content != nil else { return nil }
    if case .radio? = state?.content { return (.radio, words.radio) }
    if session == "local" { return (.note, words.music) }
    let phone = phones?.phones.first { session == "phone-\($0.address)" }
    return phone.map { (.phone, $0.app ?? $0.name) }
  }
}
