import { expect, test } from "vitest";
import { clientAddress, createFromEdge } from "../../shared/auth/from-edge.ts";
import { EDGE_HEADER, EDGE_VIEWER_HEADER, type EdgeSecret } from "../../shared/runtime/edge-secret.ts";

function anOrigin(secret: EdgeSecret) {
  const state = { secret, at: 1_000_000, reads: 0, broken: false, faults: 0 };
  const fromEdge = createFromEdge({
    read: async () => {
      state.reads += 1;
      if (state.broken) throw new Error("Secrets Manager does not answer");
      return state.secret;
    },
    now: () => state.at,
    onFault: () => {
      state.faults += 1;
    },
  });
  return { state, send: (value?: string) => fromEdge(value === undefined ? {} : { [EDGE_HEADER]: value }) };
}

test("the right value is accepted; a wrong one, an empty one and none are not", async () => {
  const { send } = anOrigin({ current: "first" });
  expect(await send("first")).toBe(true);
  for (const value of ["firs", "first ", "FIRST", "", undefined, "first,first"])
    expect(await send(value)).toBe(false);
});

test("the secret is read once, however many requests arrive, right or wrong", async () => {
  const { state, send } = anOrigin({ current: "first" });
  await Promise.all(Array.from({ length: 50 }, (_, i) => send(i % 2 ? "first" : "wrong")));
  expect(state.reads).toBe(1);
});

test("during a rotation both values are accepted, also by an origin that knew the old one alone", async () => {
  const { state, send } = anOrigin({ current: "first" });
  expect(await send("first")).toBe(true);
  state.secret = { current: "second", previous: "first" };
  state.at += 60_000;
  expect(await send("second")).toBe(true);
  expect(await send("first")).toBe(true);
  expect(state.reads).toBe(2);
});

test("wrong values do not make it read more often than every ten seconds", async () => {
  const { state, send } = anOrigin({ current: "first" });
  for (let second = 0; second < 60; second += 1) {
    expect(await send("wrong")).toBe(false);
    state.at += 1_000;
  }
  expect(state.reads).toBeLessThanOrEqual(7);
});

test("a value that was taken out is refused an hour later at the latest", async () => {
  const { state, send } = anOrigin({ current: "second", previous: "first" });
  expect(await send("first")).toBe(true);
  state.secret = { current: "second" };
  state.at += 3_600_000;
  expect(await send("first")).toBe(false);
  expect(await send("second")).toBe(true);
});

test("while the secret cannot be read, requests are refused as an outage, and a known value goes on being accepted", async () => {
  const { state, send } = anOrigin({ current: "first" });
  expect(await send("first")).toBe(true);
  state.broken = true;
  state.at += 3_600_000;
  expect(await send("first")).toBe(true);
  expect(state.faults).toBe(1);

  const fresh = createFromEdge({
    read: () => Promise.reject(new Error("no")),
    now: () => 0,
    onFault: () => {},
  });
  await expect(fresh({ [EDGE_HEADER]: "first" })).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("the address of the client is what CloudFront says, and what anybody may write counts for nothing", () => {
  const headers = { [EDGE_VIEWER_HEADER]: "203.0.113.9", "cloudfront-viewer-address": "203.0.113.10:443" };
  expect(clientAddress(true, headers, "192.0.2.1")).toBe("203.0.113.9");
  expect(clientAddress(false, headers, "192.0.2.1")).toBe("192.0.2.1");
  expect(clientAddress(true, {}, "192.0.2.1")).toBe("192.0.2.1");
});
