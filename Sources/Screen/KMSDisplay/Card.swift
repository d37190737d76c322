internal import CDRM
internal import Files
internal import Glibc

/// Why a display cannot be used.
enum KMSError: Error, Equatable {
  /// Another program shows its pictures: wait until it has gone.
  case taken
  /// There is no display at this card, or there is none any more.
  case nothingConnected
  /// A call that failed, and the error's number.
  case failed(String, Int32)

  init(_ call: String, _ number: Int32) {
    // Not the master of the card; not (yet) the node's group.
    self = number == EACCES || number == EPERM ? .taken : .failed(call, number)
  }
}

/// A graphics card: an opened node of `/dev/dri`, of which this program is the master.
final class Card {
  static let folder = "/dev/dri"

  let path: String
  let descriptor: Int32
  /// Whether all changes go in one call. Where not, there are two older calls.
  let isAtomic: Bool

  /// Opens it; whoever opens it first is its master.
  init(_ path: String) throws(KMSError) {
    self.path = path
    let file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw KMSError("open", errno) }
    var dumb: UInt64 = 0
    guard drmGetCap(file, UInt64(DRM_CAP_DUMB_BUFFER), &dumb) == 0, dumb == 1 else {
      close(file)
      throw .nothingConnected  // a card that only computes
    }
    guard drmIsMaster(file) == 1 else {
      close(file)
      throw .taken
    }
    _ = drmSetClientCap(file, UInt64(DRM_CLIENT_CAP_UNIVERSAL_PLANES), 1)
    isAtomic = drmSetClientCap(file, UInt64(DRM_CLIENT_CAP_ATOMIC), 1) == 0
    descriptor = file
  }

  deinit { close(descriptor) }

  /// All cards, in their order.
  static func paths() -> [String] {
    NumberedNames.all("card", in: folder).map { "\(folder)/\($0)" }
  }

  /// The properties of a thing, by their names: number and value.
  func properties(of object: UInt32, _ kind: UInt32) -> [String: (id: UInt32, value: UInt64)] {
    guard let list = drmModeObjectGetProperties(descriptor, object, kind) else { return [:] }
    defer { drmModeFreeObjectProperties(list) }
    var result: [String: (id: UInt32, value: UInt64)] = [:]
    for index in 0..<Int(list.pointee.count_props) {
      let id = list.pointee.props[index]
      guard let property = drmModeGetProperty(descriptor, id) else { continue }
      let name = withUnsafePointer(to: &property.pointee.name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(DRM_PROP_NAME_LEN)) {
          String(cString: $0)
        }
      }
      result[name] = (id, list.pointee.prop_values[index])
      drmModeFreeProperty(property)
    }
    return result
  }
}
