public import AudioCodecs
public import Threads

/// Where frames go: a sound card, a file, nothing.
///
/// The sink runs the output thread's inner loop, because it alone knows what to wait for. It
/// pulls frames from the ``Renderer`` one period at a time.
///
/// - Thread: the output thread only.
public protocol AudioSink: AnyObject, Sendable {
  /// For people: `default`, `wav:out.wav`.
  var name: String { get }

  /// Sets the device up for `wanted`, or for what comes nearest; the answer says what it takes,
  /// and the engine converts. May allocate and block. After an error the sink is closed.
  func open(_ wanted: StreamFormat) throws(SinkError) -> DeviceFormat

  /// Whether frames of `format` can follow without a new ``open(_:)`` on a device that was set up
  /// for `opened`. Any thread; answers from the formats alone.
  func accepts(_ format: StreamFormat, openedFor opened: StreamFormat) -> Bool

  /// What the engine signals when there are new frames, for a sink that has no clock of its own.
  var dataWake: WakeUp? { get }

  /// Moves frames from `renderer` to the device until ``Renderer/mustLeave`` or a failure.
  /// Everything in here is below the real-time line. After a failure the sink waits for
  /// ``close(draining:)``.
  func run(_ renderer: Renderer) -> SinkExit

  /// Lets go of the device, when `draining` only after it played what it has. Blocks for as
  /// long as that takes.
  func close(draining: Bool)
}

extension AudioSink {
  /// A device that is set up as finely as it can be cares for rate and channels only.
  public func accepts(_ format: StreamFormat, openedFor opened: StreamFormat) -> Bool {
    format.sampleRate == opened.sampleRate && format.layout == opened.layout
  }

  /// A device has a clock.
  public var dataWake: WakeUp? { nil }

  /// Whether the sink plays in real time, and does not take frames as fast as they come.
  public var keepsTime: Bool { dataWake == nil }
}

/// Why a sink's loop ended.
public enum SinkExit: Equatable, Sendable {
  /// The renderer asked.
  case left
  /// The device failed; a system error number.
  case failed(Int32)
}

/// The device cannot be used.
public struct SinkError: Error, Equatable, Sendable {
  /// What was tried and what the system said, for people.
  public let reason: String
  /// Whether there is no such device at all, rather than one that refuses: only said of one
  /// that was to be opened.
  public let isAbsent: Bool

  /// Takes the words, and what they mean.
  public init(_ reason: String, isAbsent: Bool = false) {
    self.reason = reason
    self.isAbsent = isAbsent
  }
}

/// What a device takes.
public struct DeviceFormat: Equatable, Sendable {
  /// Frames per second.
  public var sampleRate: Int
  /// One loudspeaker per channel, in ALSA's order.
  public var layout: ChannelLayout
  /// How samples are coded, native byte order.
  public var samples: DeviceSamples
  /// Frames that are handed over at a time.
  public var periodFrames: Int
  /// Frames that the device holds.
  public var bufferFrames: Int

  /// Joins all.
  public init(
    sampleRate: Int, layout: ChannelLayout, samples: DeviceSamples, periodFrames: Int,
    bufferFrames: Int
  ) {
    self.sampleRate = sampleRate
    self.layout = layout
    self.samples = samples
    self.periodFrames = periodFrames
    self.bufferFrames = bufferFrames
  }

  /// Bytes of one frame.
  public var frameBytes: Int { layout.count * samples.bytes }
}

/// How a device codes samples; names as in `snd_pcm_format_t`, little-endian.
public enum DeviceSamples: Sendable, CaseIterable {
  case s16
  /// 24 bits in the lower three of four bytes.
  case s24
  /// 24 bits in three bytes.
  case s24Packed
  case s32
  /// ±1.
  case float

  /// For people.
  public var name: String {
    switch self {
    case .s16: "S16"
    case .s24: "S24"
    case .s24Packed: "S24_3"
    case .s32: "S32"
    case .float: "FLOAT"
    }
  }

  /// Bytes of one sample.
  public var bytes: Int {
    switch self {
    case .s16: 2
    case .s24Packed: 3
    case .s24, .s32, .float: 4
    }
  }

  /// Significant bits; more than an integer source can have for `float`.
  var bits: Int {
    @_noLocks get {
      switch self {
      case .s16: 16
      case .s24, .s24Packed: 24
      case .s32: 32
      case .float: 33
      }
    }
  }
}
