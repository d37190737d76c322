package import BluetoothRadio

/// Controllers that answer when a test says so.
package final class FakeController: RadioAccess {
  /// Whether it can pair by a number.
  package var pairsByNumber = false
  /// Who made it.
  package static let maker = "Cambridge Silicon Radio"
  /// Addresses of those that it has a link with.
  package var links: [String] = []
  /// Adapters that there are; a question to another one fails.
  package var adapters: Set<Int> = [0]
  /// How often it was asked.
  package private(set) var questions = 0
  private var requests: [Request] = []

  /// One controller without a link, which nobody has asked yet.
  package init() {}

  /// See ``RadioAccess``.
  package func read(
    _ adapter: Int, _ completion: @escaping (Result<RadioReading, RadioFailure>) -> Void
  ) -> any RadioRequest {
    questions += 1
    let request = Request(adapter, completion)
    requests.append(request)
    return request
  }

  /// Whether somebody waits for an answer.
  package var isAsked: Bool { requests.contains { $0.completion != nil } }

  /// Answers all that it was asked: who it is, and the same of each link.
  package func answerAll(signal: Int, quality: Int) {
    answerAll(
      .success(
        RadioReading(
          details: ControllerDetails(
            manufacturer: Self.maker, version: "5.1",
            features: pairsByNumber ? [.simplePairing] : []),
          links: Dictionary(
            uniqueKeysWithValues: links.map { ($0, LinkReading(signal: signal, quality: quality)) })
        )))
  }

  /// Answers all that it was asked with this.
  package func answerAll(_ result: Result<RadioReading, RadioFailure>) {
    let asked = requests
    requests = []
    for request in asked {
      let isThere = adapters.contains(request.adapter)
      request.complete(isThere ? result : .failure(RadioFailure("hci_open_dev: No such device")))
    }
  }

  private final class Request: RadioRequest {
    let adapter: Int
    private(set) var completion: ((Result<RadioReading, RadioFailure>) -> Void)?

    init(_ adapter: Int, _ completion: @escaping (Result<RadioReading, RadioFailure>) -> Void) {
      self.adapter = adapter
      self.completion = completion
    }

    func cancel() { completion = nil }

    func complete(_ result: Result<RadioReading, RadioFailure>) {
      let tell = completion
      completion = nil
      tell?(result)
    }
  }
}
