import Reports
import Testing

@testable import Daemon

/// The versions that the build of the image has recorded. Packages that are only dependencies are left out, because
/// they are too many for a screen.
@Suite struct ImageVersionsTests {
  @Test func versions_includeImageAndRequestedPackages_only() {
    let versions = ImageVersions("board qemu\ncommit 12\n\nbluez 5.82-1\n\nzlib1g 1:1.3\n")
    #expect(versions.image.map(\.name) == ["board", "commit"])
    #expect(versions.packages == [.init(name: "bluez", version: "5.82-1")])
  }

  @Test func status_inAnImage_namesThePatchedBluetoothd() {
    let versions = ImageVersions("board qemu\n\nbluez 5.82-1.1+autoharp.0123abcd\nkmod 34\n")
    let unit = GeneratedUnit()
    #expect(unit.facts.bluetoothd.isEmpty)
    unit.machine.image = versions
    #expect(
      unit.facts.bluetoothd == [.init("bluetoothd", "5.82-1.1+autoharp.0123abcd")])
  }

  @Test(arguments: ["", "\n", "nonsense", "\n\n\n"])
  func versions_invalidText_haveNoImage(_ text: String) {
    #expect(ImageVersions(text).image.isEmpty)
  }
}
