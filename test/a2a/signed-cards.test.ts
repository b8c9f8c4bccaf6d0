import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { AgentCard, verifyAgentCardSignature } from "@a2a-js/sdk";
import { describe, expect, test, vi } from "vitest";
import type { A2aDeps } from "../../functions/a2a/a2a-deps.ts";
import { type CardSigner, connectCardSigner } from "../../functions/a2a/card-signer.ts";
import { getCard } from "../../functions/a2a/get-card.ts";
import { getCardKeys } from "../../functions/a2a/service-cards.ts";
import { readConfig } from "../../lib/config/config.ts";
import { parseCardKeys } from "../../shared/a2a/card-keys.ts";
import { findInRegistry } from "../../shared/engine/component/find-runnable.ts";
import { registry } from "../support/registry/index.ts";
import { verifierBy } from "./verify-card.ts";

const ec = (namedCurve = "P-256"): KeyObject => generateKeyPairSync("ec", { namedCurve }).privateKey;
const jwk = (key: KeyObject, kid?: string) => ({ ...key.export({ format: "jwk" }), ...(kid && { kid }) });
const pem = (key: KeyObject): string => key.export({ format: "pem", type: "pkcs8" }).toString();
const publicPart = ({ d: _, ...rest }: ReturnType<typeof jwk>) => rest;

const card = {
  ...{ name: "Ä", description: "d", version: "1.0.0", skills: [] },
  supportedInterfaces: [{ url: "https://agents.example/a2a/agents/x", protocolBinding: "JSONRPC" }],
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
};
// The SDK reports each signature that it does not accept.
vi.spyOn(console, "debug").mockImplementation(() => undefined);

const clock = { at: 0, now: () => clock.at };
const PUBLIC_URL = "https://agents.example";
const signerOf = (text: () => string): CardSigner => {
  const signer = connectCardSigner({ A2A_CARD_KEY_SECRET: "cards/key", PUBLIC_URL }, clock, async () =>
    text(),
  );
  if (!signer) throw new Error("there is a key");
  return signer;
};
const headersOf = (signed: object) =>
  (signed as { signatures: { protected: string }[] }).signatures.map(({ protected: header }) =>
    JSON.parse(Buffer.from(header, "base64url").toString()),
  );
const kidsOf = (signed: object) => headersOf(signed).map(({ kid }) => kid);

describe("the official verifier accepts a card", () => {
  test.each([
    ["ES256", () => JSON.stringify(jwk(ec()))],
    ["ES384", () => pem(ec("P-384"))],
    ["ES512", () => JSON.stringify({ keys: [jwk(ec("P-521"), "mine")] })],
    ["RS256", () => pem(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey)],
    ["EdDSA", () => pem(generateKeyPairSync("ed25519").privateKey)],
  ])("that a key for %s has signed, and not a changed one", async (alg, make) => {
    const text = make();
    const signer = signerOf(() => text);
    const signed = await signer.sign(card);
    const [header] = headersOf(signed);
    expect(header).toEqual({
      alg,
      kid: expect.any(String),
      typ: "JOSE",
      jku: `${PUBLIC_URL}/.well-known/jwks.json`,
    });
    const verify = verifierBy(await signer.published());
    await verify(signed);
    const others = { bearer: { httpAuthSecurityScheme: { scheme: "Basic" } } };
    for (const change of [{ description: "another" }, { securitySchemes: others }]) {
      await expect(verify({ ...signed, ...change })).rejects.toThrow("No valid signatures");
    }
    // What clients see has nothing of the private key.
    for (const key of await signer.published()) {
      for (const secret of ["d", "p", "q", "dp", "dq", "qi"]) expect(key).not.toHaveProperty(secret);
    }
  });
});

test("a key is replaced without a moment in which a verifier that knows one of both refuses a card", async () => {
  const [old, next] = [jwk(ec(), "old"), jwk(ec(), "next")];
  let reads = 0;
  let held: object = { keys: [old] };
  const signer = signerOf(() => {
    reads += 1;
    return JSON.stringify(held);
  });
  const byOld = verifierBy(await signer.published());
  await byOld(await signer.sign(card));
  expect(reads).toBe(1);
  held = { keys: [next, old] };
  clock.at += 300_001;
  const both = await signer.sign(card);
  expect(kidsOf(both)).toEqual(["next", "next", "old", "old"]);
  await byOld(both);
  held = { keys: [next, publicPart(old)] };
  clock.at += 300_001;
  const last = await signer.sign(card);
  expect(kidsOf(last)).toEqual(["next", "next"]);
  await verifierBy(await signer.published())(last);
  // A card that was kept since before is still known.
  await verifierBy(await signer.published())(both);
  expect(reads).toBe(3);
});

