import { expect, onTestFinished, test, vi } from "vitest";
import { type Client, clientOf } from "../../support/client.ts";
import { verifierBy } from "../verify-card.ts";

const V1 = { "a2a-version": "1.0" };
const root = "/a2a/agents/assistant";
/** Every way to a card but the lists and JSON-RPC. */
const ways = [
  "/.well-known/agent-card.json",
  `${root}/.well-known/agent-card.json`,
  `${root}/v1/extendedAgentCard`,
  `${root}/v1/card`,
  "/a2a/teams/support-team/.well-known/agent-card.json",
  "/a2a/workflows/publish-report/.well-known/agent-card.json",
];

/** @param platform  one that has a key for cards, and whose host agent is `agents/assistant` */
export function signedCardChecks(
  platform: () => { readonly url: string; readonly adminToken: string },
): void {
  test("every card is signed by a key that everybody may read, whichever way it is asked for", async () => {
    const { url, adminToken } = platform();
    // The SDK reports each signature that it does not accept.
    const debug = vi.spyOn(console, "debug").mockImplementation(() => undefined);
    onTestFinished(() => debug.mockRestore());
    const admin = clientOf(url, adminToken);
    const { json, headers } = await clientOf(url).get("/.well-known/jwks.json");
    expect(json.keys).toEqual([expect.objectContaining({ kty: "EC", alg: "ES256", use: "sig" })]);
    expect(headers.get("cache-control")).toBe("max-age=300");
    const verify = verifierBy(json.keys);
    for (const card of await cardsBy(admin)) {
      await verify(card);
      await expect(verify({ ...card, name: "another agent" })).rejects.toThrow("No valid signatures");
    }
    const current = await admin.call("GET", ways[1] ?? "", { headers: V1 });
    const etag = current.headers.get("etag") ?? "";
    const again = await admin.call("GET", ways[1] ?? "", { headers: { ...V1, "if-none-match": etag } });
    expect(again.status).toBe(304);
    // The codec of 0.3 writes another card, which no verifier would take for the one that was signed.
    const legacy = await admin.post(root, {
      json: { jsonrpc: "2.0", id: 1, method: "agent/getAuthenticatedExtendedCard" },
    });
    expect(legacy.json.result.name).toBe(current.json.name);
    expect(legacy.json.result.signatures ?? []).toEqual([]);
  });
}

async function cardsBy(admin: Client): Promise<object[]> {
  const cards: object[] = [];
  for (const headers of [{}, V1]) {
    for (const way of ways) cards.push((await admin.call("GET", way, { headers })).json);
    cards.push(...(await admin.call("GET", "/a2a/cards", { headers })).json.cards.slice(0, 3));
  }
  const call = { jsonrpc: "2.0", id: 1, method: "GetExtendedAgentCard", params: {} };
  cards.push((await admin.post(root, { json: call, headers: V1 })).json.result);
  expect(cards).toHaveLength(2 * (ways.length + 3) + 1);
  return cards;
}
