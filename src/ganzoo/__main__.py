"""``python -m ganzoo``."""

from ganzoo.cli import main

if __name__ == "__main__":
    main()
