import Testing

@testable import Files

@Suite struct FileStampTests {
  @Test func digest_isTheSameInEachTimeZone_andOfNoOtherState() {
    func digest(_ size: Int64, _ seconds: Int64, _ nanoseconds: Int64 = 0) -> UInt32 {
      FileStamp(size: size, seconds: seconds, nanoseconds: nanoseconds).digest
    }
    let digests = [-11 * 3600, -3600, 0, 900, 5 * 3600 + 1800, 14 * 3600].map {
      digest(1000, 1_700_000_000 + $0)
    }
    #expect(Set(digests).count == 1)
    #expect(digest(1000, -1) == digest(1000, 899), "a time before 1970")
    let others = [digest(1001, 1_700_000_000), digest(1000, 1_700_000_002)]
    #expect(Set(others + [digests[0], digest(1000, 1_700_000_000, 1)]).count == 4)
    #expect(!digests.contains(0))
  }

  @Test(
    arguments: [
      ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
    ] as [(String, UInt64)])
  func stableHash_isFNV1a(text: String, value: UInt64) {
    var hash = StableHash()
    hash.add(text.utf8)
    #expect(hash.value == value)
  }
}
