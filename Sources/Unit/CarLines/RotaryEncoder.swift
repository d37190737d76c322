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

    package init(
      first: GPIOLineChoice, second: GPIOLineChoice, detents: QuadratureDecoder.Detents
    ) {
      self.first = first
      self.second = second
      self.detents = detents
    }
  }

  /// Called after edges were read that result in steps. `steps` is the sum of these steps; a step to the left counts as
  /// -1. `time` is the time of the last edge in nanoseconds of CLOCK_MONOTONIC.
  package var onTurn: ((_ steps: Int, _ time: Int64) -> Void)?
  /// Called if the lines cannot be used, with the reason as a sentence for the operator. Not called again as long as
  /// the reason stays the same.
  package var onFailure: ((String) -> Void)? {
    get { retry?.onFailure }
    set { retry?.onFailure = newValue }
  }

  private let loop: EventLoop
  private let access: PairAccess
  private var configuration: Configuration?
  private var pair: GPIOPair?
  private var decoder: QuadratureDecoder?
  private var edges: DescriptorSource?
  private var retry: LineRetry?

  package init(
    _ loop: EventLoop, _ access: PairAccess, retryInterval: Duration = .seconds(5)
  ) {
    self.loop = loop
    self.access = access
    retry = LineRetry(loop, firstWait: retryInterval) { [weak self] in self?.openLines() }
  }

  deinit { close() }

  /// True while the lines are open.
  package var isOpen: Bool { pair != nil }

  /// Uses these lines from now on, or no lines if `configuration` is nil. Does nothing if `configuration` is the same
  /// as before.
  package func choose(_ configuration: Configuration?) {
    guard configuration != self.configuration else { return }
    close()
    retry?.reset()
    self.configuration = configuration
    openLines()
  }

  private func openLines() {
    guard let configuration, pair == nil else { return }
    do throws(GPIOError) {
      let pair = try access.open(configuration.first, configuration.second)
      guard
        let source = try? DescriptorSource(
          loop, descriptor: pair.descriptor, { [weak self] _ in self?.readEdges() })
      else {
        Glibc.close(pair.descriptor)
        retry?.failed("edges of \(configuration.first.address.text) cannot be monitored")
        return
      }
      self.pair = pair
      edges = source
      guard startDecoding() else {
        close()
        retry?.failed("the level of \(configuration.first.address.text) cannot be read")
        return
      }
      retry?.reset()
    } catch {
      retry?.failed(error.message)
    }
  }

  /// Starts decoding with the present levels. Returns false if the chip does not report the levels.
  private func startDecoding() -> Bool {
    guard let configuration, let levels = pair.flatMap(access.levels) else { return false }
    decoder = QuadratureDecoder(
      configuration.detents, first: levels.first, second: levels.second)
    return true
  }

  private func readEdges() {
    switch pair?.read() {
    case .edges(let edges, let areSomeLost):
      var steps = 0
      for edge in edges {
        steps += decoder?.decode(isFirst: edge.isFirst, isClosed: edge.isActive) ?? 0
      }
      if areSomeLost { _ = startDecoding() }
      if steps != 0, let time = edges.last?.time { onTurn?(steps, time) }
    case .removed:
      close()
      retry?.failed("the GPIO lines of the encoder were removed")
    case nil: break
    }
  }

  private func close() {
    edges?.cancel()
    edges = nil
    if let pair { Glibc.close(pair.descriptor) }
    pair = nil
    decoder = nil
  }
}
