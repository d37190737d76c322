import Testing

@testable import KMSDisplay

@Suite struct DeviceNewsTests {
  private func message(_ words: String...) -> [CChar] {
    words.flatMap { $0.utf8.map { CChar(bitPattern: $0) } + [0] }
  }

  @Test func newsOfADisplayIsKnownByItsSubsystem() {
    #expect(
      DeviceNews.isOfGraphics(
        message(
          "change@/devices/pci0000:00/0000:00:02.0/drm/card0", "ACTION=change", "SUBSYSTEM=drm",
          "HOTPLUG=1")))
  }

  @Test func newsOfOthersIsNone() {
    #expect(
      !DeviceNews.isOfGraphics(
        message("add@/devices/x/drm/y", "SUBSYSTEM=drm_dp_aux_dev", "NAME=SUBSYSTEM=drm")))
    #expect(!DeviceNews.isOfGraphics(message("libudev", "SUBSYSTEM=input")))
    #expect(!DeviceNews.isOfGraphics([CChar]()))
  }
}
