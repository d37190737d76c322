// Registers one A2DP endpoint, like a program that plays the sound of phones. Accepts every
// configuration and prints a line for it. The tests of bluetoothd need this program, because the
// product has no endpoint yet.

#include <stdio.h>
#include <systemd/sd-bus.h>

static int print_event(const char *what, const char *transport) {
  printf("%s %s\n", what, transport);
  return fflush(stdout);
}

static int on_set(sd_bus_message *call, void *data, sd_bus_error *error) {
  const char *transport = "";
  int result = sd_bus_message_read(call, "o", &transport);
  if (result < 0) return result;
  print_event("set", transport);
  return sd_bus_reply_method_return(call, "");
}

static int on_clear(sd_bus_message *call, void *data, sd_bus_error *error) {
  const char *transport = "";
  int result = sd_bus_message_read(call, "o", &transport);
  if (result < 0) return result;
  print_event("clear", transport);
  return sd_bus_reply_method_return(call, "");
}

static int on_release(sd_bus_message *call, void *data, sd_bus_error *error) {
  print_event("release", "");
  return sd_bus_reply_method_return(call, "");
}

static const sd_bus_vtable methods[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("SetConfiguration", "oa{sv}", "", on_set, 0),
    SD_BUS_METHOD("ClearConfiguration", "o", "", on_clear, 0),
    SD_BUS_METHOD("Release", "", "", on_release, 0),
    SD_BUS_VTABLE_END,
};

int main(void) {
  sd_bus *bus = NULL;
  sd_bus_error error = SD_BUS_ERROR_NULL;
  int result = sd_bus_open_system(&bus);
  if (result >= 0)
    result = sd_bus_add_object_vtable(
        bus, NULL, "/endpoint", "org.bluez.MediaEndpoint1", methods, NULL);
  // SBC with all options, up to a bitpool of 53.
  if (result >= 0)
    result = sd_bus_call_method(
        bus, "org.bluez", "/org/bluez/hci0", "org.bluez.Media1", "RegisterEndpoint", &error, NULL,
        "oa{sv}", "/endpoint", 4, "UUID", "s", "0000110b-0000-1000-8000-00805f9b34fb", "Codec", "y",
        0, "DelayReporting", "b", 1, "Capabilities", "ay", 4, 0xff, 0xff, 2, 53);
  if (result < 0) {
    printf("failed: %s\n", error.message ? error.message : "no bus");
    return 1;
  }
  print_event("registered", "");
  while (result >= 0) {
    result = sd_bus_process(bus, NULL);
    if (result == 0) result = sd_bus_wait(bus, UINT64_MAX);
  }
  return 1;
}
