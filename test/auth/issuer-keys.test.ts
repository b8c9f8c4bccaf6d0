import { describe, expect, test } from "vitest";
import { createAuthorizer } from "../../shared/auth/authorize.ts";
import { parseIssuers } from "../../shared/auth/identify/issuers.ts";
import { createVerifyToken } from "../../shared/auth/identify/verify-token.ts";
import { anIssuer } from "./an-issuer.ts";

const uri = "https://issuer.example/jwks.json";
const issuers = parseIssuers(JSON.stringify([{ jwks_uri: uri }]));
const first = await anIssuer("RS256", "first");
const second = await anIssuer("RS256", "second");

/** A published key set that can be changed, a count of how often it was asked for, and a clock moved by hand. */
function aPublisher(...keys: (typeof first.jwk)[]) {
  const state = { keys, asked: 0, down: false, nowMs: 1_790_000_000_000 };
  const verify = createVerifyToken(issuers, () => state.nowMs, {
    fetchKeys: async () => {
      state.asked++;
      if (state.down) throw new Error("connection refused");
      return { keys: state.keys.map((key) => ({ ...key, kty: "RSA" })) };
    },
  });
  const outcomeOf = async (token: string) => (await verify(token)).outcome;
  return { state, outcomeOf };
}

describe("keys behind an address", () => {
  test("they are asked for once and kept", async () => {
    const { state, outcomeOf } = aPublisher(first.jwk);
    expect(await outcomeOf(await first.sign({}))).toBe("valid");
    expect(await outcomeOf(await first.sign({}))).toBe("valid");
    expect(state.asked).toBe(1);
  });

  test("a key that was added later is found, but unknown ids cannot make us ask all the time", async () => {
    const { state, outcomeOf } = aPublisher(first.jwk);
    expect(await outcomeOf(await first.sign({}))).toBe("valid");
    state.keys = [first.jwk, second.jwk];
    expect(await outcomeOf(await second.sign({}))).toBe("invalid");
    expect(state.asked).toBe(1);
    state.nowMs += 10_000;
    expect(await outcomeOf(await second.sign({}))).toBe("valid");
    expect(state.asked).toBe(2);
  });

  test("a key that was withdrawn is forgotten after ten minutes", async () => {
    const { state, outcomeOf } = aPublisher(first.jwk);
    expect(await outcomeOf(await first.sign({}))).toBe("valid");
    state.keys = [second.jwk];
    state.nowMs += 600_000;
    expect(await outcomeOf(await first.sign({}))).toBe("invalid");
  });

  test("known keys go on serving while the address is down", async () => {
    const { state, outcomeOf } = aPublisher(first.jwk);
    expect(await outcomeOf(await first.sign({}))).toBe("valid");
    state.down = true;
    state.nowMs += 600_000;
    expect(await outcomeOf(await first.sign({}))).toBe("valid");
  });

  test("when no keys were ever had the answer is open, and asked again next time", async () => {
    const { state, outcomeOf } = aPublisher(first.jwk);
    state.down = true;
    expect(await outcomeOf(await first.sign({}))).toBe("unknown");
    state.down = false;
    expect(await outcomeOf(await first.sign({}))).toBe("valid");
  });

  test("an address that cannot be reached makes the request fail as unavailable, not as refused", async () => {
    const causes: unknown[] = [];
    const authorize = createAuthorizer({
      // Port 9 of this machine: nothing listens there.
      issuers: parseIssuers(JSON.stringify([{ jwks_uri: "https://127.0.0.1:9/jwks.json" }])),
      adminScope: "platform:admin",
      now: Date.now,
      onFault: (cause) => causes.push(cause),
    });
    const authorization = `Bearer ${await first.sign({ sub: "maria" })}`;
    const decision = await authorize({ method: "GET", rawPath: "/config", headers: { authorization } });
    expect(decision).toMatchObject({ outcome: "unavailable", operation: "getConfig" });
    expect(causes).toHaveLength(1);
  });
});
