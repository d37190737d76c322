import EventLoop
import Foundation
import Glibc
import TestKit
import Testing

/// These tests run one after the other, because they set environment variables, which belong to the whole process.
@Suite(.serialized) struct ServiceManagerTests {
  private final class Manager {
    let folder: TemporaryFolder
    let descriptor: Int32

    init() throws {
      folder = try TemporaryFolder()
      let path = folder.path("notify")
      descriptor = try #require(UnixSocket.bound(to: path, datagrams: true))
      setenv("NOTIFY_SOCKET", path, 1)
    }

    deinit {
      unsetenv("NOTIFY_SOCKET")
      close(descriptor)
    }

    /// The next datagram. Empty if no datagram has arrived. A datagram can be read as soon as the call that sends it
    /// has returned.
    func next() -> String {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
  }

  @Test func messages_followTheProtocol() throws {
    let manager = try Manager()
    #expect(ServiceManager.ready(status: "plays\n\"a\"\nREADY=0"))
    #expect(manager.next() == "READY=1\nSTATUS=plays \"a\" READY=0")
    #expect(ServiceManager.status("late"))
    #expect(manager.next() == "STATUS=late")
    #expect(ServiceManager.stopping())
    #expect(manager.next() == "STOPPING=1")
    let before = EventClock.monotonic.now / 1000
    #expect(ServiceManager.reloading())
    let lines = manager.next().split(separator: "\n")
    #expect(lines.first == "RELOADING=1")
    let time = try #require(lines.last.flatMap { Int64($0.dropFirst("MONOTONIC_USEC=".count)) })
    #expect((before...EventClock.monotonic.now / 1000).contains(time))
  }

  @Test func descriptorsToKeep_areSentWithTheirName() throws {
    let manager = try Manager()
    #expect(ServiceManager.keep(manager.descriptor, name: "power-hold gpiochip0,17"))
    #expect(manager.next() == "FDSTORE=1\nFDNAME=power-hold gpiochip0,17")
    #expect(ServiceManager.drop(name: "power-hold gpiochip0,17"))
    #expect(manager.next() == "FDSTOREREMOVE=1\nFDNAME=power-hold gpiochip0,17")
  }

  @Test func watchdog_isNotifiedOnlyOnRequest() throws {
    let manager = try Manager()
    setenv("WATCHDOG_USEC", "3000000", 1)
    setenv("WATCHDOG_PID", "\(getpid())", 1)
    defer { unsetenv("WATCHDOG_USEC"); unsetenv("WATCHDOG_PID") }
    #expect(ServiceManager.watchdogInterval == .seconds(3))
    let loop = EventLoop()
    try loop.step()
    #expect(manager.next() == "")
    #expect(ServiceManager.notifyWatchdog())
    #expect(manager.next() == "WATCHDOG=1")
    #expect(ServiceManager.trigger())
    #expect(manager.next() == "WATCHDOG=trigger")
    setenv("WATCHDOG_PID", "1", 1)
    #expect(ServiceManager.watchdogInterval == nil)
  }

  @Test func withoutManager_nothingIsSent() {
    #expect(!ServiceManager.ready())
    #expect(!ServiceManager.notifyWatchdog())
    #expect(ServiceManager.watchdogInterval == nil)
    #expect(ServiceManager.takeSockets().isEmpty)
  }
}
