internal import Synchronization
public import Threads

/// Finds the covers of one session, on a separate thread.
///
/// Only the latest request is answered. An earlier request is dropped, even if its search has already begun, or if its
/// answer is ready but was not taken (A1, A2).
///
/// - Thread: the control thread only. Only ``shutDown()`` blocks. The type is `Sendable` only because a provider of
///   artwork must be `Sendable`.
public final class ArtworkLoader: Sendable {
  private let exchange = ArtworkExchange()
  private let thread: Mutex<NamedThread?>

  /// Starts the thread, which sleeps until the first request.
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

  /// Signalled when ``takeAnswer()`` can return an answer.
  public var wakeUp: WakeUp { exchange.controlWake }

  /// Requests the cover of the content that plays now. Replaces an earlier request. Has no effect if the same request
  /// was made before and its answer was not taken yet.
  public func load(_ request: CoverRequest) { exchange.setCurrent(request) }

  /// Drops the request of ``load(_:)``.
  public func cancel() { exchange.setCurrent(nil) }

  /// Returns the answer to the latest ``load(_:)``. Each answer is returned only once.
  public func takeAnswer() -> CoverAnswer? { exchange.takeAnswer() }

  /// Searches in advance for the cover of the content that plays next. The search begins when the request of
  /// ``load(_:)`` is answered. If `request` is nil, nothing plays next. ``wakeUp`` is not signalled for the answer of
  /// this search. If ``load(_:)`` requests the same cover later, the cover is not searched for again.
  public func prepare(_ request: CoverRequest?) { exchange.setUpcoming(request) }

  /// The answer to the latest ``prepare(_:)``. Nil if there is no answer yet, or if the latest ``prepare(_:)`` had
  /// another request. The answer is kept until another request is prepared or the same request is loaded.
  public func prepared(_ request: CoverRequest) -> CoverAnswer? { exchange.prepared(request) }

  /// Stops the thread. Blocks until the thread has ended. If a stick does not answer, the thread ends only after the
  /// time-out of the kernel.
  public func shutDown() {
    exchange.shutDown()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  deinit { shutDown() }
}
