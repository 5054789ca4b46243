"""The keys that mails are signed with: reading them, and what DNS has to say of them (RFC 6376, 3.6.1; RFC 8463, 4)."""

from base64 import b64encode
from pathlib import Path
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from turnserver import files
from turnserver.config import Settings
from turnserver.errors import ConfigError
from turnserver.mail.format.dkim.sign import Signer

LEAST_RSA_BITS: Final = 2048
"""What RFC 8301, 3.2, asks signers for."""


def signers(settings: Settings) -> tuple[Signer, ...]:
    """One signer for each key of the settings; none if there are no keys. Raises ConfigError for a key that cannot be used."""
    return tuple(Signer(settings.signing_domain, path.stem, read_key(path)) for path in settings.dkim.key_files)


def read_key(path: Path) -> RSAPrivateKey | Ed25519PrivateKey:
    """The private key in a PEM file. Raises ConfigError, naming the file, for a file without a key that can sign mail."""
    where = f"dkim.key_files: {path}"
    try:
        key = load_pem_private_key(files.read(path), password=None)
    except OSError as error:
        raise ConfigError(f"{where} cannot be read: {error.strerror}. No mail is sent unsigned.") from error
    except TypeError as error:
        raise ConfigError(f"{where} is protected by a password, and nobody is there to type it in.") from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise ConfigError(f"{where} has no private key in PEM form; `turnserver mail dkim-key` makes one.") from error
    if isinstance(key, RSAPrivateKey) and key.key_size < LEAST_RSA_BITS:
        raise ConfigError(f"{where} is an RSA key of {key.key_size} bits, and others want {LEAST_RSA_BITS} at least.")
    if not isinstance(key, RSAPrivateKey | Ed25519PrivateKey):
        raise ConfigError(f"{where} is a key that cannot sign mail; RSA and Ed25519 can.")
    return key


def record(key: RSAPublicKey | Ed25519PublicKey) -> str:
    """The text of the TXT record that publishes a key."""
    if isinstance(key, RSAPublicKey):
        return f"v=DKIM1; k=rsa; p={b64encode(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).decode()}"
    return f"v=DKIM1; k=ed25519; p={b64encode(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()}"
