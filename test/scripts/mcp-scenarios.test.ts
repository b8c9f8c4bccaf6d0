import { expect, test } from "vitest";
import {
  cannotAsClient,
  clientScenarios,
  unknownScenarios,
} from "../../scripts/conformance/mcp/client-scenarios.ts";

const listed = (required: string, later: string): string => `Required for 2026-07-28 (2 scenarios):

Server scenarios (test against a server):
  - tools-list

Client scenarios (test against a client):
  - tools_call
  - ${required}

Run and reported, but never scored:
  extension (2):
    - ${later} [client]
    - tasks-lifecycle [server]
`;

test("a scenario of clients that a later kit brings is not passed over", () => {
  expect(unknownScenarios("2026-07-28", listed("auth/basic-cimd", "auth/dpop"))).toEqual([]);
  expect(unknownScenarios("2026-07-28", listed("auth/new", "newer"))).toEqual(["auth/new", "newer"]);
});

test("scenarios of sign-in cannot pass, all others but two must", () => {
  const must = Object.values(clientScenarios).flatMap((all) => all.filter((one) => !cannotAsClient(one)));
  expect(must.filter((name) => name.startsWith("auth/"))).toEqual([]);
  expect(must).toHaveLength(11);
});
