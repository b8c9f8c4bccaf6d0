"""Reads agent cards with the SDK of A2A for Python as it comes, and verifies their signatures: <card file>… <key set file>."""

import json
import sys

from a2a.client.card_resolver import parse_agent_card
from a2a.utils.signing import create_signature_verifier
from jwt.api_jwk import PyJWKSet

*cards, keys = sys.argv[1:]
with open(keys) as file:
    known = PyJWKSet.from_dict(json.load(file))
verify = create_signature_verifier(lambda kid, _jku: known[kid], ["ES256"])
for name in cards:
    with open(name) as file:
        card = parse_agent_card(json.load(file))
    verify(card)
    print(f"python: {card.name} is signed")
