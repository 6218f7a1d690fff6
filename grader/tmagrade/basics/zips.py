"""Archives that are the same whenever the same is packed."""

import io
import zipfile
from collections.abc import Mapping

EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip knows
REGULAR_FILE = 0o100000
NO_MODES: Mapping[str, int] = {}


def zip_of(files: Mapping[str, bytes | str], modes: Mapping[str, int] = NO_MODES) -> bytes:
    """A zip of the files, in their order; with permissions for those that need some."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            if name in modes:
                entry.external_attr = (REGULAR_FILE | modes[name]) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
