internal import Foundation

/// A simulated sound card that consists of a clock and a file. The plug-in `Tests/Audio/PacedPCM/paced.c` implements
/// and describes the card.
///
/// Each instance is a separate card, so tests that run at the same time do not affect each other. The plug-in is
/// compiled once for each test process. The options of a card are arguments in the name of its PCM, so all cards use
/// the same ALSA configuration.
public final class PacedPCM {
  /// The properties of the card.
  public struct Options {
    /// The supported sample formats, by their names in ALSA.
    public var formats = ["S32_LE"]
    /// The supported rates in Hz; empty if any rate is supported.
    public var rates: [Int] = []
    /// The supported numbers of channels; empty if 1 to 8 channels are supported.
    public var channels: [Int] = []
    /// The only possible size of a period in bytes; nil for any size.
    public var periodBytes: Int?
    /// The only possible size of the buffer in bytes; nil for any size. Formats and numbers of channels whose frames do
    /// not fill the buffer exactly are then not supported. The size need not be a multiple of the period.
    public var bufferBytes: Int?
    /// The speed of the card's clock. 1 is real time.
    public var speed = 1.0
    /// An underrun happens once, after the card has played this number of frames.
    public var starveAfter: Int?
    /// The card stops once, without an error, after it has played this number of frames.
    public var hangsAfter: Int?
    /// The card is removed once, after it has played this number of frames.
    public var goneAfter: Int?

    /// The position of the card advances in steps of this number of frames, and frames can be rewound
    /// (`snd_pcm_rewind`). Nil if frames cannot be rewound.
    public var rewindStep: Int?

    /// The number of frames that the card takes from its buffer before they are heard, as if a signal processor
    /// followed the sound card.
    public var behind = 0

    /// Creates the options of a card that accepts all rates and layouts with 32 bits, and plays in real time.
    public init() {}
  }

  /// One hand-over of frames, as the plug-in recorded it. If frames can be rewound, the plug-in records the frames when
  /// they leave the buffer of the card.
  public struct Stamp {
    /// The time of the hand-over on CLOCK_MONOTONIC, in nanoseconds.
    public let nanoseconds: Int64
    /// The position of the frames in ``captured()``, if they are not dropped.
    public let offset: Int64
    /// The number of frames that were handed over.
    public let frames: Int64
    /// The number of frames that the card still had to play before these frames. 0 if frames can be rewound.
    public let ahead: Int64
  }

  /// The name of the card for `snd_pcm_open`.
  public let name: String
  private let folder: TemporaryFolder
  private let isRewritten: Bool

  /// Creates the card. The first call compiles the plug-in.
  /// - Throws: the message of the compiler.
  public init(_ options: Options) throws {
    try Self.plugin.get()
    folder = try TemporaryFolder()
    isRewritten = options.rewindStep != nil
    let values: [(String, String?)] = [
      ("FILE", folder.path("capture")), ("STAMPS", folder.path("stamps")),
      ("GONE_WHILE", folder.path("gone")), ("BUSY_WHILE", folder.path("busy")),
      ("RATES_FILE", folder.path("rates")), ("SPEED", "\(options.speed)"),
      ("FORMATS", options.formats.joined(separator: " ")),
      ("RATES", options.rates.map(String.init).joined(separator: " ")),
      ("CHANNELS", options.channels.map(String.init).joined(separator: " ")),
      ("PERIOD_BYTES", options.periodBytes.map(String.init)),
      ("BUFFER_BYTES", options.bufferBytes.map(String.init)),
      ("STARVE_AFTER", options.starveAfter.map(String.init)),
      ("HANGS_AFTER", options.hangsAfter.map(String.init)),
      ("GONE_AFTER", options.goneAfter.map(String.init)),
      ("REWIND_STEP", options.rewindStep.map(String.init)), ("BEHIND", "\(options.behind)"),
    ]
    name =
      "paced:"
      + values.compactMap { key, value in
        guard let value, !value.isEmpty else { return nil }
        return "\(key)='\(value)'"
      }.joined(separator: ",")
  }

