internal import EventLoop
internal import NowPlaying
internal import Reports

/// The limits for programs that are sources.
struct AppLimits: Equatable, Sendable {
  static let standard = AppLimits()

  /// The sessions and streams of one app.
  let sessions = 4, streams = 4
  /// The sessions and streams of all apps.
  let allSessions = 16, allStreams = 16
  /// The connections of the user of an app.
  let connections = 8
  /// The calls per second of one app that change what surfaces show, and how many of them may come at once.
  let changesPerSecond = 20, changeBurst = 40
  /// The calls of one app that change its sound and may come at once, with the same number per second. An app can set
  /// all its marks at once.
  let soundBurst = 80
  /// A message from an app.
  let messageBytes = 64 << 10
  /// The button pictures of one session, and the bytes of all of them.
  let pictures = 32, pictureBytes = 192 << 10
}

/// The sessions and streams of all apps: which connection owns them, and whether another one is permitted. A value
/// without a clock.
///
/// An app is the user of an app, or one connection of an owner, because all programs of a desktop have one user.
struct AppTable<Connection: Hashable> {
  enum App: Hashable {
    case user(UInt32)
    case connection(Connection)
  }

  /// A call that an app can make only so often.
  enum Paced {
    /// It changes what surfaces show.
    case change
    /// It changes the sound.
    case sound
  }

  private struct Session {
    let id: String
    let app: App
    let connection: Connection
    /// The number of bytes of each button picture.
    var pictures: [String: Int] = [:]
  }

  private struct Paces {
    var changes: CallPace
    var sound: CallPace
  }

  private let limits: AppLimits
  private var sessions: [Int: Session] = [:]
  /// The session of each stream.
  private var streams: [Int: Int] = [:]
  private var paces: [App: Paces] = [:]
  private var lastSession = 0
  private var lastStream = 0

  init(_ limits: AppLimits = .standard) { self.limits = limits }

  // MARK: Sessions

  /// The session with this identity. Nil if it is not open.
  func session(named id: String) -> Int? { sessions.first { $0.value.id == id }?.key }

  /// Adds a session and returns its number. No number is used again.
  mutating func openSession(
    _ id: String, _ app: App, _ connection: Connection
  ) throws(Refusal) -> Int {
    let own = sessions.values.count { $0.app == app }
    guard own < limits.sessions, sessions.count < limits.allSessions else {
      throw Refusal(
        .tooManySessions,
        "an app has at most \(limits.sessions) sessions, and all apps \(limits.allSessions)")
    }
    lastSession += 1
    sessions[lastSession] = Session(id: id, app: app, connection: connection)
    return lastSession
  }

  /// Throws if this connection has no session with this number.
  func requireSession(_ number: Int, of connection: Connection) throws(Refusal) {
    if sessions[number]?.connection == connection { return }
    throw Refusal(.noSuchSession, "this client has no session \(number)", remedy: "call 'Open'")
  }

  /// Removes a session and its streams.
  mutating func endSession(_ number: Int) {
    sessions[number] = nil
    streams = streams.filter { $0.value != number }
  }

  /// The sessions of a connection, in the order in which they were opened.
  func sessions(of connection: Connection) -> [Int] {
    sessions.filter { $0.value.connection == connection }.keys.sorted()
  }

  // MARK: Streams

  /// Adds a stream to a session and returns its number. No number is used again.
  mutating func openStream(of session: Int) throws(Refusal) -> Int {
    let app = sessions[session]?.app
    let own = streams.values.count { sessions[$0]?.app == app }
    guard own < limits.streams, streams.count < limits.allStreams else {
      throw Refusal(
        .tooManyStreams,
        "an app has at most \(limits.streams) streams, and all apps \(limits.allStreams)")
    }
    lastStream += 1
    streams[lastStream] = session
    return lastStream
  }

  /// Returns the session of a stream. Throws if this connection has no stream with this number.
  func session(ofStream number: Int, of connection: Connection) throws(Refusal) -> Int {
    if let session = streams[number], sessions[session]?.connection == connection {
      return session
    }
    throw Refusal(.noSuchStream, "this client has no stream \(number)")
  }

  /// Throws if one of the streams does not belong to the session.
  func requireStreams(_ numbers: [Int], of session: Int) throws(Refusal) {
    guard let other = numbers.first(where: { streams[$0] != session }) else { return }
    throw Refusal(.noSuchStream, "the session has no stream \(other)")
  }

  mutating func endStream(_ number: Int) { streams[number] = nil }

  // MARK: Pictures and pace

  /// Counts the button picture of a session. Throws if the session has too many pictures, or too large ones.
  /// - Parameter bytes: nil to remove the picture.
  mutating func setPicture(_ name: String, bytes: Int?, of session: Int) throws(Refusal) {
    guard var pictures = sessions[session]?.pictures else { return }
    pictures[name] = bytes
    guard pictures.count <= limits.pictures,
      pictures.values.reduce(0, +) <= limits.pictureBytes
    else {
      throw Refusal(
        .tooManyPictures,
        "a session has at most \(limits.pictures) pictures with \(limits.pictureBytes) bytes")
    }
    sessions[session]?.pictures = pictures
  }

  /// Counts a call. Throws if the app calls too often.
  mutating func count(_ call: Paced, of app: App, at now: MonotonicInstant) throws(Refusal) {
    let time = now.sinceOrigin
    // An app that has been quiet is like a new app.
    paces = paces.filter { $0.value.changes.isUsed(at: time) || $0.value.sound.isUsed(at: time) }
    let new = Paces(
      changes: CallPace(perSecond: limits.changesPerSecond, burst: limits.changeBurst),
      sound: CallPace(perSecond: limits.changesPerSecond, burst: limits.soundBurst))
    let isPermitted =
      switch call {
      case .change: paces[app, default: new].changes.permits(at: time)
      case .sound: paces[app, default: new].sound.permits(at: time)
      }
    guard isPermitted else {
      throw Refusal(
        .tooManyCalls, "the app calls more than \(limits.changesPerSecond) times a second")
    }
  }

  /// Call this when a connection has ended. A later connection can have the same identity.
  mutating func forgetPace(of connection: Connection) { paces[.connection(connection)] = nil }

  /// The number of apps whose calls are counted now.
  var countedApps: Int { paces.count }
}
