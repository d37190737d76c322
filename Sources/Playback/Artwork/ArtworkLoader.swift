internal import Synchronization
public import Threads

/// Finds the covers of one session, on a separate thread.
///
/// Only the latest request is answered. Earlier requests are dropped, whether they wait, are in
/// progress, or are answered but not taken (A1, A2).
///
/// - Thread: the control thread only. Only ``shutDown()`` blocks. The type is `Sendable` only
///   because a provider of artwork must be `Sendable`. Two threads must not take its answers.
public final class ArtworkLoader: Sendable {
  private let exchange = ArtworkExchange()
  private let thread: Mutex<NamedThread?>

  /// Starts the thread. It sleeps until the first request.
  public init(cache: ArtworkCache, limits: CoverLimits = CoverLimits()) {
    let worker = NamedThread("artwork") { [exchange] in
      let loop = ArtworkLoop(exchange: exchange) { request, shouldContinue in
        CoverSearch.answer(request, cache: cache, limits: limits, shouldContinue: shouldContinue)
      }
      while !exchange.isStopping {
        if loop.step() == .waits { exchange.workerWake.wait() }
      }
    }
    thread = Mutex(worker)
  }

  /// Signalled when ``takeAnswer()`` has an answer.
  public var wakeUp: WakeUp { exchange.controlWake }

  /// Requests the cover of the content that plays now. Replaces an earlier request. A repeated
  /// request that is not answered yet changes nothing.
  public func load(_ request: CoverRequest) { exchange.setCurrent(request) }

  /// Drops the request of ``load(_:)``.
  public func cancel() { exchange.setCurrent(nil) }

  /// Returns the answer to the latest ``load(_:)``. Each answer is returned only once.
  public func takeAnswer() -> CoverAnswer? { exchange.takeAnswer() }

  /// Searches for the cover of the content that plays next, as soon as no other request is due. Nil
  /// means that nothing plays next. ``wakeUp`` is not signalled for this answer. When ``load(_:)``
  /// requests the same cover, the answer is available at once.
  public func prepare(_ request: CoverRequest?) { exchange.setUpcoming(request) }

  /// The answer to the latest ``prepare(_:)``. Nil if there is no answer yet, or if the latest
  /// ``prepare(_:)`` had another request. The answer is kept until another request is prepared or
  /// the same request is loaded.
  public func prepared(_ request: CoverRequest) -> CoverAnswer? { exchange.prepared(request) }

  /// Stops the thread. Blocks until the thread has ended. If a stick does not answer, this takes
  /// until the time-out of the system.
  public func shutDown() {
    exchange.shutDown()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  deinit { shutDown() }
}
