public import NowPlaying

/// An invented track.
public struct SampleTrack: Sendable {
  /// The title.
  public var title: String
  /// The artist; nil if there is none.
  public var artist: String?
  /// The album; nil if there is none.
  public var album: String?
  /// The length; nil if unknown.
  public var duration: MediaDuration?
  /// The cover; nil if there is none.
  public var cover: SampleCover?
  /// The elapsed time, in seconds.
  public var elapsed: Double

  init(
    _ title: String, _ artist: String?, _ album: String?, _ elapsed: Double,
    of duration: MediaDuration?, _ cover: SampleCover?
  ) {
    self.title = title
    self.artist = artist
    self.album = album
    self.elapsed = elapsed
    self.duration = duration
    self.cover = cover
  }

  init(
    _ title: String, _ artist: String?, _ album: String?, _ elapsed: Double, of seconds: Int,
    _ cover: SampleCover?
  ) {
    self.init(title, artist, album, elapsed, of: .finite(.seconds(seconds)), cover)
  }

  var content: MediaContent {
    var metadata: MetadataItems = [MetadataItem(.title, title)]
    if let artist { metadata.append(MetadataItem(.artist, artist)) }
    if let album { metadata.append(MetadataItem(.albumName, album)) }
    return .music(
      MusicContent(
        id: title, metadata: metadata, duration: duration,
        artwork: cover.map { cover in Artwork(id: cover.rawValue) { _ in .later } }))
  }

  static let ferry = SampleTrack("Slow Ferry Home", "Low Meridian", "Saltlight", 84, of: 251, .dusk)
  static let engine = SampleTrack(
    "Warm Engine, Long Shadow", "The Cartwheels", "Sunday Radius", 129, of: 214, .arcs)
  static let undertow = SampleTrack("Undertow", "Marée Haute", "Plateau", 203, of: 327, .tide)
  static let courtyard = SampleTrack(
    "Courtyard Study No. 4", "Ivo Halden", "Tessellations", 47, of: 196, .tiles)
  static let fern = SampleTrack("Fern", "June Okafor", "Understory", 61, of: 188, .fern)
  static let signal = SampleTrack(
    "The Late Signal with Oona Brandt", "Radio Meridiano", nil, 0, of: .live, .rings)
  static let memo = SampleTrack("Voice Memo 0031", nil, nil, 22, of: 95, nil)
  static let blueHour = SampleTrack(
    "Blue Hour, Channel Five", "Kestrel & Vane", "Carrier", 73, of: 242, .rings)
  static let harbour = SampleTrack(
    "The Harbour Pilot’s Other Map", "Tales from the Slipway", "Episode 12", 1507, of: 4410,
    .tiles)
  static let longest = SampleTrack(
    "Concerning the Several Ways in Which the Night Bus Never Quite Arrives at the Lighthouse",
    "The Municipal Orchestra of Small Hours", "Timetables, Volume Two", 401, of: 754, .arcs)
  static let japanese = SampleTrack("夜明け前の港で、君の声を聴いた 🌊✨", "森田ゆき", "潮の光", 95, of: 268, .tide)
  static let arabic = SampleTrack(
    "أغنية البحر الطويل عند آخر الليل قبل الفجر", "ليلى حدّاد", "ضوء الملح", 140, of: 305, .dusk)
  static let hebrew = SampleTrack("שיר לילה ארוך על הים", "נועה ברק", "אור מלח", 61, of: 188, .fern)
  static let hindi = SampleTrack("भोर से पहले की नाव", "मीरा सागर", "นาวาก่อนรุ่งสาง", 33, of: 240, .tide)

  /// The tracks that the sample lists contain.
  static let queue = [ferry, undertow, engine, fern, courtyard, blueHour, harbour]
}
