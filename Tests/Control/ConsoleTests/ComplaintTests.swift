import Reports
import Testing

/// The findings that belong to a complaint of a driver.
@Suite struct ComplaintTests {
  @Test(arguments: [
    (
      Complaint.sound,
      ["output.absent", "volume.muted", "sound.interrupted", "session.output-lost"]
    ),
    (.screen, ["screen.not-shown", "surface.stands-still", "unit.screen.failed"]),
    (.touch, ["touch.none", "screen.shown"]),
    (.stick, ["stick.not-mounted", "sticks.none", "medium.slow", "unit.udevd.masked"]),
    (.lists, ["library.in-memory", "unit.library.failed", "folders.unreadable", "storage.full"]),
    (.keys, ["keys.stuck", "car.line-failed"]),
    (.phone, ["phone.stutter", "bluetooth.no-service"]),
    (.bluetooth, ["controller.silent", "unit.bluetooth.failed", "unit.dbus.stopped"]),
    (.slow, ["memory.low", "supply.low", "temperature.high", "medium.slow"]),
    (.forgets, ["state.not-saving", "queue.lost", "settings.damaged", "data.memory.no-partition"]),
  ])
  func complaint_concernsItsFindings(complaint: Complaint, codes: [String]) {
    for code in codes + ["part.silent"] {
      #expect(complaint.concerns(.init(code, "x", .bad, "x")), "\(code)")
    }
    #expect(!complaint.concerns(.init("clock.unknown", "x", .bad, "x")))
  }
}
