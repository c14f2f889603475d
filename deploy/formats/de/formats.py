"""German, with dates in forms as browsers send and expect them."""

DATE_INPUT_FORMATS = ["%Y-%m-%d", "%d.%m.%Y"]
DATETIME_INPUT_FORMATS = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%d.%m.%Y %H:%M"]
TIME_INPUT_FORMATS = ["%H:%M:%S", "%H:%M"]
