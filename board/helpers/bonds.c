#define _GNU_SOURCE
#include "bonds.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "files.h"

// bluetoothd writes less than 2 KiB to the file `info` of a phone.
#define INFO_LIMIT (8 << 10)
// A head unit has one Bluetooth controller, and rarely two.
#define ADAPTER_LIMIT 8
#define PHONE_LIMIT 200

// Adds bytes to a hash: FNV-1a with 64 bits.
static uint64_t add(uint64_t sum, const char *text, size_t size) {
  for (size_t i = 0; i < size; i++) sum = (sum ^ (unsigned char)text[i]) * 0x100000001B3u;
  return sum;
}

static int is_address(const char *name) {
  if (strlen(name) != ADDRESS_SIZE) return 0;
  for (int i = 0; i < ADDRESS_SIZE; i++)
    if (i % 3 == 2 ? name[i] != ':' : !strchr("0123456789ABCDEF", name[i])) return 0;
  return 1;
}

// Reads the file `info` of the phone `address`. Returns 0, or -1 if there is no such file.
static int read_info(int adapter, const char *address, char *info) {
  int phone = open_folder(adapter, address);
  ssize_t size = phone < 0 ? -1 : read_small(phone, "info", info, INFO_LIMIT);
  if (phone >= 0) close(phone);
  return size > 0 ? 0 : -1;
}

// Computes the code of a phone from its address and its file `info`. Returns 0, or -1 if `info` contains no key.
static int code_of(const char *address, const char *info, uint32_t *code) {
  uint64_t sum = add(0xCBF29CE484222325u, address, ADDRESS_SIZE);
  int has_key = 0;
  for (const char *line = info; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    if (strncmp(line, "Key=", 4) != 0) continue;
    sum = add(sum, line, strcspn(line, "\r\n"));
    has_key = 1;
  }
  // Because of the multiplication, the upper bits depend on each bit of the sum. So the code consists of the upper 24
  // bits.
  *code = (uint32_t)((sum ^ sum >> 32) * 0x9E3779B97F4A7C15u >> 40);
  return has_key ? 0 : -1;
}

// Calls `body` for each folder whose name is an address, until `body` returns 0.
static int for_each(int folder, int limit, int (*body)(int folder, const char *address, void *context), void *context) {
  DIR *list = folder < 0 ? NULL : fdopendir(dup(folder));
  if (list) rewinddir(list);
  int result = -1, count = 0;
  for (struct dirent *entry; result && list && count < limit && (entry = readdir(list));) {
    if (!is_address(entry->d_name)) continue;
    count++;
    result = body(folder, entry->d_name, context);
  }
  if (list) closedir(list);
  return result;
}

struct search {
  const char *address;
  uint32_t *code;
};

static int find(int bonds, const char *name, void *context) {
  struct search *search = context;
  static char info[INFO_LIMIT];
  int adapter = open_folder(bonds, name);
  if (adapter < 0) return -1;
  int result = read_info(adapter, search->address, info) ? -1 : code_of(search->address, info, search->code);
  close(adapter);
  return result;
}

int bond_code(int bonds, const char *address, uint32_t *code) {
  char name[ADDRESS_SIZE + 1];
  memcpy(name, address, ADDRESS_SIZE);
  name[ADDRESS_SIZE] = 0;
  struct search search = {name, code};
  return is_address(name) ? for_each(bonds, ADAPTER_LIMIT, find, &search) : -1;
}

static int print_phone(int adapter, const char *address, void *output) {
  static char info[INFO_LIMIT];
  uint32_t code;
  if (read_info(adapter, address, info) || code_of(address, info, &code)) return -1;
  const char *name = strstr(info, "\nName=");
  if (name) name += strlen("\nName=");
  fprintf(output, "%06X  %s  %.*s\n", code, address, name ? (int)strcspn(name, "\r\n") : 0, name ? name : "");
  return -1;
}

static int print_adapter(int bonds, const char *name, void *output) {
  int adapter = open_folder(bonds, name);
  for_each(adapter, PHONE_LIMIT, print_phone, output);
  if (adapter >= 0) close(adapter);
  return -1;
}

void print_bond_codes(int bonds, FILE *output) { for_each(bonds, ADAPTER_LIMIT, print_adapter, output); }
