#!/bin/sh
# make-stick.sh FOLDER IMAGE: makes an image of a USB stick (FAT32, label MUSIC) with the files of FOLDER. Needs no root
# rights. Does nothing if the image already contains these files.
set -eu

[ $# = 2 ] || { echo "usage: $0 FOLDER IMAGE" >&2; exit 2; }
folder=$1 image=$2
PATH=$PATH:/usr/sbin:/sbin
[ -d "$folder" ] || { echo "$folder is not a folder. Set MUSIC to a folder with music: make boot MUSIC=FOLDER" >&2; exit 1; }

# The names, sizes and times of the files.
list=$(cd "$folder" && find -L . -type f -printf '%P %s %T@\n' 2>/dev/null | LC_ALL=C sort)
[ -n "$list" ] || { echo "$folder has no files." >&2; exit 1; }
if [ -e "$image" ] && [ "$(cat "$image.list" 2>/dev/null)" = "$folder
$list" ]; then exit 0; fi

# For each file 34 KiB are added: up to 32 KiB for the unused part of its last cluster, and up to 2 KiB for its
# directory entries.
files=$(echo "$list" | wc -l)
kib=$(( $(du -Lsk --apparent-size "$folder" | cut -f1) + files * 34 + 65536 ))
free=$(df --output=avail -k "$(dirname "$image")" | tail -1)
[ "$kib" -lt "$free" ] || { echo "The stick needs $((kib / 1024)) MiB; $((free / 1024)) MiB are free." >&2; exit 1; }

echo "Making a stick with the $files files of $folder"
rm -f "$image" "$image.list" "$image.new"
trap 'rm -f "$image.new"' EXIT
trap 'exit 1' HUP INT TERM
mkfs.fat -F 32 -n MUSIC -C "$image.new" "$kib" >/dev/null
# -Q ends at the first error, for example if a file is larger than FAT permits (4 GiB). -D s leaves out a file if FAT
# cannot distinguish its name from another name.
(cd "$folder" && LC_ALL=C.UTF-8 MTOOLS_SKIP_CHECK=1 mcopy -s -Q -D s -i "$image.new" -- * ::) </dev/null
mv "$image.new" "$image"
printf '%s\n%s\n' "$folder" "$list" >"$image.list"
