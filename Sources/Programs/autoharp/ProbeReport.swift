import AudioCodecs
import Files
internal import MusicFiles
import Threads

/// All results for one file. Extensions of this type write the results as text for people and as
/// JSON for programs.
struct ProbeReport {
  /// The result of decoding the whole file.
  struct Verification {
    var frames: Int64 = 0
    var audioSeconds = 0.0
    var wallSeconds = 0.0
    /// True if the MD5 in STREAMINFO equals the MD5 of the samples. Nil if the file has no MD5.
    var md5Matches: Bool?

    /// How many times faster than real time the file was decoded.
    var timesRealTime: Int {
      wallSeconds > 0 ? Int(min(audioSeconds / wallSeconds, 1e9)) : 0
    }
  }

  let path: String
  /// True if `progress` stopped the verification. The other results are then incomplete.
  private(set) var isInterrupted = false
  /// Nil if the file was refused.
  private(set) var file: AudioFile?
  private(set) var refusal: DecodeError?
  private(set) var damage: [DecodeError] = []
  /// The maximum number of damaged places that are listed; further ones are only counted.
  private static let maximumListed = 100
  private(set) var unlisted = 0
  /// Nil if no verification was requested.
  private(set) var verification: Verification?

  /// - Parameter progress: called at the beginning and then up to ten times a second with the
  ///   verified part, 0 … 1. If it returns false, the verification stops.
  init(path: String, verify: Bool, progress: (Double) -> Bool) {
    self.path = path
    do throws(DecodeError) {
      let file = try AudioFile(
        try FileByteSource(path: path), for: verify ? .verify : .play)
      self.file = file
      for error in file.header.damage { note(error) }
      if verify { self.verify(file, progress) }
    } catch {
      refusal = error
    }
  }

  /// True if the file was refused, is damaged, or does not match its header's MD5.
  var hasProblems: Bool {
    refusal != nil || !damage.isEmpty || verification?.md5Matches == false
  }

  private mutating func verify(_ file: AudioFile, _ progress: (Double) -> Bool) {
    var result = Verification()
    let start = MonotonicClock.seconds
    var limiter = RateLimiter(from: start)
    var format = file.format
    decoding: while true {
      if limiter.isDue(at: MonotonicClock.seconds) {
        let part = file.frameCount.map { Double(result.frames) / Double(max($0, 1)) } ?? 0
        guard progress(min(part, 1)) else {
          isInterrupted = true
          return
        }
      }
      do throws(DecodeError) {
        switch try file.decoder.next() {
        case .frames(let block):
          result.frames += Int64(block.frameCount)
          result.audioSeconds += Double(block.frameCount) / Double(format.sampleRate)
        case .formatChanged(let new):
          format = new
        case .skipped(let error):
          note(error)
        case .metadataChanged, .working, .waiting:
          break
        case .end:
          break decoding
        }
      } catch {
        note(error)
        break
      }
    }
    result.md5Matches = file.checkMD5()
    result.wallSeconds = MonotonicClock.seconds - start
    verification = result
  }

  private mutating func note(_ error: DecodeError) {
    if damage.count < Self.maximumListed { damage.append(error) } else { unlisted += 1 }
  }
}
