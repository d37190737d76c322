internal import Foundation

/// A sound card made of a clock and a file: `Tests/Audio/PacedPCM/paced.c`, which says what it does.
///
/// Each instance is a card of its own. The plug-in is compiled once per test process; one
/// configuration serves all cards, because a PCM's name can carry arguments, so tests that run
/// side by side do not meet.
public final class PacedPCM {
  /// What the card does.
  public struct Options {
    /// Sample formats, in ALSA's words.
    public var formats = ["S32_LE"]
    /// Frames per second; empty for any.
    public var rates: [Int] = []
    /// Samples per frame; empty for 1 … 8.
    public var channels: [Int] = []
    /// The only size of a period in bytes; nil for any.
    public var periodBytes: Int?
    /// The only size of the buffer in bytes; nil for any. Formats and channels whose frames it is
    /// no multiple of are impossible then, and it need not be a multiple of the period.
    public var bufferBytes: Int?
    /// Times real time.
    public var speed = 1.0
    /// The card runs dry once, when it has played so many frames.
    public var starveAfter: Int?
    /// The card stops playing once, without a word, when it has played so many frames.
    public var hangsAfter: Int?
    /// The card is pulled once, when it has played so many frames.
    public var goneAfter: Int?

    /// A card that does everything in 32 bits and real time.
    public init() {}
  }

  /// One hand-over, as the plug-in wrote it down.
  public struct Stamp {
    /// When, on the monotonic clock.
    public let nanoseconds: Int64
    /// Where the frames stand in ``captured()``, if they are not dropped.
    public let offset: Int64
    /// How many.
    public let frames: Int64
    /// Frames that the card had to play before them.
    public let ahead: Int64
  }

  /// For `snd_pcm_open`.
  public let name: String
  private let folder: TemporaryFolder

  /// Makes the card, and with the first one the plug-in.
  /// - Throws: what the compiler said.
  public init(_ options: Options) throws {
    try Self.plugin.get()
    folder = try TemporaryFolder()
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
    ]
    name =
      "paced:"
      + values.compactMap { key, value in
        guard let value, !value.isEmpty else { return nil }
        return "\(key)='\(value)'"
      }.joined(separator: ",")
  }

  /// Everything that was played, over all openings.
  public func captured() throws -> [UInt8] { try folder.read("capture") }

  /// Every hand-over.
  public func stamps() throws -> [Stamp] {
    try folder.read("stamps").withUnsafeBytes { bytes in
      let numbers = bytes.bindMemory(to: Int64.self)
      return stride(from: 0, to: numbers.count, by: 4).map {
        Stamp(
          nanoseconds: numbers[$0], offset: numbers[$0 + 1], frames: numbers[$0 + 2],
          ahead: numbers[$0 + 3])
      }
    }
  }

  /// Pulls the card out.
  public func unplug() throws { try folder.write("gone", []) }

  /// Puts it in again.
  public func plugIn() throws {
    try FileManager.default.removeItem(atPath: folder.path("gone"))
  }

  /// Lets another card take its place, with these rates: from the next opening on.
  public func replace(rates: [Int]) throws {
    let words = rates.map(String.init).joined(separator: " ")
    try folder.write("rates", Array(words.utf8))
  }

  /// Lets somebody else have the card.
  public func occupy() throws { try folder.write("busy", []) }

  // MARK: The plug-in

  /// Why there can be no cards here; nil where there can.
  public static let obstacle: String? = {
    do {
      try Tools.run("cc", ["--version"])
      return nil
    } catch {
      return "no C compiler (cc) to build the paced PCM with"
    }
  }()

  /// ALSA's configuration with these cards and no others, for programs that tests start: the variable
  /// `ALSA_CONFIG_PATH` may name more, which come and go with other tests.
  public static var configurationPath: String { home?.path("asound.conf") ?? "" }

  /// The plug-in's and the configuration's folder, for as long as the process lives.
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
    // libasound looks at the variable with each opening, so what was opened before does no harm.
    setenv("ALSA_CONFIG_PATH", folder.path("asound.conf"), 1)
  }

  /// The system's configuration, and a PCM whose name takes the plug-in's keys as arguments.
  private static func configuration(library: String) -> String {
    let keys = [
      "file", "speed", "rates", "rates_file", "channels", "formats", "period_bytes", "buffer_bytes",
      "starve_after", "hangs_after", "gone_after", "gone_while", "busy_while", "stamps",
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
