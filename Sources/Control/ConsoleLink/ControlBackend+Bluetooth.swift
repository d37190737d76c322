internal import Console
internal import Control
internal import NowPlaying
internal import Reports
internal import SystemClock

// Commands for phones.
extension ControlBackend {
  func perform(
    _ command: ConsoleCommand.Bluetooth, _ answer: @escaping (ConsoleReply) -> Void
  ) {
    let done: (Result<Void, ControlError>) -> Void = { result in
      answer(Self.reply(result) { .done() })
    }
    switch command {
    case .show: facts(.bluetooth, answer)
    case .phones:
      client.call(Bluetooth1.phones.get) { result in
        answer(Self.reply(result) { .phones($0, at: MonotonicInstant.now()) })
      }
    case .pair(let seconds): client.call(Bluetooth1.openPairing, seconds.map { .seconds($0) }, done)
    case .find(let seconds): client.call(Bluetooth1.find, seconds.map { .seconds($0) }, done)
    case .add(let device):
      client.call(Bluetooth1.add, device) { result in
        answer(Self.reply(result) { .done(ConsoleMessage("device-paired", $0)) })
      }
    case .endPairing: client.call(Bluetooth1.closePairing, done)
    case .answer(let accepts): self.answer(accepts, answer)
    case .connect(let phone):
      client.call(Bluetooth1.connect, phone) { result in
        answer(Self.reply(result) { .done(ConsoleMessage("phone-connected", $0)) })
      }
    case .disconnect(let phone): client.call(Bluetooth1.disconnect, phone, done)
    case .rename(let phone, let name):
      client.call(Bluetooth1.rename, Renaming(phone, to: name), done)
    case .first(let phone): client.call(Bluetooth1.setFirstChoice, phone ?? "", done)
    case .forget(let phone): client.call(Bluetooth1.forget, phone, done)
    }
  }

  /// Reads the number of the pending pairing request and then answers this request. A request that
  /// arrives between the two calls has another number, so it is not answered.
  private func answer(_ accepts: Bool, _ answer: @escaping (ConsoleReply) -> Void) {
    client.call(Bluetooth1.phones.get) { [client] result in
      guard case .success(let state) = result else {
        return answer(Self.reply(result) { _ in .done() })
      }
      guard let request = state.request else {
        return answer(.refused(Refusal(.noPairingRequest, "No phone requests pairing.")))
      }
      client.call(accepts ? Bluetooth1.acceptPairing : Bluetooth1.rejectPairing, request.number) {
        result in
        answer(
          Self.reply(result) {
            .done(
              accepts
                ? ConsoleMessage("pairing-accepted", "\(request.name) is accepted.")
                : ConsoleMessage("pairing-rejected", "\(request.name) is rejected."))
          })
      }
    }
  }
}
