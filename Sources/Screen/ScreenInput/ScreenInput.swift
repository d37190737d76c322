internal import CLibinput
package import EventLoop
internal import Glibc
package import ScreenDisplay
package import ScreenLayout

/// Fingers, pointers and arrow keys of the machine, through libinput.
///
/// udev lists the devices, because libinput reads the type of a device from udev's properties. If udev has not
/// processed a device yet, libinput reports this device later. No seat manager is needed, because the group of the
/// nodes gives access.
///
/// ``onLog`` is called with the name of each device that was opened or removed.
package final class ScreenInput: PanelInput {
  package var onPointer: ((PointerEvent) -> Void)?
  package var onFocus: ((FocusEvent) -> Void)?
  package var onLog: ScreenEvent.Log?
  package var size: PixelSize {
    get { tracker.size }
    set { tracker.size = newValue }
  }

  private let loop: EventLoop
  private var tracker: PointerTracker
  private var udev: OpaquePointer?
  private var input: OpaquePointer?
  private var source: DescriptorSource?
  private let interface: UnsafeMutablePointer<libinput_interface>

  /// Creates the object. No device is opened before ``start()``.
  package init(_ loop: EventLoop, rotation: Rotation = .none) {
    self.loop = loop
    tracker = PointerTracker(PixelSize(width: 800, height: 480), rotation)
    interface = .allocate(capacity: 1)
    // libinput passes the second argument of `libinput_udev_create_context`, here the udev context, to both functions
    // as their last argument.
    interface.initialize(
      to: libinput_interface(
        open_restricted: { path, _, udev in
          guard let path else { return -EINVAL }
          return OpenedDevice.open(String(cString: path), udev.map { OpaquePointer($0) })
        },
        close_restricted: { descriptor, _ in close(descriptor) }))
  }

  deinit {
    stop()
    interface.deallocate()
  }

  /// Opens the devices. During this call, libinput reads about fifty files with device quirks. So this method is called
  /// after the first picture.
  package func start() {
    guard input == nil else { return }
    guard let udev = udev_new(),
      let input = libinput_udev_create_context(
        interface, UnsafeMutableRawPointer(udev), udev)
    else {
      onLog?(.inputFailed, "libinput cannot start")
      return
    }
    self.udev = udev
    self.input = input
    // Only errors are logged, because libinput's messages about unused devices are not useful.
    libinput_log_set_priority(input, LIBINPUT_LOG_PRIORITY_ERROR)
    guard libinput_udev_assign_seat(input, "seat0") == 0,
      let source = try? DescriptorSource(
        loop, descriptor: libinput_get_fd(input), { [weak self] _ in self?.read() })
    else {
      onLog?(.inputFailed, "udev provides no input devices")
      return
    }
    self.source = source
    read()
  }

  /// Closes all devices. Sends no events for pressed fingers or buttons.
  package func stop() {
    source?.cancel()
    source = nil
    if let input { libinput_unref(input) }
    if let udev { udev_unref(udev) }
    input = nil
    udev = nil
  }

  private func read() {
    guard let input else { return }
    libinput_dispatch(input)
    while let event = libinput_get_event(input) {
      handle(event)
      libinput_event_destroy(event)
    }
  }

  private func handle(_ event: OpaquePointer) {
    switch libinput_event_get_type(event) {
    case LIBINPUT_EVENT_DEVICE_ADDED: log(.inputAdded, event)
    case LIBINPUT_EVENT_DEVICE_REMOVED:
      log(.inputRemoved, event)
      for cancel in tracker.cancelAll(at: Self.now) { onPointer?(cancel) }
    case LIBINPUT_EVENT_TOUCH_DOWN, LIBINPUT_EVENT_TOUCH_MOTION, LIBINPUT_EVENT_TOUCH_UP,
      LIBINPUT_EVENT_TOUCH_CANCEL:
      touch(event)
    case LIBINPUT_EVENT_POINTER_MOTION, LIBINPUT_EVENT_POINTER_MOTION_ABSOLUTE,
      LIBINPUT_EVENT_POINTER_BUTTON:
      pointer(event)
    case LIBINPUT_EVENT_TABLET_TOOL_TIP, LIBINPUT_EVENT_TABLET_TOOL_AXIS: pen(event)
    case LIBINPUT_EVENT_KEYBOARD_KEY: key(event)
    default: break
    }
  }

  private func send(_ event: PointerEvent?) {
    if let event { onPointer?(event) }
  }

  private func touch(_ event: OpaquePointer) {
    guard let touch = libinput_event_get_touch_event(event) else { return }
    let slot = Int(libinput_event_touch_get_seat_slot(touch))
    let moment = Duration.microseconds(Int64(libinput_event_touch_get_time_usec(touch)))
    switch libinput_event_get_type(event) {
    case LIBINPUT_EVENT_TOUCH_UP: send(tracker.lift(slot, at: moment))
    case LIBINPUT_EVENT_TOUCH_CANCEL: send(tracker.cancel(slot, at: moment))
    default:
      send(
        tracker.finger(
          slot, x: libinput_event_touch_get_x_transformed(touch, Self.raster) / Double(Self.raster),
          y: libinput_event_touch_get_y_transformed(touch, Self.raster) / Double(Self.raster),
          at: moment))
    }
  }

  private func pointer(_ event: OpaquePointer) {
    guard let pointer = libinput_event_get_pointer_event(event) else { return }
    let moment = Duration.microseconds(Int64(libinput_event_pointer_get_time_usec(pointer)))
    switch libinput_event_get_type(event) {
    case LIBINPUT_EVENT_POINTER_MOTION:
      send(
        tracker.move(
          x: libinput_event_pointer_get_dx(pointer), y: libinput_event_pointer_get_dy(pointer),
          at: moment))
    case LIBINPUT_EVENT_POINTER_MOTION_ABSOLUTE:
      let raster = Double(Self.raster)
      send(
        tracker.point(
          x: libinput_event_pointer_get_absolute_x_transformed(pointer, Self.raster) / raster,
          y: libinput_event_pointer_get_absolute_y_transformed(pointer, Self.raster) / raster,
          at: moment))
    default:
      guard libinput_event_pointer_get_button(pointer) == UInt32(BTN_LEFT) else { return }
      let state = libinput_event_pointer_get_button_state(pointer)
      send(tracker.press(state == LIBINPUT_BUTTON_STATE_PRESSED, at: moment))
    }
  }

  private func pen(_ event: OpaquePointer) {
    guard let pen = libinput_event_get_tablet_tool_event(event) else { return }
    let moment = Duration.microseconds(Int64(libinput_event_tablet_tool_get_time_usec(pen)))
    let raster = Double(Self.raster)
    send(
      tracker.point(
        x: libinput_event_tablet_tool_get_x_transformed(pen, Self.raster) / raster,
        y: libinput_event_tablet_tool_get_y_transformed(pen, Self.raster) / raster, at: moment))
    if libinput_event_get_type(event) == LIBINPUT_EVENT_TABLET_TOOL_TIP {
      let isDown = libinput_event_tablet_tool_get_tip_state(pen) == LIBINPUT_TABLET_TOOL_TIP_DOWN
      send(tracker.press(isDown, at: moment))
    }
  }

  private func key(_ event: OpaquePointer) {
    guard let key = libinput_event_get_keyboard_event(event),
      libinput_event_keyboard_get_key_state(key) == LIBINPUT_KEY_STATE_PRESSED,
      let meaning = OpenedDevice.focusKeys[libinput_event_keyboard_get_key(key)]
    else { return }
    switch meaning {
    case .up: onFocus?(.up)
    case .down: onFocus?(.down)
    case .left: onFocus?(.left)
    case .right: onFocus?(.right)
    case .activate: onFocus?(.activate)
    case .back: onFocus?(.back)
    }
  }

  private func log(_ change: ScreenEvent, _ event: OpaquePointer) {
    guard let device = libinput_event_get_device(event),
      let name = libinput_device_get_name(device)
    else { return }
    onLog?(change, String(cString: name))
  }

  /// libinput returns positions as numbers from 0 to this value. They are then divided by this value.
  private static let raster: UInt32 = 1 << 20

  private static var now: Duration { .nanoseconds(EventClock.monotonic.now) }
}
