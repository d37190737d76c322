import Control
import Foundation
import LibraryModel
import MusicFiles
import Reports
import TestKit
import Testing

@testable import Daemon

/// The names of sticks with the same label, or without one.
@Suite struct VolumeNamesTests {
  private func stick(_ path: String, _ name: String, isStick: Bool = true) -> MusicVolume {
    MusicVolume(path: path, mount: "1", name: name, isStick: isStick, source: path)
  }

  @Test func name_ofTheSecondVolumeWithALabel_hasItsSizeOrANumber() {
    let names = VolumeNames()
    #expect(names.name(of: "a", label: "MUSIC", size: "32 GB") == "MUSIC")
    #expect(names.name(of: "b", label: "Music", size: "64 GB") == "Music 64 GB")
    #expect(names.name(of: "c", label: "MUSIC", size: "64 GB") == "MUSIC 2")
    #expect(names.name(of: "d", label: "MUSIC") == "MUSIC 3")
    #expect(names.name(of: "e", label: "MUSIC 2") == "MUSIC 2 2")
    #expect(names.name(of: "f", label: "POP", size: "8 GB") == "POP")
  }

  @Test func name_isKept_whateverComesAndGoes() {
    let names = VolumeNames()
    _ = names.name(of: "a", label: "MUSIC")
    #expect(names.name(of: "b", label: "MUSIC") == "MUSIC 2")
    // The library stores the name that was given, or still has the label.
    for label in ["MUSIC", "MUSIC 2"] {
      #expect(names.name(of: "b", label: label) == "MUSIC 2")
    }
    #expect(names.name(of: "a", label: "MUSIC") == "MUSIC")
    #expect(names.name(of: "b", label: "JAZZ") == "JAZZ")
    #expect(names.name(of: "c", label: "MUSIC") == "MUSIC 2")
    for number in 0..<500 { _ = names.name(of: "\(number)", label: "X") }
    #expect(names.name(of: "new", label: "Y") == "Y")
  }

  @Test func present_sticksWithOneLabel_haveDifferentNames_andKeepThem() {
    let mounted = MountedVolumes()
    func set(_ volumes: MusicVolume...) -> [String: String] {
      mounted.set(PresentVolumes(volumes, sticks: []))
      var names: [String: String] = [:]
      for volume in mounted.present.volumes.values { names[volume.path] = volume.name }
      return names
    }
    let (a, b) = (stick("/media/a", "MUSIC"), stick("/media/b", "MUSIC"))
    let folder = stick("/z", "music", isStick: false)
    #expect(set(b, folder) == ["/z": "music", "/media/b": "MUSIC 2"])
    #expect(set(a, b) == ["/media/a": "MUSIC 3", "/media/b": "MUSIC 2"])
    #expect(set(a) == ["/media/a": "MUSIC 3"])
    var volumes = MusicVolumes()
    volumes.apply(["/media/a": VolumeCount()], of: [a], present: [a])
    volumes.setNames(mounted.present)
    #expect(volumes.found.map(\.volume.name) == ["MUSIC 3"])
    volumes.apply(["/media/a": VolumeCount()], of: [a], present: [a])
    #expect(volumes.takeNotices() == [UnitNotice(.noMusic, about: "MUSIC 3")])
  }

  @Test func foldersOfVolumes_haveTheNamesOfTheVolumes() {
    var batch = RowBatch()
    batch.rows = [(3, "MUSIC"), (4, "MUSIC"), (5, "OLD")].map {
      LibraryRow(kind: .folder, id: $0.0, title: $0.1)
    }
    let volumes = [(3, "MUSIC"), (4, "MUSIC 2")].map { folder, name in
      var report = VolumeReport(identity: name, label: name, condition: .absent)
      report.folder = Int64(folder)
      return VolumeState(kind: .stick, report: report, path: nil)
    }
    #expect(volumes.named(batch).rows.map(\.title) == ["MUSIC", "MUSIC 2", "OLD"])
  }

  @Test(arguments: [
    (30_752_000_000, "32 GB"), (15_500_000_000, "16 GB"), (123_000_000_000, "128 GB"),
    (64_000_000, "64 MB"), (1_990_000_000, "2 GB"), (500_000_000_000, "500 GB"), (0, "0 MB"),
    (20_000_000_000, "20 GB"),
  ])
  func size_isThatOnTheStick(bytes: UInt64, text: String) {
    #expect(MediumSize.text(bytes: bytes) == text)
  }

  @Test func name_ofAStickWithoutALabel_isItsKindAndSize() throws {
    let folder = try TemporaryFolder()
    for name in ["sda1", "mmcblk1p1", "sr0"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
      try folder.write("\(name)/size", Array("60062500\n".utf8))
    }
    #expect(MediumSize.name(of: "/dev/sda1", folder: folder.path("")) == "USB 32 GB")
    #expect(MediumSize.name(of: "/dev/mmcblk1p1", folder: folder.path("")) == "SD 32 GB")
    #expect(MediumSize.name(of: "/dev/sr0", folder: folder.path("")) == nil)
    #expect(MediumSize.name(of: "/dev/sdb1", folder: folder.path("")) == nil)
    try folder.write("sda1/size", Array("99999999999999999999\n".utf8))
    #expect(MediumSize.name(of: "/dev/sda1", folder: folder.path("")) == nil)
  }
}
