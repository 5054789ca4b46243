"""The keys that checkpoints are signed with, and those that verify them."""

import os
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key

from turnserver import files
from turnserver.config import Settings
from turnserver.errors import ConfigError
from turnserver.proof.note import SigningKey, VerificationKey, verification_key


def signing(settings: Settings) -> list[SigningKey]:
    """The keys of the settings, each named after the log. Raises ConfigError for one that cannot be used."""
    return [SigningKey(settings.origin, read(path)) for path in settings.audit.key_files]


def verifying(settings: Settings) -> list[VerificationKey]:
    """Every key whose signatures count: those that sign, as far as they are there, and those that did. Raises ConfigError."""
    there = [SigningKey(settings.origin, read(path)) for path in settings.audit.key_files if path.exists()]
    return [*(key.verification_key() for key in there), *map(verification_key, settings.audit.verification_keys)]


def read(path: Path) -> Ed25519PrivateKey:
    """The private key in a PEM file. Raises ConfigError, naming the file, if there is none for Ed25519."""
    where = f"audit.key_files: {path}"
    try:
        key = load_pem_private_key(files.read(path), password=None)
    except FileNotFoundError as error:
        raise ConfigError(f"{where} is missing. `turnserver init` makes it; until then there are no checkpoints.") from error
    except OSError as error:
        raise ConfigError(f"{where} cannot be read: {error.strerror}. There are no checkpoints without it.") from error
    except TypeError as error:
        raise ConfigError(f"{where} is protected by a password, and nobody is there to type it in.") from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise ConfigError(f"{where} has no private key in PEM form; `turnserver audit key new` makes one.") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ConfigError(f"{where} is not an Ed25519 key, and only those sign checkpoints.")
    return key


def make(path: Path) -> None:
    """Write a new key to a file that was not there, and that nobody else may read. Raises OSError; FileExistsError if it was there."""
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(file.fileno())


def make_missing(settings: Settings) -> list[Path]:
    """Make every key of the settings that is not there yet; gives the files. Raises ConfigError for one that cannot be written."""
    made: list[Path] = []
    for path in settings.audit.key_files:
        try:
            if not path.exists():
                make(path)
                made.append(path)
        except FileExistsError:
            continue  # another process was first
        except OSError as error:
            raise ConfigError(
                f"The key for checkpoints, {path}, cannot be written: {error.strerror}. "
                "Name a place in audit.key_files that the service may write to, and run `turnserver init` again."
            ) from error
    return made
