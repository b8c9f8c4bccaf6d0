import type { JsonWebKey } from "node:crypto";
import { AgentCard, verifyAgentCardSignature } from "@a2a-js/sdk";
import { importJWK } from "jose";

/**
 * The official SDK's verifier with a set of public keys: it throws for a card that none of them has signed. Cards are checked as they
 * came, which is how other SDKs see them, and as the SDK has read them.
 */
export function verifierBy(published: readonly JsonWebKey[]): (card: object) => Promise<void> {
  const verify = verifyAgentCardSignature(async (kid) => {
    const jwk = published.find((one) => one.kid === kid);
    if (!jwk) throw new Error(`there is no key ${kid}`);
    const key = await importJWK(jwk);
    if (key instanceof Uint8Array) throw new Error("a secret among public keys");
    return key;
  });
  return async (card) => {
    await verify(card as AgentCard); // the verifier reads it as JSON
    await verify(AgentCard.fromJSON(card));
  };
}
