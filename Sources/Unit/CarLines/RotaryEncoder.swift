package import EventLoop
package import GPIO
internal import Glibc

/// A rotary encoder at two GPIO lines of one chip. If the lines cannot be opened, this object tries again.
///
/// - Thread: the control thread. No method blocks.
package final class RotaryEncoder {
  /// The lines and the kind of an encoder.
  package struct Configuration: Equatable, Sendable {
    package var first: GPIOLineChoice
    package var second: GPIOLineChoice
    package var detents: QuadratureDecoder.Detents

    /// Memberwise initializer.
    package init(
      first: GPIOLineChoice, second: GPIOLineChoice, detents: QuadratureDecoder.Detents
    ) {
      self.first = first
      self.second = second
      self.detents = detents
    }
  }

  /// Called with each group of steps in one direction: their number, negative to the left, and the time of
  /// the last one, in nanoseconds of CLOCK_MONOTONIC.
  package var onTurn: ((_ steps: Int, _ time: Int64) -> Void)?
  /// Called if the lines cannot be used, with the reason as a sentence for the operator. Not called again as
  /// long as the reason stays the same.
  package var onFailure: ((String) -> Void)?

  private let loop: EventLoop
  private let retryInterval: Duration
  private var configuration: Configuration?
  private var pair: GPIOPair?
  private var decoder: QuadratureDecoder?
  private var edges: DescriptorSource?
  private var retryTimer: TimerSource?
  private var lastFailure = ""
  /// The wait before the next attempt. It grows, because a line that the board does not have never appears.
  private var wait: Duration

  package init(_ loop: EventLoop, retryInterval: Duration = .seconds(5)) {
    self.loop = loop
    self.retryInterval = retryInterval
    wait = retryInterval
    retryTimer = TimerSource(loop) { [weak self] in self?.openLines() }
  }

  deinit { close() }

  /// True while the lines are open.
  package var isOpen: Bool { pair != nil }

  /// Uses these lines from now on; nil for none. Does nothing if they are the same as before.
  package func choose(_ configuration: Configuration?) {
    guard configuration != self.configuration else { return }
    close()
    retryTimer?.stop()
    self.configuration = configuration
    lastFailure = ""
    wait = retryInterval
    openLines()
  }

  private func openLines() {
    guard let configuration, pair == nil else { return }
    do throws(GPIOError) {
      let pair = try GPIOChip.pair(configuration.first, configuration.second)
      guard
        let source = try? DescriptorSource(
          loop, descriptor: pair.descriptor, { [weak self] _ in self?.readEdges() })
      else {
        Glibc.close(pair.descriptor)
        return fail("edges of \(configuration.first.address.text) cannot be monitored")
      }
      self.pair = pair
      edges = source
      lastFailure = ""
      startDecoding()
    } catch {
      fail(error.message)
    }
  }

  private func startDecoding() {
    guard let configuration, let levels = pair?.levels else { return }
    decoder = QuadratureDecoder(
      configuration.detents, first: levels.first, second: levels.second)
  }

  private func readEdges() {
    switch pair?.read() {
    case .edges(let edges, let areSomeLost):
      var steps = 0
      for edge in edges {
        steps += decoder?.take(isFirst: edge.isFirst, isClosed: edge.isActive) ?? 0
      }
      if areSomeLost { startDecoding() }
      if steps != 0, let time = edges.last?.time { onTurn?(steps, time) }
    case .removed:
      close()
      fail("the GPIO lines of the encoder were removed")
    case nil: break
    }
  }

  private func fail(_ failure: String) {
    retryTimer?.set(after: wait)
    wait = min(wait * 2, longestWait)
    guard failure != lastFailure else { return }
    lastFailure = failure
    onFailure?(failure)
  }

  private func close() {
    edges?.cancel()
    edges = nil
    if let pair { Glibc.close(pair.descriptor) }
    pair = nil
    decoder = nil
  }
}
