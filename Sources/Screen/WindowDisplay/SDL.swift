internal import Glibc

/// The functions of SDL 2 that a window needs. These functions are loaded at run time, when a window is opened.
///
/// SDL is not linked, because a head unit has no desktop, and because SDL would add twenty other libraries to the
/// image. SDL is used instead of GTK, because a window needs few functions and SDL works on X11 and on Wayland.
struct SDL {
  typealias Handle = OpaquePointer

  let setMainReady: @convention(c) () -> Void
  let initialize: @convention(c) (UInt32) -> Int32
  let quit: @convention(c) () -> Void
  let error: @convention(c) () -> UnsafePointer<CChar>?
  let createWindow:
    @convention(c) (UnsafePointer<CChar>, Int32, Int32, Int32, Int32, UInt32) -> Handle?
  let createRenderer: @convention(c) (Handle, Int32, UInt32) -> Handle?
  let createTexture: @convention(c) (Handle, UInt32, Int32, Int32, Int32) -> Handle?
  let destroyTexture: @convention(c) (Handle) -> Void
  let updateTexture: @convention(c) (Handle, UnsafePointer<Int32>, UnsafeRawPointer, Int32) -> Int32
  let renderCopy: @convention(c) (Handle, Handle, UnsafeRawPointer?, UnsafeRawPointer?) -> Int32
  let present: @convention(c) (Handle) -> Void
  let poll: @convention(c) (UnsafeMutableRawPointer) -> Int32

  /// Loads SDL. Returns nil if SDL is not installed, or if it lacks one of the functions.
  init?() {
    guard let library = dlopen("libSDL2-2.0.so.0", RTLD_NOW) else { return nil }
    // Finds a function by its name. The value of a C function pointer is the address of the function.
    func find<Function>(_ name: String) throws(Missing) -> Function {
      guard let address = dlsym(library, name) else { throw Missing() }
      return unsafeBitCast(address, to: Function.self)
    }
    do {
      setMainReady = try find("SDL_SetMainReady")
      initialize = try find("SDL_Init")
      quit = try find("SDL_Quit")
      error = try find("SDL_GetError")
      createWindow = try find("SDL_CreateWindow")
      createRenderer = try find("SDL_CreateRenderer")
      createTexture = try find("SDL_CreateTexture")
      destroyTexture = try find("SDL_DestroyTexture")
      updateTexture = try find("SDL_UpdateTexture")
      renderCopy = try find("SDL_RenderCopy")
      present = try find("SDL_RenderPresent")
      poll = try find("SDL_PollEvent")
    } catch {
      return nil
    }
  }

  private struct Missing: Error {}

  /// The reason why the last call of a function of SDL failed.
  var errorText: String { error().map { String(cString: $0) } ?? "no reason reported" }

  // Constants of SDL 2's headers, which are part of the binary interface of SDL.
  static let video: UInt32 = 0x20
  static let centered: Int32 = 0x2FFF_0000
  static let resizable: UInt32 = 0x20
  static let xrgb8888: UInt32 = 0x1616_1804
  static let streaming: Int32 = 1
}

/// The events of SDL that the screen uses. They are read from the 56 bytes of `SDL_Event`.
enum SDLEvent: Equatable {
  case quit
  case resized(width: Int, height: Int)
  /// The window was covered and must be drawn again.
  case exposed
  case button(isDown: Bool, x: Int, y: Int)
  case motion(x: Int, y: Int)
  /// A key was pressed. `scancode` stands for the position of the key on the keyboard.
  case key(scancode: Int)
  /// The user has typed a question mark. Which key this is depends on the layout of the keyboard.
  case questionMark
  case other

  static let byteCount = 56

  init(_ bytes: UnsafeRawPointer) {
    func word(_ offset: Int) -> Int { Int(bytes.load(fromByteOffset: offset, as: Int32.self)) }
    func byte(_ offset: Int) -> UInt8 { bytes.load(fromByteOffset: offset, as: UInt8.self) }
    switch bytes.load(as: UInt32.self) {
    case 0x100: self = .quit
    case 0x200:
      switch byte(12) {
      case 3: self = .exposed
      case 6: self = .resized(width: word(16), height: word(20))
      default: self = .other
      }
    case 0x300: self = byte(13) == 0 ? .key(scancode: word(16)) : .other
    case 0x303: self = byte(12) == UInt8(ascii: "?") ? .questionMark : .other
    case 0x400: self = .motion(x: word(20), y: word(24))
    case 0x401, 0x402:
      // Events of other buttons than the left button are ignored.
      self =
        byte(16) == 1
        ? .button(isDown: byte(17) == 1, x: word(20), y: word(24)) : .other
    default: self = .other
    }
  }
}
