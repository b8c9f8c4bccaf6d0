import { AgentCard, canonicalizeAgentCard, generateAgentCardSignature } from "@a2a-js/sdk";
import type { CardKey } from "./card-keys.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * A card with signatures by each key. Signed are the members of version 1.0, as canonical JSON (RFC 8785): those that cards for
 * clients of 0.3 have in addition are not, and a verifier that reads the card as one of 1.0 leaves them out.
 *
 * There are two signatures by a key. The first is of the card as it is sent, which other SDKs check. The second is of what the SDK
 * for JavaScript 1.3 makes of a card that it has read: its canonical form leaves the security schemes out then. A verifier takes a
 * card that has one signature for it.
 *
 * @param jku  address at which the public keys are
 * @source a2a-spec 1.0, "Agent Card Signing"; measured with the SDKs for Python 1.1.0 and JavaScript 1.3.0
 */
export async function signedCard(card: Json, keys: readonly CardKey[], jku: string): Promise<Json> {
  const forms = formsOf(card);
  const signatures = await Promise.all(
    keys.flatMap(({ alg, kid, key }) => {
      const sign = generateAgentCardSignature(key, { alg, kid, typ: "JOSE", jku });
      return forms.map(async (form) => {
        const { signatures } = await sign({ ...form, signatures: [] });
        return signatures.map(({ protected: header, signature }) => ({ protected: header, signature }));
      });
    }),
  );
  return { ...card, signatures: signatures.flat() };
}

/** What the SDK takes for a card: what was sent, and what it reads from that, where these are not the same to it. */
function formsOf(card: Json): AgentCard[] {
  const sent = card as unknown as AgentCard; // the SDK reads it as JSON once more
  const read = AgentCard.fromJSON(card);
  return canonicalizeAgentCard(sent) === canonicalizeAgentCard(read) ? [sent] : [sent, read];
}