test("keys in PEM stand one after the other, with what tools write between them", async () => {
  const parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
  const { signing, published } = await parseCardKeys(`${parameters}${pem(ec())}\n${parameters}${pem(ec())}`);
  expect(published.map(({ kid }) => kid)).toEqual(signing.map(({ kid }) => kid));
  expect(new Set(published.map(({ kid }) => kid)).size).toBe(2);
});

test.each([
  ["no key", "hello"],
  ["a public key alone", JSON.stringify(publicPart(jwk(ec())))],
  ["a short RSA key", pem(generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey)],
  ["a key of another curve", pem(ec("secp256k1"))],
  ["three keys that sign", JSON.stringify({ keys: [jwk(ec()), jwk(ec()), jwk(ec())] })],
  ["two keys of one name", JSON.stringify({ keys: [jwk(ec(), "a"), jwk(ec(), "a")] })],
  ["half a key", '{"kty":"EC","crv":"P-256","d":"c2VjcmV0"}'],
])("%s is refused, and not quoted", async (_what, text) => {
  const refusal = await parseCardKeys(text).catch((error: Error) => error.message);
  expect(refusal).toMatch(/^the key of agent cards: /);
  expect(refusal).not.toContain("c2VjcmV0");
});

test("signing is off without a key, and asks for the address that cards name", () => {
  expect(connectCardSigner({ PUBLIC_URL }, clock)).toBeUndefined();
  expect(() => connectCardSigner({ A2A_CARD_KEY: "{}" }, clock)).toThrow("PUBLIC_URL");
  const context = {
    stage: "prod",
    jwtIssuers: '[{"issuer":"https://issuer.example","jwks_uri":"https://issuer.example/keys"}]',
    a2aCardKeySecret: "k",
  };
  const configured = (more: object) => () => readConfig((name) => Reflect.get({ ...context, ...more }, name));
  expect(configured({})).toThrow("a2aCardKeySecret: it needs publicUrl");
  expect(configured({ publicUrl: PUBLIC_URL })).not.toThrow();
});

describe("a component's card", () => {
  const request = (headers = {}) => ({
    ...{ component: { kind: "agent" as const, id: "assistant" }, params: {}, query: {}, headers },
    principal: { kind: "user" as const, user_id: "maria", scopes: [], admin: false },
    ...{ origin: "https://front.example", signal: AbortSignal.abort(), invocation: {} },
  });
  const depsWith = (cardSigner?: CardSigner) =>
    ({
      ...{ db: {}, findRunnable: findInRegistry(registry), prefix: "/a2a", discovery: [] },
      ...{ publicUrl: PUBLIC_URL, cardSigner },
    }) as unknown as A2aDeps; // all that a card asks for

  test("keeps its tag although each signature is new, until another key signs", async () => {
    const text = JSON.stringify(jwk(ec()));
    const deps = depsWith(signerOf(() => text));
    const first = await getCard(request(), deps);
    const etag = first.headers.etag ?? "";
    expect(etag).toMatch(/^W\//);
    expect((await getCard(request({ "if-none-match": etag }), deps)).status).toBe(304);
    const other = depsWith(signerOf(() => JSON.stringify(jwk(ec()))));
    expect((await getCard(request({ "if-none-match": etag }), other)).status).toBe(200);
  });

  test("is as it was where nothing signs, and no keys are shown", async () => {
    const { body, headers } = await getCard(request(), depsWith());
    expect(body).not.toHaveProperty("signatures");
    expect(headers.etag).not.toMatch(/^W\//);
    await expect(getCardKeys(request(), depsWith())).rejects.toThrow("a2aCardKeySecret");
    await expect(verifyAgentCardSignature(async () => ec())(AgentCard.fromJSON(body))).rejects.toThrow(
      "No signatures",
    );
  });
});
