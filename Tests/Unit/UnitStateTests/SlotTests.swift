import Testing

@testable import UnitState

@Suite struct SlotTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Compares the checksum with the check value that the catalogue of CRCs lists for CRC-64/XZ.
  @Test func checksum_equalsThatOfXZ() {
    #expect(CRC64.of(bytes("123456789")) == 0x995D_C9BB_DF19_39FA)
    var sum = CRC64()
    sum.add(bytes("1234"))
    sum.add(bytes("56789"))
    #expect(sum.value == 0x995D_C9BB_DF19_39FA)
  }

  @Test(arguments: [0, 1, 4063, 4064, 4065, StateLayout.state.maximumPayload])
  func slot_encodedAndDecoded_isEqual_inWholeSectors(count: Int) {
    let slot = Slot(sequence: .max - 3, payload: [UInt8](repeating: 7, count: count))
    let encoded = slot.encoded
    #expect(encoded.count == (count <= 4064 ? 4096 : 8192))
    #expect(Slot.read(encoded[...]) == .slot(slot))
  }

  @Test func slot_anyBitFlipped_isDamaged() {
    let slot = Slot(sequence: 77, payload: bytes("some state"))
    let encoded = slot.encoded
    for bit in 0..<(Slot.headerBytes + slot.payload.count) * 8 {
      var flipped = encoded
      flipped[bit / 8] ^= 1 << (bit % 8)
      #expect(Slot.read(flipped[...]) == .damaged, "bit \(bit)")
    }
  }

  @Test func slot_ofAnotherLayout_isNewer() {
    var bytes = Slot(sequence: 1, payload: []).encoded
    bytes[8] = 2
    let sum = CRC64.of(bytes[..<24])
    for index in 0..<8 { bytes[24 + index] = UInt8(truncatingIfNeeded: sum >> (8 * index)) }
    #expect(Slot.read(bytes[...]) == .newer)
  }

  @Test func emptyBytes_areBlank() {
    #expect(Slot.read([]) == .blank)
    #expect(Slot.read([0]) == .blank)
    #expect(Slot.read([UInt8](repeating: 0, count: StateLayout.state.slotBytes)[...]) == .blank)
    var almost = [UInt8](repeating: 0, count: StateLayout.state.slotBytes)
    almost[StateLayout.state.slotBytes - 1] = 1
    #expect(Slot.read(almost[...]) == .damaged)
    #expect(Slot.read([1]) == .damaged)
  }

  @Test func isNewer_acrossTheLastNumber_wrapsAround() {
    let last = Slot(sequence: .max, payload: [])
    let first = Slot(sequence: 0, payload: [])
    #expect(first.isNewer(than: last))
    #expect(!last.isNewer(than: first))
    #expect(!first.isNewer(than: first))
  }
}

@Suite struct SlotScanTests {
  private func file(_ slots: [(index: Int, sequence: UInt64)]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: StateLayout.state.fileBytes)
    for (index, sequence) in slots {
      let slot = Slot(sequence: sequence, payload: [UInt8(index)]).encoded
      let start = index * StateLayout.state.slotBytes
      bytes.replaceSubrange(start..<start + slot.count, with: slot)
    }
    return bytes
  }

  @Test func newestSlot_isFound_andTheNextPlaceFollowsIt() {
    let scan = SlotScan(file([(0, 64), (1, 65), (2, 2), (63, 63)]))
    #expect(scan.newest?.sequence == 65)
    #expect(scan.nextIndex == 2)
    #expect(scan.nextSequence == 66)
    #expect(!scan.isForeign)
  }

  @Test func numbersAndPlaces_wrapAround() {
    let scan = SlotScan(file([(62, .max - 1), (63, .max), (0, 0)]))
    #expect(scan.newest?.sequence == 0)
    #expect(scan.nextIndex == 1)
    let last = SlotScan(file([(63, .max)]))
    #expect(last.nextIndex == 0)
    #expect(last.nextSequence == 0)
  }

  @Test func fileWithoutSlots_isForeign_onlyIfItHasContent() {
    #expect(!SlotScan([]).isForeign)
    #expect(!SlotScan(file([])).isForeign)
    #expect(SlotScan([1, 2, 3]).isForeign)
    #expect(SlotScan().nextIndex == 0)
  }
}
