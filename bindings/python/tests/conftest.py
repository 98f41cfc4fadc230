"""The path of the other modules of the tests, and a folder outside the tree for what hypothesis keeps."""

import sys
import tempfile
from pathlib import Path

from hypothesis.configuration import set_hypothesis_home_dir

sys.path.insert(0, str(Path(__file__).parent))
set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "lately-hypothesis")
