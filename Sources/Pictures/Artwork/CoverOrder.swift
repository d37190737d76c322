internal import AudioCodecs

/// The order in which the pictures of a file are tried as its cover.
enum CoverOrder {
  /// The indices of the pictures, best first: the front cover first, and icons last. Pictures of equal rank keep their
  /// order in the file.
  static func indices(of pictures: [PictureReference]) -> [Int] {
    pictures.indices.sorted { (rank(pictures[$0].type), $0) < (rank(pictures[$1].type), $1) }
  }

  private static func rank(_ type: UInt32) -> Int {
    switch type {
    case 3: 0
    case 1, 2: 2
    default: 1
    }
  }
}
