#!/usr/bin/env python
"""Django's command line for ZGXL."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    from deploy import commandline

    commandline.run(sys.argv)


if __name__ == "__main__":
    main()
