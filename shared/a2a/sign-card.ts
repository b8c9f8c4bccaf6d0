import { AgentCard, generateAgentCardSignature } from "@a2a-js/sdk";
import type { CardKey } from "./card-keys.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * A card with a signature by each key. Signed are the members of version 1.0, as canonical JSON (RFC 8785): those that cards for
 * clients of 0.3 have besides are not, and a verifier that reads the card as one of 1.0 leaves them out.
 *
 * @param jku  address at which the public keys are
 * @source a2a-spec 1.0, "Agent Card Signing"
 */
export async function signedCard(card: Json, keys: readonly CardKey[], jku: string): Promise<Json> {
  const signatures = await Promise.all(
    keys.map(async ({ alg, kid, key }) => {
      const sign = generateAgentCardSignature(key, { alg, kid, typ: "JOSE", jku });
      const signed = await sign({ ...AgentCard.fromJSON(card), signatures: [] });
      return signed.signatures.map(({ protected: header, signature }) => ({ protected: header, signature }));
    }),
  );
  return { ...card, signatures: signatures.flat() };
}
