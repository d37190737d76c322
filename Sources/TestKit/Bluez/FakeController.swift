package import BluetoothController

/// Simulated Bluetooth controllers. They answer requests only when the test calls `answerAll`.
package final class FakeController: ControllerReader {
  /// True if the controllers support numeric comparison.
  package var pairsByNumber = false
  /// The maker that the controllers report.
  package static let maker = "Cambridge Silicon Radio"
  /// The result of a request to an adapter that does not exist.
  package static let noSuchDevice = ControllerFailure.reported("hci_open_dev: No such device")
  /// The addresses of connected devices.
  package var links: [String] = []
  /// The numbers of the existing adapters. A request to any other adapter fails.
  package var adapters: Set<Int> = [0]
  /// The number of requests so far.
  package private(set) var requestCount = 0
  private var requests: [Request] = []

  /// Starts with one controller, without connected devices.
  package init() {}

  /// Keeps the request until the test answers it.
  package func read(
    _ adapter: Int, _ completion: @escaping (Result<ControllerReading, ControllerFailure>) -> Void
  ) -> any ControllerQuery {
    requestCount += 1
    let request = Request(adapter, completion)
    requests.append(request)
    return request
  }

  /// True if a request is pending.
  package var hasPendingRequest: Bool { requests.contains { $0.completion != nil } }

  /// Answers all pending requests. The answer contains the details of the controller. For each device in ``links``, the
  /// answer contains `signal` and `quality`.
  package func answerAll(signal: Int, quality: Int) {
    answerAll(
      .success(
        ControllerReading(
          details: ControllerDetails(
            manufacturer: Self.maker, version: "5.1",
            features: pairsByNumber ? [.simplePairing] : []),
          links: Dictionary(
            uniqueKeysWithValues: links.map { ($0, LinkReading(signal: signal, quality: quality)) })
        )))
  }

  /// Answers all pending requests with this result.
  package func answerAll(_ result: Result<ControllerReading, ControllerFailure>) {
    let pending = requests
    requests = []
    for request in pending {
      let exists = adapters.contains(request.adapter)
      request.complete(exists ? result : .failure(Self.noSuchDevice))
    }
  }

  private final class Request: ControllerQuery {
    let adapter: Int
    private(set) var completion: ((Result<ControllerReading, ControllerFailure>) -> Void)?

    init(
      _ adapter: Int, _ completion: @escaping (Result<ControllerReading, ControllerFailure>) -> Void
    ) {
      self.adapter = adapter
      self.completion = completion
    }

    func cancel() { completion = nil }

    func complete(_ result: Result<ControllerReading, ControllerFailure>) {
      let completion = self.completion
      self.completion = nil
      completion?(result)
    }
  }
}
