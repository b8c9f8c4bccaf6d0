import { expect, test } from "vitest";
import { fuzzAccess } from "../support/access-fuzz.ts";

test("2,000 malformed requests reach no guarded handler and break nothing", async () => {
  const answers = await fuzzAccess(2000);
  // Several kinds of refusal were reached, so the requests were not all stopped at the same place.
  expect(Object.keys(answers)).toEqual(expect.arrayContaining(["200", "401", "403", "404"]));
});
