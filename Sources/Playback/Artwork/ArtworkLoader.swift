internal import Synchronization
public import Threads

/// Finds the covers of one session, on a thread of its own.
///
/// The latest request wins: there is one answer for it and none for those before, whether they
/// wait, are under way, or are answered and not taken (A1, A2).
///
/// - Thread: the control thread's; nothing here blocks but ``shutDown()``. It may be sent because a
///   provider of artwork is, not because two threads could share its answers.
public final class ArtworkLoader: Sendable {
  private let exchange = ArtworkExchange()
  private let thread: Mutex<NamedThread?>

  /// Starts the thread. It sleeps until something is asked.
  public init(cache: ArtworkCache, limits: CoverLimits = CoverLimits()) {
    let worker = NamedThread("artwork") { [exchange] in
      let loop = ArtworkLoop(exchange: exchange) { request, goesOn in
        CoverSearch.answer(request, cache: cache, limits: limits, goesOn: goesOn)
      }
      while !exchange.isStopping {
        if loop.step() == .waits { exchange.workerWake.wait() }
      }
    }
    thread = Mutex(worker)
  }

  /// Signalled when ``takeAnswer()`` has something.
  public var wakeUp: WakeUp { exchange.controlWake }

  /// Asks for the cover of what plays now, and no more for any other. The same again while it is
  /// not answered changes nothing.
  public func load(_ request: CoverRequest) { exchange.setCurrent(request) }

  /// What plays now needs no cover any more.
  public func cancel() { exchange.setCurrent(nil) }

  /// The answer to the latest ``load(_:)``, once.
  public func takeAnswer() -> CoverAnswer? { exchange.takeAnswer() }

  /// Looks in advance for the cover of what plays next, nil for nothing, when nothing else is to
  /// be done. Nobody is woken for it: the answer is there when ``load(_:)`` asks for it.
  public func prepare(_ request: CoverRequest?) { exchange.setUpcoming(request) }

  /// The answer to the latest ``prepare(_:)``, if it is for this and there is one. It stays until
  /// something else is prepared or this is loaded.
  public func prepared(_ request: CoverRequest) -> CoverAnswer? { exchange.prepared(request) }

  /// Stops the thread. Blocks until it has ended, which on a stick that does not answer is as
  /// long as the system waits for it.
  public func shutDown() {
    exchange.shutDown()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  deinit { shutDown() }
}
