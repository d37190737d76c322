import Testing

@testable import AudioCodecs

/// Tests tags as they occur in real files.
@Suite struct VorbisCommentsTests {
  private func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func block(_ tags: [[UInt8]], count: Int? = nil) -> [UInt8] {
    let vendor = Array("maker".utf8)
    return number(vendor.count) + vendor + number(count ?? tags.count)
      + tags.flatMap { number($0.count) + $0 }
  }

  private func read(_ bytes: [UInt8]) throws -> CommentBlock {
    try CommentReader.read(MemoryByteSource(bytes), range: 0..<Int64(bytes.count))
  }

  private func read(_ tags: String...) throws -> VorbisComments {
    try read(block(tags.map { Array($0.utf8) })).comments
  }

  @Test func read_namesInAnyCase_areUpperCase() throws {
    let comments = try read("title=A", "Artist=B", "ARTIST=C")
    #expect(comments.vendor == "maker")
    #expect(comments.first("TITLE") == "A")
    #expect(comments.all("ARTIST") == ["B", "C"])
    #expect(AudioMetadata(comments: comments).artist == "B, C")
  }

  @Test func read_valueWithEqualsSign_keepsIt() throws {
    #expect(try read("TITLE=1+1=2").first("TITLE") == "1+1=2")
  }

  @Test func read_invalidUTF8_isRepaired() throws {
    let tag = Array("TITLE=".utf8) + [0x4D, 0xFC, 0x6E]
    #expect(try read(block([tag])).comments.first("TITLE") == "M\u{FFFD}n")
  }

  @Test func read_invalidTag_isSkipped() throws {
    let comments = try read("no equals sign", "=no name", "TI\u{1}TLE=x", "TITLE=y")
    #expect(comments.entries == [.init(name: "TITLE", value: "y")])
  }

  @Test func read_wrongCount_returnsThePresentTagsAndReportsDamage() throws {
    let result = try read(block([Array("TITLE=A".utf8)], count: 10))
    #expect(result.comments.first("TITLE") == "A")
    #expect(result.damage.count == 1)
    #expect(result.damage.first?.reason.contains("2 of 10") == true)
  }

  @Test func read_wrongLength_returnsThePresentTagsAndReportsDamage() throws {
    let bytes = block([Array("TITLE=A".utf8)], count: 2) + number(0x7FFF_FFFF) + [1, 2, 3]
    let result = try read(bytes)
    #expect(result.comments.first("TITLE") == "A")
    #expect(result.damage.count == 1)
  }

  @Test func read_longValue_isCutAndCounted_andTheOthersAreKept() throws {
    let large = Array("LYRICS=".utf8) + Array(repeating: 0x61, count: 100_000)
    let result = try read(block([large, Array("TITLE=A".utf8)]))
    #expect(result.comments.entries.map(\.name) == ["LYRICS", "TITLE"])
    #expect(result.comments.first("LYRICS")?.utf8.count == TagCollector.maximumValueBytes)
    #expect(result.comments.first("TITLE") == "A")
    #expect(result.comments.cutValues == 1 && result.damage.isEmpty)
  }

  @Test(arguments: ["é", "€", "🎵"])
  func read_cutWithinACharacter_endsBeforeIt(_ character: String) throws {
    for offset in 0..<character.utf8.count {
      let value = String(repeating: "a", count: offset) + String(repeating: character, count: 600)
      let cut = try #require(try read("LYRICS=\(value)").first("LYRICS"))
      #expect(value.hasPrefix(cut) && !cut.contains("\u{FFFD}"))
      #expect(TagCollector.maximumValueBytes - cut.utf8.count < character.utf8.count)
    }
  }

  @Test func read_valueOfTheMaximumLength_isKeptWhole() throws {
    let value = String(repeating: "é", count: TagCollector.maximumValueBytes / 2)
    let comments = try read("TITLE=\(value)")
    #expect(comments.first("TITLE") == value && comments.cutValues == 0)
  }

  @Test func read_manyValues_areBoundedForEachName_andInAll() throws {
    let many = try read(block(Array(repeating: Array("X=a".utf8), count: 1000))).comments
    #expect(many.entries.count == TagCollector.maximumValuesOfName)
    #expect(many.cutValues == 1000 - TagCollector.maximumValuesOfName)
    let tags = (0..<1000).map { Array("N\($0)=".utf8) + Array(repeating: 0x61, count: 1000) }
    let large = try read(block(tags)).comments
    let kept = large.entries.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    #expect(kept <= TagCollector.maximumTotalBytes)
    #expect(kept > TagCollector.maximumTotalBytes - 4000)
    #expect(large.entries.count + large.cutValues == 1000)
  }

  @Test func trackNumber_eachNotation_isRead() throws {
    func number(_ text: String) throws -> Int? {
      AudioMetadata(comments: try read("TRACKNUMBER=\(text)")).trackNumber
    }
    #expect(try number("7") == 7)
    #expect(try number("03/12") == 3)
    #expect(try number(" 5") == 5)
    #expect(try number("A1") == nil)
    #expect(try number("99999999999999999999999") == nil)
  }

  @Test func loudness_eachNotation_isRead() throws {
    func gain(_ text: String) throws -> Double? {
      Loudness(try read("REPLAYGAIN_TRACK_GAIN=\(text)")).trackGain
    }
    #expect(try gain("-7.89 dB") == -7.89)
    #expect(try gain("+3.5dB") == 3.5)
    #expect(try gain("2,5 DB") == 2.5)
    #expect(try gain("nan dB") == nil)
    #expect(try gain("900 dB") == nil)
    #expect(try gain("loud") == nil)
    // RFC 7845: −2560/256 is −10 dB relative to −23 LUFS. This is −5 dB relative to the −18 LUFS of ReplayGain.
    #expect(Loudness(try read("R128_TRACK_GAIN=-2560")).trackGain == -5)
    #expect(Loudness(try read("REPLAYGAIN_ALBUM_PEAK=0.5")).albumPeak == 0.5)
    #expect(Loudness(try read("REPLAYGAIN_ALBUM_PEAK=-1")).albumPeak == nil)
  }
}
