import Testing

@testable import WindowDisplay

/// Tests the reading of events in the memory layout of SDL 2.
@Suite struct SDLEventTests {
  private func event(_ type: UInt32, _ words: [Int: Int32] = [:], _ bytes: [Int: UInt8] = [:])
    -> SDLEvent
  {
    withUnsafeTemporaryAllocation(byteCount: SDLEvent.byteCount, alignment: 8) { memory in
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      memory.storeBytes(of: type, as: UInt32.self)
      for (offset, word) in words {
        memory.storeBytes(of: word, toByteOffset: offset, as: Int32.self)
      }
      for (offset, byte) in bytes { memory[offset] = byte }
      return SDLEvent(UnsafeRawPointer(memory.baseAddress!))
    }
  }

  @Test func leftButton_isAFinger_andOthersAreIgnored() {
    #expect(
      event(0x401, [20: 12, 24: 34], [16: 1, 17: 1]) == .button(isDown: true, x: 12, y: 34))
    #expect(event(0x402, [20: -1, 24: 9], [16: 1]) == .button(isDown: false, x: -1, y: 9))
    #expect(event(0x401, [20: 12, 24: 34], [16: 3, 17: 1]) == .other)
  }

  @Test func repeatedKey_isPressedOnce() {
    #expect(event(0x300, [16: 79], [12: 1]) == .key(scancode: 79))
    #expect(event(0x300, [16: 79], [12: 1, 13: 1]) == .other)
  }

  @Test func questionMark_isRecognizedByItsText() {
    #expect(event(0x303, [:], [12: UInt8(ascii: "?")]) == .questionMark)
    #expect(event(0x303, [:], [12: UInt8(ascii: "/")]) == .other)
  }

  @Test func resizedWindow_hasItsNewSize() {
    #expect(event(0x200, [16: 1024, 20: 600], [12: 6]) == .resized(width: 1024, height: 600))
    #expect(event(0x200, [:], [12: 3]) == .exposed)
    #expect(event(0x100) == .quit)
    #expect(event(0x7FFF) == .other)
  }
}
