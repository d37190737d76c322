/// The most recently used pictures. The total number of their bytes is limited.
struct MemoryPictures {
  private let limit: Int
  private var pictures: [PictureKey: (bytes: [UInt8], use: Int)] = [:]
  private(set) var bytes = 0
  private var uses = 0

  init(limit: Int) { self.limit = limit }

  subscript(key: PictureKey) -> [UInt8]? {
    mutating get {
      uses += 1
      pictures[key]?.use = uses
      return pictures[key]?.bytes
    }
  }

  /// Stores a picture. The least recently used pictures are removed if needed. A picture larger
  /// than the limit is not stored.
  mutating func insert(_ picture: [UInt8], for key: PictureKey) {
    guard picture.count <= limit, pictures[key] == nil else { return }
    while bytes + picture.count > limit,
      let oldest = pictures.min(by: { $0.value.use < $1.value.use })?.key
    {
      bytes -= pictures.removeValue(forKey: oldest)?.bytes.count ?? 0
    }
    uses += 1
    pictures[key] = (picture, uses)
    bytes += picture.count
  }
}
