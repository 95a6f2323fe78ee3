"""Holds the figures of one run of the symbol benchmark to what was reached before. usage: symbols_hold.py SCORE.json"""
import json, sys

report = json.load(open(sys.argv[1]))
natural, negatives = report["total"]["natural"], report["negatives"]
recall = 100 * natural["found"] / natural["n"]
false = 1000 * negatives["fp"] / negatives["n"]
LEAST_RECALL, MOST_FALSE = {"node": (85, 0.3)}.get(",".join(report["surfaces"]), (93, 0.3))
print(f"recall {recall:.1f} % (at least {LEAST_RECALL}), false alarms {false:.2f} per 1,000 (at most {MOST_FALSE})")
sys.exit(0 if recall >= LEAST_RECALL and false <= MOST_FALSE else 1)
