"""Makes the oracle answer the same in every recording: the clock stands, ids are counted, ciphers hold no chance.

To be imported before anything of the oracle. ORACLE_NOW is the instant (ISO 8601, UTC); without it everything is as it
is for users. ORACLE_STEP numbers the processes of a recording, so that their ids differ and ascend.
"""

import base64
import datetime as module
import hashlib
import os
import uuid

NOW = os.environ.get("ORACLE_NOW")
STEP = int(os.environ.get("ORACLE_STEP", "0"))

real = module.datetime


def stop_clock(instant):
    class Same(type):
        """What was a datetime stays one for `isinstance`."""

        def __instancecheck__(cls, value):
            return isinstance(value, real)

        def __subclasscheck__(cls, other):
            return issubclass(other, real)

    class Standing(real, metaclass=Same):
        def __new__(cls, *values, **named):
            return real(*values, **named)

        @classmethod
        def now(cls, tz=None):
            return instant.astimezone(tz) if tz else instant.astimezone().replace(tzinfo=None)

        @classmethod
        def utcnow(cls):
            return instant.replace(tzinfo=None)

    module.datetime = Standing


def count_ids(instant):
    import types

    from bson import ObjectId, objectid

    start = int(instant.timestamp()) + STEP
    ObjectId._inc = 0
    ObjectId._random = classmethod(lambda _: b"oracl")
    objectid.time = types.SimpleNamespace(time=lambda: start)
    uuid.uuid1 = lambda *_: uuid.uuid5(uuid.NAMESPACE_URL, f"{instant}{STEP}")


def encrypt_without_chance(instant):
    import werkzeug.security
    from cryptography.fernet import Fernet

    def encrypt(self, data):
        return self._encrypt_from_parts(data, int(instant.timestamp()), hashlib.sha256(data).digest()[:16])

    Fernet.encrypt = encrypt
    werkzeug.security.gen_salt = lambda length: base64.b32encode(b"not by chance").decode()[:length]


if NOW:
    now = real.fromisoformat(NOW).astimezone(module.timezone.utc)
    stop_clock(now)
    count_ids(now)
    encrypt_without_chance(now)
