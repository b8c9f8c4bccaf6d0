import { expect, test } from "vitest";
import { knownScopes } from "../../../console/screens/access/known-scopes.ts";
import { families } from "../../../shared/routes/index.ts";

test("the scopes that a service account can be minted with are those that routes take", () => {
  const taken = Object.values(families)
    .flatMap((routes) => Object.values(routes))
    .flatMap(({ scopes }) => (scopes === "public" ? [] : scopes));
  expect([...knownScopes]).toEqual([...new Set<string>(taken)].sort());
});
