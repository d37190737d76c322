public import AudioCodecs
public import Threads

/// The destination of frames: a sound card, a file, or nothing.
///
/// The sink runs the output thread's inner loop, because only the sink knows when its device can take frames. It pulls
/// frames from the ``Renderer``: a period at a time, or in larger amounts if the buffer of its device is rewritten.
///
/// - Thread: the output thread only.
public protocol AudioSink: AnyObject, Sendable {
  /// The name that the user sees, for example `default` or `wav:out.wav`.
  var name: String { get }

  /// Sets the device up for `wanted`, or for the nearest format that the device supports. Returns the format of the
  /// device; the engine converts frames to this format. May allocate and block. After an error the sink is closed.
  func open(_ wanted: StreamFormat) throws(SinkError) -> DeviceFormat

  /// True if `device`, which was set up for `opened`, can play frames of `format` without a new ``open(_:)``. Can be
  /// called on any thread, because the result depends only on the formats.
  func accepts(
    _ format: StreamFormat, openedFor opened: StreamFormat, as device: DeviceFormat
  ) -> Bool

  /// The engine signals this wake-up when there are new frames. Only a sink without its own clock needs the wake-up.
  /// Nil if the sink has a clock.
  var dataWake: WakeUp? { get }

  /// Moves frames from `renderer` to the device until ``Renderer/mustLeave`` is true or the device fails. The whole
  /// call is below the real-time line. After a failure the engine calls ``close(draining:)``.
  ///
  /// If the device is filled by periods, the call returns as soon as ``Renderer/mustLeave`` is true. The device then
  /// still holds frames.
  ///
  /// If the buffer of the device is rewritten (``DeviceFormat/rewritableFrames`` is not nil), the call returns after
  /// ``RewriteStep/leave``. The last content was then heard, and the device holds only silence. When the engine stops,
  /// a fade replaces the frames that were not heard. A pause does not end the call: a fade and silence replace the
  /// frames in the device. At the end of the pause, the music replaces the silence, from the frame after the last heard
  /// frame.
  func run(_ renderer: Renderer) -> SinkExit

  /// Closes the device. If `draining`, the device first plays the frames that it holds. A device whose buffer is
  /// rewritten holds no content, so its frames are dropped. Blocks until the device is closed.
  func close(draining: Bool)
}

extension AudioSink {
  /// Compares only rate and layout, because a device is always set up with its widest sample format. A format also fits
  /// if a new setup would give the same device, because the setup would only cause a gap.
  public func accepts(
    _ format: StreamFormat, openedFor opened: StreamFormat, as device: DeviceFormat
  ) -> Bool {
    format.sampleRate == opened.sampleRate && format.layout == opened.layout
      || device.isNearest(to: format)
  }

  /// Nil, because a device has its own clock.
  public var dataWake: WakeUp? { nil }

  /// True if the sink plays in real time; false if it takes frames as fast as the engine can deliver them.
  public var keepsTime: Bool { dataWake == nil }
}

/// The reason why the loop of a sink ended.
public enum SinkExit: Equatable, Sendable {
  /// The renderer told the sink to end its loop (``Renderer/mustLeave``).
  case left
  /// The device failed. The value is a system error number.
  case failed(Int32)
}

/// The error of a device that cannot be used.
public struct SinkError: Error, Equatable, Sendable {
  /// What failed, and the error of the system, as a message to the user.
  public let reason: String
  /// True if the device does not exist at all. False if the device exists but cannot be opened. Only errors of opening
  /// a device can have the value true.
  public let isAbsent: Bool

  /// Creates an error.
  public init(_ reason: String, isAbsent: Bool = false) {
    self.reason = reason
    self.isAbsent = isAbsent
  }
}

/// The format of the frames that a device plays.
public struct DeviceFormat: Equatable, Sendable {
  /// Frames per second.
  public var sampleRate: Int
  /// One loudspeaker per channel, in ALSA's order.
  public var layout: ChannelLayout
  /// The rates of tracks for which the device is set up with ``sampleRate``, because it supports no nearer rate.
  public var sourceRates: ClosedRange<Int>
  /// The numbers of channels that the device does not support, so that such tracks are mixed to ``layout``.
  public var mixedChannels: Set<Int> = []
  /// How samples are coded.
  public var samples: DeviceSamples
  /// Number of frames that are handed over at a time.
  public var periodFrames: Int
  /// The largest number of frames that the device holds and has not played yet.
  public var bufferFrames: Int
  /// The number of frames that are handed over in advance and can be rewritten. Nil if the device is filled by periods.
  public var rewritableFrames: Int?
  /// Why the device is filled by periods; nil if its buffer is rewritten, or if it is not a sound card.
  public var periodsReason: PeriodsReason?

  /// The result of the test of the device; nil if the device was never tested.
  public var cardTest: CardTest?

  /// The result of the test whether the frames in a sound card can be rewritten (`snd_pcm_rewind`).
  public struct CardTest: Equatable, Sendable {
    /// The driver, the name of the card and the identity of its PCM. If the PCM has no card, the name of the PCM.
    public var card: String
    /// The position of the card advances in steps of at most this number of frames at 48 kHz. 0 if frames cannot be
    /// rewritten.
    public var step: Int

    public init(card: String, step: Int) {
      self.card = card
      self.step = step
    }
  }

  /// Why a device is filled by periods.
  public enum PeriodsReason: String, Sendable {
    /// The configuration requests periods.
    case configured
    /// The PCM is not a sound card of this machine.
    case noSoundCard
    /// The device has no shared memory, or copies frames in batches.
    case notSupported
    /// The test did not show that the frames in the device can be rewritten reliably.
    case testFailed
  }

  /// Creates a format.
  public init(
    sampleRate: Int, layout: ChannelLayout, samples: DeviceSamples, periodFrames: Int,
    bufferFrames: Int, rewritableFrames: Int? = nil
  ) {
    self.rewritableFrames = rewritableFrames
    self.sampleRate = sampleRate
    sourceRates = sampleRate...sampleRate
    self.layout = layout
    self.samples = samples
    self.periodFrames = periodFrames
    self.bufferFrames = bufferFrames
  }

  /// True if a device that is set up for `format` gets this rate and this layout.
  func isNearest(to format: StreamFormat) -> Bool {
    sourceRates.contains(format.sampleRate)
      && (format.layout == layout || mixedChannels.contains(format.layout.count))
  }

  /// Bytes of one frame.
  public var frameBytes: Int { layout.count * samples.bytes }
}

/// How a device codes samples. The cases stand for little-endian formats of `snd_pcm_format_t`.
public enum DeviceSamples: Sendable, CaseIterable {
  case s16
  /// 24 bits in the lower three of four bytes.
  case s24
  /// 24 bits in three bytes.
  case s24Packed
  case s32
  /// Float samples from −1 to 1.
  case float

  /// ALSA's name of the coding, without the byte order.
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

  /// Significant bits. The value of `float` is larger than the value of any integer encoding.
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
