import Bluez
import EventLoop
import Testing

@testable import AVRCPTarget

@Suite struct DiscoveryTests {
  private func error(_ name: String) -> BusError {
    .remote(name: "org.bluez.Error.\(name)", message: "")
  }

  @Test func next_callInProgress_waitsForItsAnswer() {
    var discovery = Discovery()
    #expect(discovery.next("hci0", discovers: false) == nil)
    #expect(discovery.next("hci0", discovers: true) == .start)
    #expect(discovery.next("hci0", discovers: true) == nil)
    #expect(discovery.next("hci0", discovers: false) == nil)
    #expect(discovery.next("hci1", discovers: true) == .start, "each adapter has its own state")
    discovery.answered("hci0", .start, nil)
    #expect(discovery.next("hci0", discovers: true) == nil)
    #expect(discovery.next("hci0", discovers: false) == .stop)
    discovery.answered("hci0", .stop, nil)
    #expect(discovery.next("hci0", discovers: true) == .start)
  }

  @Test func next_refusedStart_startsAgain() {
    var discovery = Discovery()
    for name in ["NotReady", "Failed"] {
      #expect(discovery.next("hci0", discovers: true) == .start)
      discovery.answered("hci0", .start, error(name))
    }
    #expect(discovery.next("hci0", discovers: true) == .start)
  }

  /// After the error *InProgress* and after a timeout, it is unknown whether discovery is on. So discovery is stopped
  /// before it is started again.
  @Test func next_unknownState_stopsBeforeStarting() {
    var discovery = Discovery()
    for unknown in [error("InProgress"), .timedOut] {
      #expect(discovery.next("hci0", discovers: true) == .start)
      discovery.answered("hci0", .start, unknown)
      #expect(discovery.next("hci0", discovers: true) == .stop)
      discovery.answered("hci0", .stop, error("Failed"))
    }
    #expect(discovery.next("hci0", discovers: false) == nil)
    #expect(discovery.next("hci0", discovers: true) == .start)
    discovery.answered("hci0", .start, nil)
    #expect(discovery.next("hci0", discovers: false) == .stop)
    discovery.answered("hci0", .stop, error("InProgress"))
    #expect(discovery.next("hci0", discovers: false) == .stop, "discovery continues")
  }

  @Test func forget_lateAnswer_isIgnored_andDiscoveryStartsAgain() {
    var discovery = Discovery()
    _ = discovery.next("hci0", discovers: true)
    discovery.forget("hci0")
    discovery.answered("hci0", .start, nil)
    #expect(discovery.next("hci0", discovers: true) == .start)
    discovery.interrupt()
    #expect(discovery.next("hci0", discovers: true) == .start)
  }
}
