"""What the package reads and writes: hostile files, folders without rights, what killed processes left."""

import base64
import os
import pathlib
import subprocess
import sys
import tempfile
import zlib

import numpy as np
import pytest

import perslay


@pytest.fixture
def refused():
    """The sentence with which something is refused; the program, where it is there, says the same of the file."""
    program = os.environ.get("PERSLAY_PROGRAM")

    def sentence(read, path):
        with pytest.raises(ValueError) as error:
            read(path)
        said = str(error.value)
        assert said.endswith(".") and "\n" not in said
        if program:
            done = subprocess.run([program, "info", path], capture_output=True, text=True)
            assert (done.returncode, done.stderr) == (2, f"perslay: {said}\n")
        return said

    return sentence


def diagrams():
    return perslay.DiagramSet({("mine", "h1"): [[(0.0, 1.0)], [(0.25, 0.5), (0.125, 3.0)]]})


# ---- HDF5 files of others

# Written by h5py: a group mine/h1 whose points are in the file "secret" beside it; and packed by LZF, which h5py alone
# brings along.
STORED_ELSEWHERE = (
    "c-rlj!A`<J5Qb;l0-FL-;)QtXks~G?yom{zo|LEujy77P2~g5DCcc5*d<2gkc?6CgeH7mSyWL&dUC@xAiHSRxVRol8u=~wVpPcS#)jTkP7{*|L"
    "1$kRCThzpu?_V>In15vcRpaYMy4PUq7OQXTV*b@duSc?%lJP#HBJ~)Q{YP_pCw<}vD~_nWX=2{QpL%&7ogMquStpt63bYvCrG!Zg!yufvF~B~e"
    "-;MX5d0{kmAM9J-y$jt*ls$)&8W`@AeLt9jm4I!~$q?o#^ZLd)nwMzY-*S!?rkW!)N9%KB6~(;Kp~&B^b98xj-bE?(Y>srX{yU353hIuw(Iff1"
    "GF>TCJ@UtK=*C1^QX{%#<jy<ONhIhBuis=B<(S*)%Al%rMd?bWE1aj1Ddx=re;P*s!EhLP$p_A3=ZAEKf8cdxj+JdT1Vwsgh{sLpHM+p$2KejN"
    "dfZ4Kt=q@!3Odj(Lwm^*3&|?k*ECwNl+;J89l5{87y8j!T`MI@M_hSYGJ(Isvn~Bk9#zG>$h!%>IOEL{xYSnh%ij0>`0vIQ#iGb%LE@5ffDjV+"
    "%Q&>sRPsKJbIKy~m+>^Oi8sgX`A?q<pTAG9tcvg"
)
PACKED_BY_LZF = (
    "c-rk*KTpCy6o1zOZ3>tY9U3Rx7%^cN6EK~WsDmR-1Zl#*05Q?TT{lNYMg|8zf}^7!fsf!fz`NdE%N3#|G8lZn<@)Yk-!*r?_q+D>$*r7Zt$hm^"
    "OcN4d!y@Ja(*xC(<8{#z(LRcHs>%LDFy@GUTg1=ns{iGAwaUEbG01sZDc+iZ_>XX_$2Hbog*@VT*Hpib-)$`N(f#GTIWbe5*BK}ZejAjNCNz74"
    "jyD3>CH&ds{QbsY*!J%7*S>c%@H)fjK9j~U;g*j3y)M|4*a@B)N<KxczA}$q4Q|)g%%e98^9b{3Igjj=>eo6{`S;sAx;Q<nkbw0fk90Nuhp<1B"
    "xJT>gQGC53T}g92^4p_<H)7Hffay|VVZ9@rB#N%c_yw_1uC<=7I9b#c)RjnAB%fNA>eui2-O&)B*K7_O^g{BnydhnY7cy>~$B5M+km74bq+Q^x"
    "#yf=EfPCFrww>VCT>eOGK^aPED9wdqlJ>H3P3HmAG(Ni^a-$y1;2o!Z-waHqRY^Kl47ZgtO4s!IPV@*`wBznZ*Msv)3(v=K{(FDPKQn_|S_C^c"
    "$cl4g?}z)wj%vsGhUW|dfj}S-2*kF1kHCz61C%G(i2?R3We}$ve-}g`5C{YUv2EvnGFFe|1tB5|hO!P6)gSG^mHkJR^+$%V?x^v)V^~KdFQUR^"
    "$7X*1lk4#XaX6M<"
)


def unpack(text, path):
    path.write_bytes(zlib.decompress(base64.b85decode(text)))
    return path


def test_numbers_in_other_files_are_not_read(tmp_path, refused):
    (tmp_path / "secret").write_bytes(np.arange(6.0).tobytes())
    path = unpack(STORED_ELSEWHERE, tmp_path / "d.h5")
    expected = f"{path}: mine/h1/points keeps its numbers in another file, and only this one is read."
    assert refused(perslay.read_diagrams, path) == expected


def test_a_missing_filter_is_named(tmp_path, refused):
    path = unpack(PACKED_BY_LZF, tmp_path / "d.h5")
    expected = f"{path}: mine/h1/points is packed by the filter 'lzf' (number 32000), which HDF5 does not have here."
    assert refused(perslay.read_diagrams, path) == expected


