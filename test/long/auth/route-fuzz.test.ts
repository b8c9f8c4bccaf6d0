import { expect, test } from "vitest";
import { rows } from "../../flows/credential-matrix.ts";
import { fuzzRoutes } from "../../support/route-fuzz.ts";

// `npm run fuzz:access` is the long campaign.
test.each(["malformed", "well-formed"] as const)(
  "of 5,000 %s requests to the whole route table none reaches what it has no right to",
  async (manner) => {
    const { asked, answers, refused } = await fuzzRoutes(manner, 5_000, 2026);
    expect(rows.filter(({ operation }) => !asked[operation])).toEqual([]);
    expect(refused).toBeGreaterThan(2_500);
    // Others reached their handler, which answers 404, so the requests did not all stop at the same place.
    expect(answers[404]).toBeGreaterThan(100);
    expect(answers[manner === "malformed" ? 401 : 403]).toBeGreaterThan(2_500);
  },
);
