"""Every query of the dashboard of Grafana is one that Prometheus can parse: each is checked as a rule."""
import json
import re

from common import expect, fact, room, run

with open(fact.BOARD) as board:
    panels = json.load(board)["panels"]
queries = [target["expr"] for panel in panels for target in panel.get("targets", [])]
expect(len(queries) >= 10, f"{fact.BOARD} has {len(queries)} queries")
# What Grafana puts in is there already. JSON is YAML, too.
queries = [re.sub(r"\$(job|instance|filter)", ".*", query.replace("$__rate_interval", "5m")) for query in queries]
rules = [{"record": f"query:{number}", "expr": query} for number, query in enumerate(queries)]
(room / "rules.yml").write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
run(fact.PROMTOOL, "check", "rules", room / "rules.yml")
