#!/bin/sh
# install-packages.sh [LIST]: installs the missing packages of a list in this folder (default:
# packages.list), and prints why each package is needed. Then checks that Swift is installed and new
# enough. Prints nothing if nothing is missing.
set -eu

list=$(dirname "$0")/${1:-packages.list}
swift=${SWIFT:-swift}

# --- packages -------------------------------------------------------------------------------

names() { sed -n 's/^\([a-z0-9][^ ]*\) .*/\1/p' "$list"; }
reason() { sed -n "s/^$1  *//p" "$list"; }

missing_packages() {
  # dpkg-query reports an error for an unknown name. A package with an unknown name counts as missing.
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' $(names) 2>/dev/null || true)
  for name in $(names); do
    echo "$installed" | grep -qx "$name installed" || echo "$name"
  done
}

install() {
  # A new machine can still be installing its own updates. In this case apt-get waits for apt's lock.
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 \
    install --yes --quiet --no-install-recommends "$@"
}

update() { $as_root apt-get -o DPkg::Lock::Timeout=120 update --quiet; }

have_index() {
  for index in /var/lib/apt/lists/*_Packages*; do [ -e "$index" ] && return 0; done
  return 1
}

# A login shell of root (`su -`) has /sbin and /usr/sbin in its PATH. dpkg needs the programs in these folders.
need_root() {
  echo "$1 Install the packages as root, then try again. This command does it, and asks for the password of root:"
  echo "  su - -c 'apt-get update && apt-get install --no-install-recommends" $2"'"
  exit 1
}

install_missing() {
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0

  echo "Missing Debian packages:"
  for name in $missing; do printf '  %-15s %s\n' "$name" "$(reason "$name")"; done

  if [ "$(id -u)" = 0 ]; then
    as_root=
  else
    as_root=sudo
    command -v sudo >/dev/null || need_root "There is no sudo." "$missing"
    echo "The installation requires root. sudo may ask for your password."
    sudo -v || need_root "sudo was refused." "$missing"
  fi

  have_index || update
  if ! install $missing; then
    echo "The installation failed. The package index may be old. Updating it and trying again."
    update
    install $missing
  fi
}

# For systems other than Debian. The script cannot install packages there, so it only checks whether
# the programs and libraries exist. The packages of such a system can have other names.
check_tools() {
  absent=
  for tool in make pkg-config sox flac oggenc oggdec vorbiscomment lame twolame mpg123 opusenc opusdec python3 dbus-daemon busctl; do
    command -v "$tool" >/dev/null || absent="$absent $tool"
  done
  for library in flac libmpg123 opusfile vorbisfile sbc alsa soxr libsystemd bluez pangocairo libturbojpeg libpng libqrencode libseccomp; do
    pkg-config --exists "$library" 2>/dev/null || absent="$absent $library.pc"
  done
  [ -n "$absent" ] || return 0

  echo "This system is not Debian. Install the missing programs and libraries yourself:$absent"
  echo "The Debian packages are:"
  for name in $(names); do printf '  %-15s %s\n' "$name" "$(reason "$name")"; done
  exit 1
}

if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
  install_missing
else
  check_tools
fi

# --- Swift ----------------------------------------------------------------------------------

need_swift() {
  echo "$1" >&2
  echo "Autoharp requires Swift 6.3 or newer: https://swift.org/install" >&2
  echo "If Swift is in another folder, give its path: make SWIFT=/path/to/swift" >&2
  exit 1
}

command -v "$swift" >/dev/null || need_swift "The PATH has no '$swift'."
printed=$("$swift" --version 2>&1) || need_swift "'$swift --version' failed:
$printed"
version=$(echo "$printed" | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p')
[ -n "$version" ] || need_swift "'$swift --version' prints no version:
$printed"
major=${version%.*} minor=${version#*.}
if [ "$major" -lt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -lt 3 ]; }; then
  need_swift "'$swift' is Swift $version."
fi