@pytest.mark.parametrize("way", ["virtual", "external", "soft", "external clouds"])
def test_links_out_of_a_file_are_not_followed(tmp_path, refused, way):
    h5py = pytest.importorskip("h5py")
    other, path = tmp_path / "other.h5", tmp_path / "d.h5"
    diagrams().write(other)
    diagrams().write(path)
    read, place = perslay.read_diagrams, "mine/h1/points"
    with h5py.File(path, "r+") as file:
        if way != "external clouds":
            shape = file[place].shape
            del file[place]
        if way == "virtual":
            layout = h5py.VirtualLayout(shape=shape, dtype="f8")
            layout[:] = h5py.VirtualSource(other, place, shape=shape)
            file.create_virtual_dataset(place, layout)
        elif way == "external":
            file[place] = h5py.ExternalLink(other, place)
        elif way == "soft":
            file["aside"] = np.zeros(shape)
            file[place] = h5py.SoftLink("/aside")
        else:
            read, place = perslay.read_clouds, "clouds"
            file[place] = h5py.ExternalLink(other, "mine")
    why = (
        "keeps its numbers in another file, and only this one is read"
        if way == "virtual"
        else "is a link to another place or file, and such links are not followed"
    )
    assert refused(read, path) == f"{path}: {place} {why}."


# ---- folders without rights


def as_nobody(call):
    """What a child says that has the rights of nobody in particular: of the ValueError that the call raises."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        said = "nothing was raised"
        try:
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
            call()
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with open(reading, encoding="utf-8") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


@pytest.mark.skipif(os.getuid() != 0, reason="only the superuser can become nobody")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_folders_that_cannot_be_read_or_written():
    with tempfile.TemporaryDirectory() as name:  # pytest's own lie where nobody else can look
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        if as_nobody(lambda: (folder / "none").exists()) != "nothing was raised":
            pytest.skip("temporary folders lie where nobody else can look")
        closed = folder / "closed"
        perslay.shapes(per_class=2).write(closed)
        closed.chmod(0o700)
        refused = f"ValueError: {closed} cannot be read: Permission denied."
        assert as_nobody(lambda: perslay.read_graphs(closed)) == refused
        assert as_nobody(lambda: perslay.read_clouds(closed)) == refused
        inside = closed / "d.h5"
        assert (
            as_nobody(lambda: perslay.read_diagrams(inside))
            == f"ValueError: {inside} cannot be read: Permission denied."
        )
        assert as_nobody(lambda: diagrams().write(folder / "d.h5")) == (
            f"ValueError: {folder / 'd.h5'}: The folder {folder} cannot be written: Permission denied."
        )
        assert os.listdir(folder) == ["closed"]


# ---- writing


def test_what_killed_processes_left_is_removed(tmp_path):
    """By the next writing of the same file; what other files' or living processes write stays."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left = tmp_path / f".d.h5.partial-{ended.pid}-0"
    others = [tmp_path / f".d.h5.partial-{os.getppid()}-0", tmp_path / f".e.h5.partial-{ended.pid}-0"]
    for path in [left, *others]:
        path.write_bytes(b"half")
    diagrams().write(tmp_path / "d.h5")
    assert sorted(tmp_path.iterdir()) == sorted([*others, tmp_path / "d.h5"])
    model = perslay.train(perslay.shapes(per_class=2), "svm:sw")
    left = tmp_path / f".m.safetensors.partial-{ended.pid}-3"
    left.write_bytes(b"half")
    model.write(tmp_path / "m.safetensors")
    assert not left.exists()


def test_replacing_keeps_rights_and_links(tmp_path):
    real, link = tmp_path / "real.h5", tmp_path / "link.h5"
    diagrams().write(real)
    real.chmod(0o640)
    link.symlink_to("real.h5")
    perslay.DiagramSet({("other", "h1"): [[(0, 1)]]}).write(link)
    assert link.is_symlink() and real.stat().st_mode & 0o777 == 0o640
    assert list(perslay.read_diagrams(real).groups) == [("other", "h1")]


def test_objects_may_be_written_where_they_came_from(tmp_path):
    """They hold everything themselves, and a file is replaced whole or not at all."""
    path = tmp_path / "d.h5"
    diagrams().write(path)
    again = perslay.read_diagrams(path)
    again[:1].write(path)
    assert len(perslay.read_diagrams(path)) == 1
    before = path.read_bytes()
    with pytest.raises(ValueError, match="cannot be written|does not exist"):
        again.write(path / "below.h5")
    assert path.read_bytes() == before


NETWORK = {"network.channel": "Pm(4,4,3,sum)", "training.epochs": 2}


def test_a_state_of_training_replaces_nothing_that_is_read(tmp_path):
    """Not even with fresh=True, and whatever the file is called."""
    graphs = perslay.shapes(per_class=3)
    settings, values = tmp_path / "s.toml", tmp_path / "v.txt"
    settings.write_text("[training]\nepochs = 2\n")
    values.write_text("\n".join(str(v % 5) for v in range(graphs.vertex_offsets[-1])) + "\n")
    (tmp_path / "link").symlink_to(settings)
    os.link(values, tmp_path / "hard.choice")
    train = {"model": "network", "overrides": NETWORK, "fresh": True}
    named = NETWORK | {"data.filtrations": [f"file:{values}"]}
    before = settings.read_bytes(), values.read_bytes()
    same = "Input and output are the same file"
    for given in (settings, str(settings)):
        for checkpoint in (settings, tmp_path / "link", pathlib.Path(os.path.relpath(settings))):
            with pytest.raises(ValueError, match=same):
                perslay.train(graphs, settings=given, checkpoint=checkpoint, **train)
    for checkpoint in (values, tmp_path / "hard"):
        with pytest.raises(ValueError, match=same):
            perslay.train(graphs, **(train | {"overrides": named}), checkpoint=checkpoint)
    assert (settings.read_bytes(), values.read_bytes()) == before
    perslay.train(graphs, settings=settings, checkpoint=tmp_path / "state", **train)
    assert not (tmp_path / "state").exists()
