internal import CDRM
internal import Files
internal import Glibc

/// The reason why a display cannot be used.
enum KMSError: Error, Equatable {
  /// Another program is the DRM master, or this program has no access to the node (yet). The caller retries later.
  case taken
  /// No display is connected to this graphics card, or the graphics card cannot show pictures.
  case nothingConnected
  /// A call failed. The values are the name of the call and its errno.
  case failed(String, Int32)

  init(_ call: String, _ number: Int32) {
    // `EACCES` and `EPERM` mean that this program is not the DRM master, or that the node does not (yet) belong to a
    // group of this program.
    self = number == EACCES || number == EPERM ? .taken : .failed(call, number)
  }
}

/// A graphics card: an open node of `/dev/dri`. This program is the DRM master of the card.
final class Card {
  static let folder = "/dev/dri"

  let path: String
  let descriptor: Int32
  /// True if the card supports atomic mode setting: one call makes all changes. Otherwise ``Scanout`` uses
  /// `drmModeSetCrtc` and `drmModePageFlip`.
  let isAtomic: Bool

  /// Opens the node. The first program that opens the node becomes the DRM master of the card. Throws `taken` if
  /// another program is the master.
  init(_ path: String) throws(KMSError) {
    self.path = path
    let file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw KMSError("open", errno) }
    var dumb: UInt64 = 0
    guard drmGetCap(file, UInt64(DRM_CAP_DUMB_BUFFER), &dumb) == 0, dumb == 1 else {
      close(file)
      throw .nothingConnected  // a card that only renders
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

  /// The paths of all cards, in the order of their numbers.
  static func paths() -> [String] {
    NumberedNames.all("card", in: folder).map { "\(folder)/\($0)" }
  }

  /// The properties of a DRM object: for each name, the identifier and the value. `kind` is a constant such as
  /// `DRM_MODE_OBJECT_PLANE`. Empty if the properties cannot be read.
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
