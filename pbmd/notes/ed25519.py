"""Ed25519 (RFC 8032). The library is loaded when a key is first used: few commands need one."""


def public_key(seed: bytes) -> bytes:
    """The 32 bytes with which others check what this key has signed."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


def signature(seed: bytes, message: bytes) -> bytes:
    """The signature, the same each time."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(seed).sign(message)


def verifies(public: bytes, message: bytes, signed: bytes) -> bool:
    """Whether it is this key's signature of this message."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signed, message)
    except (InvalidSignature, ValueError):  # the second for bytes that are no point of the curve
        return False
    return True
