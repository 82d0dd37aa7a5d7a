"""One line names the thing, the nearest choice, and all choices."""

import pytest

from ganzoo.names import known


def test_a_known_name_comes_back():
    assert known("lion", ["ant", "lion"], "animal") == "lion"


def test_a_misspelt_name_is_answered_with_the_nearest_and_all():
    with pytest.raises(
        ValueError, match=r"^no animal 'lyon'. Did you mean 'lion'\? There are: ant, l"
    ):
        known("lyon", ["ant", "lion"], "animal")


def test_nothing_is_guessed_where_nothing_is_near():
    with pytest.raises(ValueError, match=r"^no animal 'xyz'. There are: ant, lion$"):
        known("xyz", ["ant", "lion"], "animal")
