public import Control
public import NowPlaying

/// What is heard from a frame of a stream on.
public struct StreamItem {
  /// The content. Nil if the content stays as it is.
  public var content: (any MediaContentRepresentable)?
  /// The position in the content, with advertisements.
  public var time: Duration
  /// How fast the content advances while its frames are heard at the normal speed. From 0 (exclusive) to 100.
  public var rate: Double
  /// The normal rate. From 0 (exclusive) to 100.
  public var defaultRate: Double

  public init(
    _ content: (any MediaContentRepresentable)?, time: Duration = .zero, rate: Double = 1,
    defaultRate: Double = 1
  ) {
    self.content = content
    self.time = time
    self.rate = rate
    self.defaultRate = defaultRate
  }
}

extension MediaContent {
  /// Nil for a kind of content that the unit does not know.
  init?(_ content: any MediaContentRepresentable) {
    switch content {
    case let content as MusicContent: self = .music(content)
    case let content as RadioContent: self = .radio(content)
    case let content as GenericContent: self = .generic(content)
    default: return nil
    }
  }
}

/// A sample of a frame: `Int16`, `Int32` (24 bits, left-justified) or `Float`.
public protocol SoundSample: BitwiseCopyable {
  /// The format whose frames have these samples.
  static var samples: SoundFormat.Samples { get }
}

extension Int16: SoundSample {
  /// 16 bits.
  public static var samples: SoundFormat.Samples { .s16 }
}

extension Int32: SoundSample {
  /// 32 bits.
  public static var samples: SoundFormat.Samples { .s32 }
}

extension Float: SoundSample {
  /// Floating point.
  public static var samples: SoundFormat.Samples { .f32 }
}
