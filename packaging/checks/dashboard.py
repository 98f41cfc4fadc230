"""Every panel of the dashboard of Grafana has a query of ours, a unit and the data source that is chosen; and Prometheus can parse every
query: each is checked as a rule."""
import json
import re

from common import expect, fact, room, run

with open(fact.BOARD) as board:
    panels = [panel for panel in json.load(board)["panels"] if panel["type"] != "row"]
queries = []
for panel in panels:
    own = [target["expr"] for target in panel["targets"]]
    expect(own and all("lately_" in query for query in own), f"{panel['title']}: the queries are {own}")
    expect(panel["fieldConfig"]["defaults"].get("unit"), f"{panel['title']}: no unit")
    expect(panel["datasource"]["uid"] == "${datasource}", f"{panel['title']}: the data source is a variable")
    queries += own
expect(len(panels) >= 8, f"{fact.BOARD} has {len(panels)} panels")
# What Grafana puts in is there already. JSON is YAML, too.
queries = [re.sub(r"\$(job|instance|filter)", ".*", query.replace("$__rate_interval", "5m")) for query in queries]
rules = [{"record": f"query:{number}", "expr": query} for number, query in enumerate(queries)]
(room / "rules.yml").write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
run(fact.PROMTOOL, "check", "rules", room / "rules.yml")
