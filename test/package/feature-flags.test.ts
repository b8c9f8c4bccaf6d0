import { FLAGS, futureFlagDefault } from "aws-cdk-lib/cx-api";
import { expect, test } from "vitest";
import { flagsAsWithoutValue } from "../../package/cli/feature-flags.ts";

test("each feature flag of the CDK is set to what it is without a value, whatever its type", () => {
  const set = flagsAsWithoutValue();
  expect(Object.keys(set).length).toBeGreaterThan(50);
  for (const [name, value] of Object.entries(set)) {
    if (typeof value === "boolean") expect([name, value]).toEqual([name, futureFlagDefault(name)]);
    else expect([name, value]).toEqual([name, FLAGS[name]?.unconfiguredBehavesLike?.v2]);
  }
  // A flag with words for values; asking the CDK for its default throws.
  expect(set["@aws-cdk/core:defaultCrossStackReferences"]).toBeTypeOf("string");
});
