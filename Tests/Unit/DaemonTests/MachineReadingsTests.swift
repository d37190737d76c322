import Files
import Testing

@testable import Daemon

@Suite struct MachineReadingsTests {
  private func line(_ number: Int, _ point: String, _ source: String) -> String {
    "\(number) 1 8:\(number) / \(point) ro,nosuid shared:\(number) - vfat \(source) ro\n"
  }

  @Test func mounts_ofTheLibrary_areNeitherListedNorCounted() {
    var text = "garbage\n"
    for number in 1...60 {
      text += line(number, "/run/library-sticks/sda\(number)", "/dev/sda\(number)")
      text += line(100 + number, "/media/sda\(number)", "/dev/sda\(number)")
    }
    let mounts = MachineReadings.mounts(text) { _ in true }
    #expect(mounts.map(\.point) == (1...60).map { "/media/sda\($0)" })
    #expect(mounts[59].source == "/dev/sda60" && mounts[59].id == "160" && mounts[59].isWhole)
  }

  @Test func mounts_thatAreNotWanted_takeNoRoom() {
    var text = ""
    for number in 1...300 { text += line(number, "/x\(number)", "none") }
    #expect(MachineReadings.mounts(text) { _ in true }.count == 100)
    #expect(MachineReadings.mounts(text) { $0 == "/x300" }.map(\.id) == ["300"])
  }
}
