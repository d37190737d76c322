import Testing

@testable import KMSDisplay

@Suite struct HotplugMonitorTests {
  private func message(_ words: String...) -> [CChar] {
    words.flatMap { $0.utf8.map { CChar(bitPattern: $0) } + [0] }
  }

  @Test func eventOfADisplay_isRecognizedByItsSubsystem() {
    #expect(
      HotplugMonitor.subject(
        of: message(
          "change@/devices/pci0000:00/0000:00:02.0/drm/card0", "ACTION=change", "SUBSYSTEM=drm",
          "HOTPLUG=1")) == .graphics)
    #expect(
      HotplugMonitor.subject(of: message("add@/devices/x", "SUBSYSTEM=backlight")) == .light)
  }

  @Test func otherEvents_areIgnored() {
    #expect(
      HotplugMonitor.subject(
        of: message("add@/devices/x/drm/y", "SUBSYSTEM=drm_dp_aux_dev", "NAME=SUBSYSTEM=drm"))
        == nil)
    #expect(HotplugMonitor.subject(of: message("libudev", "SUBSYSTEM=input")) == nil)
    #expect(HotplugMonitor.subject(of: [CChar]()) == nil)
  }
}
