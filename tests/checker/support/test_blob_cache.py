"""What is kept is found again; what is damaged, is something else or may be somebody else's is not, and an answer never depends on it."""

from __future__ import annotations

import os
import resource
import signal
import stat
import warnings
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from trickproof.support.blob_cache import MOST_BYTES, BlobCache
from trickproof.support.cache_folder import FOLDER_VARIABLE, OFF_VARIABLE, CacheWarning, cache_folder

KEPT = BlobCache("things", form=1, most=3)
OWNED = pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def refusals(key: str = "a") -> list[str]:
    """What is said when an entry is read that must not be used."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", CacheWarning)
        assert KEPT.read(key) is None
    return [str(one.message) for one in said]


def test_keeps_by_key(folder: Path) -> None:
    assert KEPT.write("a", b"1")
    assert KEPT.write("b", b"2")
    assert KEPT.write("b", b"3")
    assert [BlobCache("things", 1, 3).read(key) for key in ("a", "b", "c")] == [b"1", b"3", None]
    assert BlobCache("things", 2, 3).read("a") is None
    KEPT.drop("a")
    assert KEPT.read("a") is None


def test_reading_makes_no_folder(folder: Path) -> None:
    assert KEPT.read("a") is None
    assert not folder.exists()


def test_what_is_made_is_for_its_owner_alone(folder: Path) -> None:
    before = os.umask(0)
    try:
        assert KEPT.write("a", b"1")
    finally:
        os.umask(before)
    modes = [
        stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / "things-1", folder / "things-1" / "a")
    ]
    assert modes == [0o700, 0o700, 0o600]
    assert KEPT.read("a") == b"1"


def test_the_oldest_go(folder: Path) -> None:
    for age, key in enumerate("abcde"):
        KEPT.write(key, b"1")
        os.utime(folder / "things-1" / key, (age, age))
    assert sorted(os.listdir(folder / "things-1")) == ["c", "d", "e"]


def test_any_flipped_bit_is_seen(folder: Path) -> None:
    """It is a miss, and the entry is gone."""
    KEPT.write("a", bytes(20))
    file = folder / "things-1" / "a"
    whole = file.read_bytes()
    for bit in Random(0).sample(range(8 * len(whole)), 100):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        file.write_bytes(damaged)
        assert refusals() == []
        assert not file.exists()
        file.touch(mode=0o600)


@pytest.mark.parametrize("damage", [b"", b"x", b"no entry" * 100])
def test_what_is_something_else_is_removed(folder: Path, damage: bytes) -> None:
    KEPT.write("a", b"1")
    (folder / "things-1" / "a").write_bytes(damage)
    assert refusals() == []
    assert os.listdir(folder / "things-1") == []


def test_an_entry_under_another_name_is_none(folder: Path) -> None:
    """Nor is one of another kind or form: the digest is over what the entry claims to be."""
    KEPT.write("a", b"1")
    BlobCache("others", 1, 3).write("b", b"2")
    (folder / "things-1" / "a").rename(folder / "things-1" / "b")
    assert KEPT.read("b") is None
    (folder / "others-1" / "b").rename(folder / "things-1" / "b")
    assert KEPT.read("b") is None


def test_names_lead_nowhere_else(folder: Path) -> None:
    KEPT.write("a", b"1")
    assert KEPT.read("../things-1/a") is None
    assert KEPT.read("") is None


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "large"])
def test_only_plain_files_are_read(folder: Path, tmp_path: Path, kind: str) -> None:
    """Nothing waits for a pipe; what was in the way is gone after the next writing."""
    KEPT.write("a", b"1")
    file = folder / "things-1" / "a"
    file.rename(tmp_path / "elsewhere")
    match kind:
        case "link":
            file.symlink_to(tmp_path / "elsewhere")
        case "pipe":
            os.mkfifo(file)
        case "folder":
            (file / "deeper").mkdir(parents=True)
        case "large":
            file.touch(mode=0o600)
            os.truncate(file, MOST_BYTES + 1)
    assert KEPT.read("a") is None
    assert KEPT.write("a", b"2")
    assert KEPT.read("a") == b"2"
    assert (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("mode", [0o770, 0o702, 0o722, 0o777])
def test_a_folder_that_others_can_write_to_is_not_used(folder: Path, mode: int) -> None:
    KEPT.write("a", b"1")
    for place in (folder, folder / "things-1"):
        place.chmod(mode)
        (said,) = refusals()
        assert f"the cache `{place}` is not used: other users can write to it" in said
        with pytest.warns(CacheWarning):
            assert not KEPT.write("b", b"2")
        place.chmod(0o755)
        assert KEPT.read("a") == b"1"


def test_a_file_that_others_can_write_to_is_made_anew(folder: Path) -> None:
    KEPT.write("a", b"1")
    (folder / "things-1" / "a").chmod(0o620)
    (said,) = refusals()
    assert said == f"the cache `{folder}` had a file that is not used: other users can write to it"
    assert KEPT.write("a", b"1")
    assert KEPT.read("a") == b"1"


@OWNED
def test_what_another_user_owns_is_not_used(folder: Path) -> None:
    KEPT.write("a", b"1")
    file = folder / "things-1" / "a"
    for place in (folder, folder / "things-1"):
        os.chown(place, 12345, -1)
        (said,) = refusals()
        assert f"the cache `{place}` is not used: another user owns it" in said
        os.chown(place, 0, -1)
    os.chown(file, 12345, -1)
    (said,) = refusals()
    assert said == f"the cache `{folder}` had a file that is not used: another user owns it"
    assert not file.exists()


def test_it_is_said_once(folder: Path) -> None:
    KEPT.write("a", b"1")
    folder.chmod(0o777)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("default", CacheWarning)
        for key in "abc":
            assert KEPT.read(key) is None
    assert len(said) == 1


def test_where_no_folder_can_be_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    for folder, says in ((tmp_path / "file", 1), (tmp_path / "file" / "deeper", 0), (Path("/dev/null/x"), 0)):
        monkeypatch.setenv(FOLDER_VARIABLE, str(folder))
        assert len(refusals()) == says
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CacheWarning)
            assert not KEPT.write("a", b"1")
        KEPT.drop("a") if not says else None
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_file_in_the_place_of_a_kind_makes_way(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    (folder / "things-1").write_text("in the way")
    assert KEPT.read("a") is None
    assert KEPT.write("a", b"1")
    assert KEPT.read("a") == b"1"


def test_a_disk_that_is_full(folder: Path) -> None:
    """What was kept stays, and nothing half written is left."""
    KEPT.write("a", b"1")
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limit[1]))
        assert not KEPT.write("a", bytes(100_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, ignored)
    assert KEPT.read("a") == b"1"
    assert os.listdir(folder / "things-1") == ["a"]


def test_switched_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    KEPT.write("a", b"1")
    monkeypatch.setenv(OFF_VARIABLE, "1")
    assert KEPT.read("a") is None
    assert not KEPT.write("a", b"2")
    monkeypatch.delenv(OFF_VARIABLE)
    assert KEPT.read("a") == b"1"


def test_several_processes_at_once(folder: Path) -> None:
    """What is read is always what one of them wrote, whole."""
    contents = [bytes([number]) * 5000 for number in range(4)]
    children = []
    for own in contents:
        child = os.fork()
        if child == 0:
            read = set()
            for number in range(100):
                KEPT.write("abc"[number % 3], own)
                read.add(KEPT.read("cab"[number % 3]))
            os._exit(0 if read <= {None, *contents} else 1)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0, 0]
    assert all(KEPT.read(key) in contents for key in "abc")
    assert sorted(os.listdir(folder / "things-1")) == ["a", "b", "c"]


@OWNED
@pytest.mark.parametrize("mode", [0o500, 0o000])
def test_a_folder_that_cannot_be_written_or_read(mode: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By an ordinary user, whom permissions bind."""
    with TemporaryDirectory() as home:
        os.chown(home, 12345, 12345)
        monkeypatch.setenv(FOLDER_VARIABLE, f"{home}/cache")
        child = os.fork()
        if child == 0:
            os.setgroups([])
            os.setgid(12345)
            os.setuid(12345)
            KEPT.write("a", b"1")
            for place in (Path(home, "cache", "things-1"), Path(home, "cache")):
                place.chmod(mode)
            KEPT.drop("a")
            answers = KEPT.read("a"), KEPT.write("a", b"2"), KEPT.write("b", b"2"), KEPT.read("a")
            kept = b"1" if mode else None
            os._exit(0 if answers == (kept, False, False, kept) else 1)
        assert os.waitpid(child, 0)[1] == 0


@OWNED
def test_a_folder_that_cannot_be_looked_at_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with TemporaryDirectory() as home:  # of root, for nobody else
        monkeypatch.setenv(FOLDER_VARIABLE, f"{home}/cache")
        child = os.fork()
        if child == 0:
            os.setgroups([])
            os.setuid(12345)
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                answers = KEPT.read("a"), KEPT.write("a", b"1")
            says = [str(one.message).partition(" is not used: ")[2][:24] for one in told]
            os._exit(0 if answers == (None, False) and says == ["it may not be looked into"[:24]] * 2 else 1)
        assert os.waitpid(child, 0)[1] == 0


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, "mine")
    assert cache_folder() == Path("mine")
    monkeypatch.delenv(FOLDER_VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "trickproof"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "trickproof"


def test_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (FOLDER_VARIABLE, "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    assert cache_folder() is None
    assert KEPT.read("a") is None
    assert not KEPT.write("a", b"1")
