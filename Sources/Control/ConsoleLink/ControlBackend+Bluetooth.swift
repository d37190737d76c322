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
      client.getPhones { result in
        answer(Self.reply(result) { .phones($0, at: MonotonicInstant.now()) })
      }
    case .pair(let seconds): client.pairing(opens: true, seconds: seconds, done)
    case .find(let seconds): client.findDevices(seconds: seconds, done)
    case .add(let device):
      client.addDevice(device) { result in
        answer(Self.reply(result) { .done(ConsoleMessage("device-paired", $0)) })
      }
    case .endPairing: client.pairing(opens: false, done)
    case .answer(let accepts): self.answer(accepts, answer)
    case .connect(let phone):
      client.connectPhone(phone) { result in
        answer(Self.reply(result) { .done(ConsoleMessage("phone-connected", $0)) })
      }
    case .disconnect(let phone): client.disconnectPhone(phone, done)
    case .rename(let phone, let name): client.renamePhone(phone, to: name, done)
    case .first(let phone): client.setFirstChoice(phone ?? "", done)
    case .forget(let phone): client.forgetPhone(phone, done)
    }
  }

  /// Reads the number of the pending pairing request and then answers this request. A request that
  /// arrives between the two calls has another number, so it is not answered.
  private func answer(_ accepts: Bool, _ answer: @escaping (ConsoleReply) -> Void) {
    client.getPhones { [client] result in
      guard case .success(let state) = result else {
        return answer(Self.reply(result) { _ in .done() })
      }
      guard let request = state.request else {
        return answer(.refused(Refusal(.noPairingRequest, "No phone requests pairing.")))
      }
      client.answerPairing(request.number, accepts: accepts) { result in
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
