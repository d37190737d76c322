internal import Synchronization
public import Threads

/// Finds the covers of one session, on a separate thread.
///
/// Only the latest request is answered. Earlier requests are dropped, whether they wait, are in
/// progress, or are answered but not taken (A1, A2).
///
/// - Thread: the control thread only. Only ``shutDown()`` blocks. The type is `Sendable` because a
///   provider of artwork must be; two threads must not share its answers.
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

  /// The answer to the latest ``load(_:)``, once.
  public func takeAnswer() -> CoverAnswer? { exchange.takeAnswer() }

  /// Finds the cover of the content that plays next, when no other request is due. Nil: none.
  /// ``wakeUp`` is not signalled for it. The answer is available when ``load(_:)`` requests the
  /// same cover.
  public func prepare(_ request: CoverRequest?) { exchange.setUpcoming(request) }

  /// The answer to the latest ``prepare(_:)``. Nil if there is none yet or if it is for another
  /// request. The answer is kept until another request is prepared or this one is loaded.
  public func prepared(_ request: CoverRequest) -> CoverAnswer? { exchange.prepared(request) }

  /// Stops the thread. Blocks until it has ended. On a stick that does not answer, this takes until
  /// the system's time-out.
  public func shutDown() {
    exchange.shutDown()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  deinit { shutDown() }
}
