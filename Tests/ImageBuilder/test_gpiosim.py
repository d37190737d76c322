"""The module gpio-sim of the system tests is built with the headers of the image's kernel. The tests use the real apt
with a mirror on the disk."""

import lzma
import tarfile

import pytest

from imagebuilder import apt, kernelmodule, renew_lock
from imagebuilder.board import Board
from imagebuilder.gpiosim import GPIO_SIM
from imagebuilder.lock import read_lock
from imagebuilder.renew_lock import headers_of, kernel_of
from project import make_package, use_mirror, write_files, write_lock

KERNEL = "linux-image-6.12.1+deb13-amd64"


@pytest.fixture
def debian(board, tmp_path, monkeypatch):
    """A function that makes a mirror with the headers of the kernel `release`. It returns packages for a lock: the
    kernel, the headers, and `maker`, which stands for the tools that build modules."""
    write_files(board.project, {"board/packages.list": "[image]\n[modules]\nmaker  builds\n"})
    monkeypatch.setattr(apt, "KEY", "trusted=yes")

    def publish(release):
        made = tmp_path / "made" / release
        headers = make_package(made, "modules", f"linux-headers-{release}", {f"usr/src/linux-headers-{release}/x": ""})
        maker = make_package(made, "modules", "maker", {"usr/bin/maker": ""})
        kernel = make_package(made, "kernel", f"linux-image-{release}", {"boot/vmlinuz": ""})
        files = [made / package.file for package in (headers, maker)]
        use_mirror(monkeypatch, tmp_path / f"mirror-{release}", files)
        return kernel, headers, maker

    return publish


def test_kernel_is_the_package_with_a_version_in_its_name():
    kernel = kernel_of(["linux-image-amd64", KERNEL])
    assert (kernel, headers_of(kernel)) == (KERNEL, "linux-headers-6.12.1+deb13-amd64")


def test_headers_of_the_lock_are_used(board, debian):
    kernel, headers, maker = debian("6.12.1+deb13-amd64")
    write_lock(board, [kernel, headers, maker])
    found = kernelmodule.fetch_headers(board, read_lock(board))
    assert [package.name for package in found] == [headers.name, maker.name]
    assert all((board.debs / package.file).exists() for package in found)


def test_headers_of_another_kernel_are_replaced(board, debian):
    _, old, maker = debian("6.12.1+deb13-amd64")
    kernel, headers, _ = debian("6.12.2+deb13-amd64")
    write_lock(board, [kernel, old, maker])
    found = [package.name for package in kernelmodule.fetch_headers(board, read_lock(board))]
    assert headers.name in found and old.name not in found


@pytest.fixture
def foreign(board, tmp_path, monkeypatch):
    """The board `small` with a processor that differs from the processor of this machine, and a mirror with the
    packages that are needed to build gpio-sim."""
    conf = board.folder / "board.conf"
    conf.write_text(conf.read_text().replace("amd64", "arm64", 1).replace("x86_64-", "aarch64-"))
    names = "linux-source-6.12  source\ngcc-14  compiles\nmake  builds\nbusybox  a shell\n"
    write_files(board.project, {"board/packages.list": f"[image]\n[modules]\n{names}"})
    monkeypatch.setattr(apt, "KEY", "trusted=yes")
    made = tmp_path / "made"

    def make(name, architecture, version="1.0-1", depends=""):
        return make_package(made, "modules", name, {f"usr/share/{name}": ""}, version, architecture, depends)

    needs = "linux-headers-6.12.1-common, linux-kbuild-6.12.1, gcc-14"
    packages = [
        make("linux-headers-6.12.1-arm64", "arm64", depends=needs), make("linux-headers-6.12.1-common", "all"),
        make("linux-source-6.12", "all"), make("gcc-14", "arm64"), make("gcc-14-aarch64-linux-gnu", "amd64"),
        *(make(name, architecture) for name in ("linux-kbuild-6.12.1", "make", "busybox")
          for architecture in ("amd64", "arm64")),
    ]
    use_mirror(monkeypatch, tmp_path / "mirror", [made / package.file for package in packages])
    monkeypatch.setattr(kernelmodule, "architecture_of_machine", lambda: "amd64")
    monkeypatch.setattr(renew_lock, "architecture_of_machine", lambda: "amd64")
    foreign = Board("small", project=tmp_path)
    foreign.make_folders()
    return foreign, packages


def test_module_for_another_processor_is_built_with_a_cross_compiler_for_this_machine(foreign, tmp_path):
    board, packages = foreign
    # The lock contains programs for the processor of the board, because a machine with this processor wrote the lock.
    kernel = make_package(tmp_path / "made", "kernel", "linux-image-6.12.1-arm64", {"x": ""}, architecture="arm64")
    write_lock(board, [kernel, *(package for package in packages if package.architecture != "amd64")])
    found = {package.name: package.architecture for package in kernelmodule.fetch_headers(board, read_lock(board))}
    assert found == {
        "linux-headers-6.12.1-arm64": "arm64", "linux-headers-6.12.1-common": "all", "linux-source-6.12": "all",
        "gcc-14-aarch64-linux-gnu": "amd64", "linux-kbuild-6.12.1": "amd64", "make": "amd64", "busybox": "amd64",
    }
    assert kernelmodule.options(board) == ["ARCH=arm64", "CROSS_COMPILE=aarch64-linux-gnu-"]


def test_module_for_this_processor_needs_no_options(board):
    assert kernelmodule.options(board) == []


def test_source_has_only_functions_that_the_kernel_exports(tmp_path):
    source = tmp_path / "usr/src"
    source.mkdir(parents=True)
    (tmp_path / "tmp").mkdir()
    for path in GPIO_SIM.files.values():
        file = tmp_path / "linux-source-6.12" / path
        file.parent.mkdir(parents=True)
        file.write_text("handle_simple_irq(irq_to_desc(irqnum));\n")
    with lzma.open(source / "linux-source-6.12.tar.xz", "wb") as packed:
        with tarfile.open(fileobj=packed, mode="w") as archive:
            archive.add(tmp_path / "linux-source-6.12", "linux-source-6.12")
    kernelmodule.write_sources(tmp_path, GPIO_SIM)
    for name in GPIO_SIM.files:
        assert "irq_data_to_desc(irq_get_irq_data(irqnum))" in (tmp_path / "module" / name).read_text()
    assert not list(source.iterdir())
