internal import NowPlaying
internal import Reports

// Questions of bluetoothd to the agent, and the answers of people.
extension Pairing {
  func asked(_ asked: PairingAgent.Asked) {
    let device = client.device(at: asked.device)
    let address = device?.address ?? asked.device
    let name = device?.name ?? "unknown"
    let decision = policy.decide(
      asked.question, address: address, name: name,
      isBonded: device.map { $0.isBonded && isWelcome($0) } ?? false, at: clock())
    switch decision {
    case .accept: asked.answer(nil)
    case .refuse(let why):
      client.log(.pairingRefused, "\(name) (\(address)) is refused: \(why)")
      asked.answer(why)
    case .ask(let request):
      client.log(
        .pairingAsked,
        "\(name) (\(address)) requests pairing"
          + (request.passkey.map { " with the number \($0)" } ?? " without a number"))
      waiting = (asked.device, asked.answer)
    }
    windowChanged()
    onActivity?()
  }

  /// Answers the pairing request of a phone.
  /// - Returns: the reason why the request cannot be answered; nil after success.
  func answer(_ number: Int, accepts: Bool) -> Refusal? {
    guard let request = policy.request, policy.answered(number) else {
      return Refusal(.noPairingRequest, "that phone does not ask any more")
    }
    client.log(
      accepts ? .pairingAccepted : .pairingRejected,
      "the pairing of \(request.name) (\(request.address)) was "
        + (accepts ? "accepted" : "rejected"))
    if accepts, request.passkey != nil, let waiting { numberWasCompared(waiting.device) }
    answerWaiting(accepts ? nil : "rejected at the unit")
    windowChanged()
    return nil
  }

  /// The phone or bluetoothd has cancelled the request.
  func requestCancelled() {
    if let request = policy.request {
      client.log(
        .pairingWithdrawn, "\(request.name) (\(request.address)) has cancelled the pairing")
    }
    policy.withdraw()
    answerWaiting("cancelled")
    windowChanged()
  }

  func answerWaiting(_ refusal: String?) {
    let answer = waiting?.answer
    waiting = nil
    answer?(refusal)
  }
}
