"""Prints the pictures of the evaluation's quick form and asks poppler about each: the page is 240 pt wide, it has a font, and every
font is embedded. A release has the same files of the full form."""
import re
import subprocess

from common import expect, expect_match, fact, room, run, source

results = room / "results"
evaluation = source / "evaluation/target/release/evaluation"
run(fact.CARGO, "build", "--quiet", "--release", "--locked", "--manifest-path", "evaluation/Cargo.toml", cwd=source)
# The pages of quick results are nobody's: that they cannot be written is no fault here.
subprocess.run([evaluation, "run", "all", "--quick", "--keep", "--results", results, "--docs", room / "docs"], cwd=source)
run(evaluation, "print", room / "printed", "--results", results, cwd=source)
pictures = list((room / "printed").glob("*.pdf"))
drawn = list(results.glob("*.svg"))
expect(pictures and len(pictures) == len(drawn), f"{len(pictures)} pictures were printed, and {len(drawn)} were drawn")
for picture in pictures:
    fonts = run(fact.PDFFONTS, picture)
    # name, type, encoding, then emb, sub and uni.
    expect_match("DejaVuSansCondensed +CID TrueType +Identity-H +yes yes yes", fonts)
    expect(not re.search(" no +(yes|no) +(yes|no) ", fonts), f"{picture}: a font is not embedded:\n{fonts}")
    expect_match("Page size: +240 x ", run(fact.PDFINFO, picture))
