import EventLoop
import Testing

@testable import AVRCPTarget

@Suite struct DiscoveryTests {
  private func error(_ name: String) -> BusError {
    .remote(name: "org.bluez.Error.\(name)", message: "")
  }

  @Test func oneCallAtATime_andWhatIsWantedMeanwhile_waits() {
    var search = Discovery()
    #expect(search.next("hci0", looks: false) == nil)
    #expect(search.next("hci0", looks: true) == .start)
    #expect(search.next("hci0", looks: true) == nil)
    #expect(search.next("hci0", looks: false) == nil)
    #expect(search.next("hci1", looks: true) == .start, "each adapter for itself")
    search.answered("hci0", .start, nil)
    #expect(search.next("hci0", looks: true) == nil)
    #expect(search.next("hci0", looks: false) == .stop)
    search.answered("hci0", .stop, nil)
    #expect(search.next("hci0", looks: true) == .start)
  }

  @Test func startThatIsRefused_isTriedAnew() {
    var search = Discovery()
    for name in ["NotReady", "Failed"] {
      #expect(search.next("hci0", looks: true) == .start)
      search.answered("hci0", .start, error(name))
    }
    #expect(search.next("hci0", looks: true) == .start)
  }

  /// After these errors discovery may be on or off, so it is stopped before it is started again.
  @Test func whatIsUnclear_isStoppedBeforeItIsStarted() {
    var search = Discovery()
    for unclear in [error("InProgress"), .timedOut] {
      #expect(search.next("hci0", looks: true) == .start)
      search.answered("hci0", .start, unclear)
      #expect(search.next("hci0", looks: true) == .stop)
      search.answered("hci0", .stop, error("Failed"))
    }
    #expect(search.next("hci0", looks: false) == nil)
    #expect(search.next("hci0", looks: true) == .start)
    search.answered("hci0", .start, nil)
    #expect(search.next("hci0", looks: false) == .stop)
    search.answered("hci0", .stop, error("InProgress"))
    #expect(search.next("hci0", looks: false) == .stop, "it looks still")
  }

  @Test func adapterThatWasOff_isAskedAnew_andItsLateAnswer_isNoNews() {
    var search = Discovery()
    _ = search.next("hci0", looks: true)
    search.forget("hci0")
    search.answered("hci0", .start, nil)
    #expect(search.next("hci0", looks: true) == .start)
    search.interrupt()
    #expect(search.next("hci0", looks: true) == .start)
  }
}
