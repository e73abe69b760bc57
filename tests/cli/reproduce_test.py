"""carom reproduce: every row has a source and a verdict, the totals are those of the rows, in text and in JSON."""
import json
import os
import subprocess
import sys

CAROM = os.environ["CAROM"]
SOURCES = {"printed number", "printed statement", "independent run", "derived", "own addition"}
VERDICTS = {"met", "explained", "contradicted", "failed"}


def carom(*arguments, code=0):
    done = subprocess.run([CAROM, "reproduce", *arguments, "--out", "pictures"], capture_output=True, text=True)
    if done.returncode != code:
        sys.exit("carom reproduce %s: exit %d\n%s%s" % (" ".join(arguments), done.returncode, done.stdout, done.stderr))
    return done.stdout


def check(condition, what):
    if not condition:
        sys.exit(what)


# One reproduction with a contradicted row and one with an explained one: neither makes the exit code 1.
for ident, verdict in (("acary-2012-fig-5", "contradicted"), ("acary-2012-fig-7", "explained")):
    report = json.loads(carom(ident, "--json"))
    counted = {}
    for row in report["rows"]:
        check(row["source"] in SOURCES and row["verdict"] in VERDICTS, "odd row %r" % row)
        of_source = counted.setdefault(row["source"], dict.fromkeys(VERDICTS, 0))
        of_source[row["verdict"]] += 1
        check(row["verdict"] == "met" or row["explanation"], "no reason beside %r" % row)
    check(report["totals"] == counted, "totals %r, rows %r" % (report["totals"], counted))
    check(report["verdict"] == verdict, "%s: %s" % (ident, report["verdict"]))

text = carom("acary_2012_fig_5")
for word in ("source", "rows by source", "printed statement", "contradicted", '"identically zero"'):
    check(word in text, "%r is not in the text:\n%s" % (word, text))

check("acary-2012-table-3" in carom(), "the list lacks a table")
carom("acary-2013", code=2)
