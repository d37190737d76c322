import TestKit
import Testing

@testable import Artwork

@Suite struct FolderImagesTests {
  private func order(_ names: [String]) -> [String] {
    var images = FolderImages()
    for name in names { images.add(name) }
    return images.inOrder
  }

  @Test func inOrder_severalImages_sortsByNameThenBySuffix() {
    let all = FolderImages.names.flatMap { name in
      FolderImages.suffixes.map { "\(name).\($0)" }
    }
    #expect(all.first == "cover.jpg" && all.last == "album.png" && all.count == 12)
    var random = SeededRandom(1)
    for _ in 0..<20 { #expect(order(all.shuffled(using: &random)) == all) }
  }

  @Test func inOrder_namesThatDifferInCase_haveOneOrder() {
    #expect(
      order(["album.jpg", "Folder.PNG", "COVER.JPEG", "Front.Jpg"])
        == ["COVER.JPEG", "Folder.PNG", "Front.Jpg", "album.jpg"])
    for names in [
      ["cover.jpg", "Cover.jpg", "COVER.JPG"], ["COVER.JPG", "cover.jpg", "Cover.jpg"],
    ] {
      #expect(order(names) == ["COVER.JPG", "Cover.jpg", "cover.jpg"])
    }
  }

  @Test func add_otherNames_areIgnored() {
    #expect(
      order([
        "", ".", "..", "cover", "cover.gif", "cover.jpg.bak", ".cover.jpg", "cover .jpg",
        "mycover.jpg", "covers.jpg", "back.jpg", "AlbumArtSmall.jpg", "cover.webp", "cover..jpg",
        "çover.jpg", String(repeating: "cover.jpg", count: 1000),
      ]).isEmpty)
  }
}
