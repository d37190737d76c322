public import AudioCodecs
public import AudioEngine

/// A sink that a test runs step by step. It keeps all frames that it gets.
///
/// Not thread-safe, so use it only on the thread of the test.
public final class CapturingSink: AudioSink, @unchecked Sendable {
  /// One opening of the device, and the frames that the sink got until the next opening.
  public struct Take {
    /// The format that the engine requested.
    public let wanted: StreamFormat
    /// The format that the sink returned.
    public let device: DeviceFormat
    /// The frames as bytes in the device's format.
    public var bytes: [UInt8] = []

    /// The frames as 16-bit samples.
    public var samples16: [Int16] { bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) } }
    /// The frames as 32-bit samples.
    public var samples32: [Int32] { bytes.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) } }
  }

  /// All openings of the device so far.
  public private(set) var takes: [Take] = []
  /// The number of frames that the next call of ``run(_:)`` takes before it returns.
  public var budget = 0
  /// If true, missing frames are replaced by silence, as in the sink of a sound card.
  public var pads = false
  /// The device delay that the sink reports, in frames.
  public var deviceDelay = 0
  /// The number of times that the sink was closed.
  public private(set) var closeCount = 0
  /// The errors of the next calls of ``open(_:)``.
  public var openFailures: [SinkError] = []
  /// The error number with which the next call of ``run(_:)`` ends. Nil if the call ends without an error.
  public var runFailure: Int32?
  /// The number of frames that the sink hands over in advance, if it can take frames back from the device (a rewind in
  /// ALSA). Nil if the device is filled by periods.
  public var rewritableFrames: Int?
  /// The safeguard of a device from which the sink can take frames back.
  public var safeguard = 64
  /// If the sink can take frames back: the bytes of the frames that the device has got and not played.
  private var held: [UInt8] = []
  /// For each rewrite: the number of the first frame that the sink took back, counted from the last opening.
  public private(set) var rewriteStarts: [Int] = []
  /// The number of frames that the sink has handed over since the last opening. Frames that were taken back do not
  /// count.
  public var renderedFrames: Int {
    guard let take = takes.last else { return 0 }
    return (take.bytes.count + held.count) / take.device.frameBytes
  }
  /// The number of frames that the sink tries to take back, but that the device keeps. This simulates a device that
  /// reads further ahead than its safeguard.
  public var keptFrames = 0
  /// Called after the renderer has decided to render a block, and before it renders the block.
  public var beforeBlock: () -> Void = {}
  /// Called each time the sink waits for the device.
  public var onWait: () -> Void = {}
  /// The number of times that the sink waited for the device.
  public private(set) var waitCount = 0
  /// Makes the device format from the requested format.
  public var device: (StreamFormat) -> DeviceFormat

  private static let periodFrames = 64

  /// Creates a sink whose device accepts all rates and layouts, and uses the sample format `samples`.
  public init(samples: DeviceSamples = .s32) {
    device = { wanted in
      DeviceFormat(
        sampleRate: wanted.sampleRate, layout: wanted.layout, samples: samples, periodFrames: 64,
        bufferFrames: 128)
    }
  }

  public var name: String { "capture" }

  /// Records the opening, or throws the next error in ``openFailures``.
  public func open(_ wanted: StreamFormat) throws(SinkError) -> DeviceFormat {
    if !openFailures.isEmpty { throw openFailures.removeFirst() }
    var format = device(wanted)
    format.rewritableFrames = rewritableFrames
    held = []
    takes.append(Take(wanted: wanted, device: format))
    return format
  }

  /// Takes at most ``budget`` frames from the renderer. Stops early if the renderer has no frame.
  public func run(_ renderer: Renderer) -> SinkExit {
    if let code = runFailure {
      runFailure = nil
      return .failed(code)
    }
    guard let last = takes.indices.last else { return .left }
    if rewritableFrames != nil { return rewrite(renderer, take: last) }
    let frameBytes = takes[last].device.frameBytes
    var buffer = [UInt8](repeating: 0, count: Self.periodFrames * frameBytes)
    while budget > 0, !renderer.mustLeave {
      let wanted = min(budget, Self.periodFrames)
      var count = 0
      let (pads, delay) = (pads, deviceDelay)
      buffer.withUnsafeMutableBytes { memory in
        let out = memory.baseAddress!
        // This section contains the same calls as the loop of a sound card's sink, and no code of the test.
        RealTimeSection.run {
          count = renderer.render(into: out, frames: wanted, pads: pads)
          renderer.handedOver(deviceDelay: delay)
        }
      }
      takes[last].bytes += buffer[..<(count * frameBytes)]
      budget -= count
      if count < wanted { break }
    }
    return .left
  }

  /// Plays at most ``budget`` frames. When the sound changes, takes back the unplayed frames and renders them again.
  private func rewrite(_ renderer: Renderer, take: Int) -> SinkExit {
    let frameBytes = takes[take].device.frameBytes
    var block = [UInt8](repeating: 0, count: 4096 * frameBytes)
    renderer.setSafeguard(safeguard)
    var isFresh = false
    while true {
      let count = held.count / frameBytes
      if !isFresh { RealTimeSection.run { renderer.deviceHolds(count, delay: count) } }
      isFresh = true
      var step = RewriteStep.measure
      RealTimeSection.run { step = renderer.nextStep(held: count, isFresh: true) }
      switch step {
      case .measure: break
      case .takeBack(let frames):
        let kept = min(keptFrames, frames)
        held.removeLast((frames - kept) * frameBytes)
        rewriteStarts.append(renderedFrames)
        // The renderer must also render the kept frames again. The result is not handed over, because the device plays
        // the old frames.
        var left = kept
        while left > 0 {
          block.withUnsafeMutableBytes {
            left -= renderer.renderBlock(into: $0.baseAddress!, frames: left)
          }
        }
      case .write(let frames):
        var rendered = 0
        beforeBlock()
        block.withUnsafeMutableBytes { memory in
          let out = memory.baseAddress!
          RealTimeSection.run { rendered = renderer.renderBlock(into: out, frames: frames) }
        }
        held += block[..<(rendered * frameBytes)]
      case .wait(let frames):
        waitCount += 1
        onWait()
        let played = min(frames, budget, count)
        takes[take].bytes += held[..<(played * frameBytes)]
        held.removeFirst(played * frameBytes)
        budget -= played
        if played == 0 { return .left }
        isFresh = false
      case .leave: return .left
      }
    }
  }

  /// Only counts the call in ``closeCount``.
  public func close(draining: Bool) { closeCount += 1 }
}
