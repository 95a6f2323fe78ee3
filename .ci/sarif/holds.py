"""Holds a SARIF log to a schema, and to having every kind that the project was made to have. usage: holds.py SCHEMA LOG"""
import json, sys
import jsonschema

schema, log = (json.load(open(path)) for path in sys.argv[1:3])
jsonschema.validators.validator_for(schema)(schema).validate(log)
results = log["runs"][0]["results"]
rules = log["runs"][0]["tool"]["driver"]["rules"]
wrong = [r["ruleId"] for r in results if rules[r["ruleIndex"]]["id"] != r["ruleId"]]
found = {r["ruleId"] for r in results}
wanted = {"invented-member", "wrong-case", "arity", "argument-type", "read-only", "not-callable", "directive"}
print(f"valid; {len(results)} results of {len(found)} rules")
sys.exit(1 if wrong or wanted - found else 0)
