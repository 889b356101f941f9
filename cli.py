"""`python cli.py ...` in a checkout is `mosaic ...`."""

from mosaic_sql.commands import main

if __name__ == "__main__":
    main()
