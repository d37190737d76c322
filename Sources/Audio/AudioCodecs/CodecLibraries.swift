internal import CFLAC
internal import CMPG123
internal import COpusFile
internal import CVorbisFile

/// The installed libraries for decoding.
public enum CodecLibraries {
  /// For example `libFLAC 1.4.2, Xiph.Org libVorbis 1.3.7, libopus 1.3.1, libmpg123 with API 47`.
  public static var versions: String {
    let vorbis = vorbis_version_string().map { String(cString: $0) } ?? "libVorbis"
    // libmpg123 states its version only since 1.32.
    let mpeg = "libmpg123 with API \(MPG123_API_VERSION)"
    let opus = opus_get_version_string().map { String(cString: $0) } ?? "libopus"
    return "libFLAC \(String(cString: cflac_version())), \(vorbis), \(opus), \(mpeg)"
  }
}
