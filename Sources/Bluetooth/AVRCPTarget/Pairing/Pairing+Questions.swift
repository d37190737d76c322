internal import Bluez
internal import NowPlaying
internal import Reports

// Questions of bluetoothd to the agent, and the answers of people.
extension Pairing {
  func handleRequest(_ agentRequest: PairingAgent.AgentRequest) {
    let device = client.device(at: agentRequest.device)
    let address = device?.address ?? agentRequest.device
    let name = device?.name ?? "unknown"
    let decision = policy.decide(
      agentRequest.question, address: address, name: name,
      isBonded: device.map { $0.isBonded && isPermitted($0) } ?? false, at: clock())
    switch decision {
    case .accept: agentRequest.answer(nil)
    case .refuse(let failure):
      client.log(
        .pairingRefused, "\(name) (\(address)) is refused (\(failure.code)): \(failure)")
      agentRequest.answer(failure)
    case .ask(let request):
      client.log(
        .pairingAsked,
        "\(name) (\(address)) requests pairing"
          + (request.passkey.map { " with the number \($0)" } ?? " without a number"))
      pending = (agentRequest.device, agentRequest.answer)
    }
    windowChanged()
    onActivity?()
  }

  /// Answers the pairing request of a phone.
  /// - Returns: the reason why the request cannot be answered; nil after success.
  func answer(_ number: Int, accepts: Bool) -> Refusal? {
    guard let request = policy.request, policy.answered(number) else {
      return Refusal(.noPairingRequest, "the phone no longer requests pairing")
    }
    client.log(
      accepts ? .pairingAccepted : .pairingRejected,
      "the pairing of \(request.name) (\(request.address)) was "
        + (accepts ? "accepted" : "rejected"))
    if accepts, request.passkey != nil, let pending { numberConfirmed(pending.device) }
    answerPending(accepts ? nil : .rejectedAtUnit)
    windowChanged()
    return nil
  }

  /// Drops the request of a phone. Called when the phone or bluetoothd has cancelled the request,
  /// when the device was removed, and when bluetoothd has ended.
  func requestCancelled() {
    if let request = policy.request {
      client.log(
        .pairingWithdrawn, "\(request.name) (\(request.address)) has cancelled the pairing")
    }
    policy.withdraw()
    answerPending(.cancelled)
    windowChanged()
  }

  /// Answers the pending request of bluetoothd. Nil accepts the request; a failure rejects it.
  func answerPending(_ failure: PairingFailure?) {
    let answer = pending?.answer
    pending = nil
    answer?(failure)
  }
}
