import { expect, test } from "vitest";
import { describedSettings } from "../../scripts/package/settings-types.ts";

test("an editor shows the sentence of each setting of a project", () => {
  const described = describedSettings(
    'import type { GivenSettings } from "x";\nexport type ProjectSettings = Omit<GivenSettings, "stage">;\n',
  );
  expect(described).toContain(
    '/** executions of a job under any failure; a requeue adds one */\n    readonly max_attempts?: GivenSettings["max_attempts"];\n',
  );
  expect(described).not.toContain("readonly stage?");
  expect(() => describedSettings("export type ProjectSettings = {};")).toThrow("there is no");
});