  /// The bytes of all frames that the card has played, in all openings together.
  public func captured() throws -> [UInt8] { try folder.read("capture") }

  /// The bytes of the frames that the card has played after the first `offset` bytes.
  public func captured(from offset: Int) throws -> [UInt8] {
    guard FileManager.default.fileExists(atPath: folder.path("capture")) else { return [] }
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.path("capture")))
    defer { try? file.close() }
    try file.seek(toOffset: UInt64(offset))
    return Array(try file.readToEnd() ?? Data())
  }

  /// All hand-overs so far.
  public func stamps() throws -> [Stamp] {
    try folder.read("stamps").withUnsafeBytes { bytes in
      let numbers = bytes.bindMemory(to: Int64.self)
      return stride(from: 0, to: numbers.count, by: 4).map {
        Stamp(
          nanoseconds: numbers[$0], offset: numbers[$0 + 1], frames: numbers[$0 + 2],
          ahead: isRewritten ? 0 : numbers[$0 + 3])
      }
    }
  }

  /// Removes the card.
  public func unplug() throws { try folder.write("gone", []) }

  /// Plugs the card in again.
  public func plugIn() throws {
    try FileManager.default.removeItem(atPath: folder.path("gone"))
  }

  /// Simulates that this card is replaced by a card that supports only these rates. Takes effect at the next opening.
  public func replace(rates: [Int]) throws {
    let words = rates.map(String.init).joined(separator: " ")
    try folder.write("rates", Array(words.utf8))
  }

  /// Makes the card busy from now on, as if another program used the card.
  public func occupy() throws { try folder.write("busy", []) }

  // MARK: The plug-in

  /// The reason why no card can be made on this machine; nil if a card can be made.
  public static let obstacle: String? = {
    do {
      try Tools.run("cc", ["--version"])
      return nil
    } catch {
      return "the C compiler (cc) that builds the paced PCM is missing"
    }
  }()

  /// The path of an ALSA configuration for programs that tests start. It contains the system's configuration and the
  /// cards of this class. Tests do not pass the variable `ALSA_CONFIG_PATH` of this process to the programs, because
  /// other tests can add files to this variable and later delete these files.
  public static var configurationPath: String { home?.path("asound.conf") ?? "" }

  /// The folder of the plug-in and of the configuration. It exists as long as the process.
  nonisolated(unsafe) private static var home: TemporaryFolder?

  private static let plugin = Result {
    let folder = try TemporaryFolder()
    home = folder
    atexit { PacedPCM.home = nil }
    let source = ProjectFile.url("Tests/Audio/PacedPCM/paced.c")
    let library = folder.path("libasound_module_pcm_paced.so")
    try Tools.run(
      "cc",
      [
        "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-DPIC", "-o",
        library, source.path, "-lasound",
      ])
    try folder.write("asound.conf", Array(configuration(library: library).utf8))
    // libasound reads this variable each time a PCM is opened. So the cards can be used even if this process opened a
    // PCM before the variable was set.
    setenv("ALSA_CONFIG_PATH", folder.path("asound.conf"), 1)
  }

  /// The configuration of the system, and a PCM whose name takes the keys of the plug-in as arguments.
  private static func configuration(library: String) -> String {
    let keys = [
      "file", "speed", "rates", "rates_file", "channels", "formats", "period_bytes", "buffer_bytes",
      "starve_after", "hangs_after", "gone_after", "gone_while", "busy_while", "rewind_step",
      "behind",
      "stamps",
    ]
    let arguments = keys.map { $0.uppercased() }
    return """
      </usr/share/alsa/alsa.conf>
      pcm_type.paced { lib "\(library)" }
      pcm.paced {
        @args [ \(arguments.joined(separator: " ")) ]
        \(arguments.map { "@args.\($0) { type string default \"\" }" }.joined(separator: "\n  "))
        type paced
        \(keys.map { "\($0) $\($0.uppercased())" }.joined(separator: "\n  "))
        hint { show on description "A clock and a file" }
      }

      """
  }
}
