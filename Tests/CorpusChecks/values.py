"""Values of columns in the shape that the command line promises for JSON, written anew from that promise."""
import base64
import math
import struct
from decimal import Decimal, ROUND_HALF_EVEN

#: Days from the Julian day 0 to 2001-01-01.
_DAY_OF_REFERENCE = 2451911
#: The first day of the Gregorian calendar, 1582-10-15; earlier dates are Julian, as in Foundation.
_FIRST_GREGORIAN_DAY = 2299161


class Text(bytes):
    """Text of a cell as its bytes: a column may hold text where bytes belong, and bytes where text belongs."""


def string(value):
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def shortest_float(value):
    """The shortest decimal that reads back as the same 32-bit float."""
    for digits in range(1, 10):
        text = format(value, f".{digits}g")
        if struct.pack("<f", float(text)) == struct.pack("<f", value):
            return Decimal(text)
    raise AssertionError(f"nine digits do not hold {value!r}")


def real(value, is_float):
    """A Decimal to compare with the number's text, or the word for what is not a number."""
    value = float(value)
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if is_float:
        return shortest_float(value)
    return Decimal(repr(value))


def decimal(value):
    """Plain decimal notation."""
    if isinstance(value, bytes):
        return string(value)
    number = Decimal(value) if isinstance(value, int) else Decimal(repr(value))
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _civil(day):
    """Year, month, day of a Julian day number (after Richards)."""
    f = day + 1401
    if day >= _FIRST_GREGORIAN_DAY:
        f += (((4 * day + 274277) // 146097) * 3) // 4 - 38
    e = 4 * f + 3
    g = (e % 1461) // 4
    h = 5 * g + 2
    month = (h // 153 + 2) % 12 + 1
    return e // 1461 - 4716 + (12 + 2 - month) // 12, month, (h % 153) // 5 + 1


def date(value):
    """ISO 8601 in UTC with up to six digits of a second, from seconds since 2001."""
    micros = int((Decimal(value) * 1_000_000).to_integral_value(ROUND_HALF_EVEN))
    seconds, micros = divmod(micros, 1_000_000)
    days, seconds = divmod(seconds, 86400)
    year, month, day = _civil(_DAY_OF_REFERENCE + days)
    if not -999_999 <= year <= 999_999:
        return value
    years = f"{year:04d}" if 0 <= year <= 9999 else f"{year:+07d}"
    fraction = f".{micros:06d}".rstrip("0") if micros else ""
    return f"{years}-{month:02d}-{day:02d}T{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{fraction}Z"


def binary(value):
    return {"bytes": len(value), "base64": base64.b64encode(value).decode()}


def uuid(value):
    digits = value.hex().upper()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def external(value, folder):
    """The bytes behind the tag of external storage: inline, or in a file of their own (None when that is missing)."""
    if value[:1] == b"\x01":
        return value[1:]
    if value[:1] == b"\x02" and len(value) == 38:
        file = folder / value[1:37].decode("ascii")
        return file.read_bytes() if file.is_file() else None
    return value
