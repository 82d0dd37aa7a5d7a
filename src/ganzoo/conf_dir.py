"""Where the configuration lies: beside ``src`` in a checkout, inside the package in a wheel."""

from pathlib import Path


def conf_dir() -> Path:
    """Return the folder of ``config.yaml``.

    Raises:
        FileNotFoundError: it is in neither place, which means a broken installation.
    """
    package = Path(__file__).resolve().parent
    places = [package / "conf", package.parents[1] / "conf"]
    for place in places:
        if (place / "config.yaml").is_file():
            return place
    raise FileNotFoundError(f"no config.yaml in {places[0]} or {places[1]}: reinstall ganzoo")
