"""Puts terminal codes, markup and right-to-left marks into messages, names and types."""

# %%
nasty = "\x1b[2J\x1b]0;owned\x07\r\n\0\u202e<script>alert(1)</script>\ud800"
Odd = type(nasty.encode("utf-8", "replace").decode().replace("\0", ""), (Exception,), {})


def wave(x):
    if x.ndim == 1:
        raise Odd(nasty)
    return Odd(nasty)


raise Odd(nasty)
