import { expect, test } from "vitest";
import { openIdentity } from "../../local/identity.ts";
import { appContext } from "../../local/template/app-context.ts";
import { placeholders } from "../../local/template/placeholders.ts";
import { temporaryFolder } from "./fixture-cloud.ts";

test("the context without the keys is the same for all identity providers, and the templates get the keys back", () => {
  const [one, other] = [openIdentity(temporaryFolder()), openIdentity(temporaryFolder())];
  const context = appContext(one, {});
  const { put, fill } = placeholders(one.publicParts);
  const kept = put(context);
  expect(kept).toEqual(placeholders(other.publicParts).put(appContext(other, {})));
  expect(JSON.stringify(kept)).toHaveLength(JSON.stringify(context).length);
  expect(JSON.stringify(kept)).not.toContain(one.publicParts[0]);
  const stacks = (values: object) => [
    {
      name: "a",
      assetFolder: "/",
      template: { Resources: { fn: { Type: "x", Properties: { ...values } } } },
    },
  ];
  expect(fill(stacks(kept))).toEqual(stacks(context));
});
