"""Reads files in the format of the lists in board/, such as packages.list."""

from imagebuilder.lists import names_in, read_list


def test_list_has_sections_names_and_reasons(tmp_path):
    path = tmp_path / "a.list"
    path.write_text("# a comment\nfree   before any section\n\n[one]\nname   a reason, of words\n"
                    "bare\n[two]\nname   again\n")
    assert list(read_list(path)) == [
        (None, "free", "before any section"),
        ("one", "name", "a reason, of words"),
        ("one", "bare", ""),
        ("two", "name", "again"),
    ]


def test_names_of_a_section_keep_their_order(tmp_path):
    path = tmp_path / "a.list"
    path.write_text("[one]\nz\na\n[two]\nb\n[one]\nm\n")
    assert names_in(path, "one") == ["z", "a", "m"]
    assert names_in(path, "three") == []
