import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { synthesize } from "../../local/template/synthesize.ts";
import { testRegistry } from "../../test/support/test-registry.ts";

/** An alarm as a deployment with every interface has it. */
export type DeployedAlarm = {
  /** In `lib/alarms/alarms.ts`. */
  readonly name: string;
  readonly threshold: number;
  /** Section of docs/operations.md. */
  readonly section: string;
};

const Properties = v.object({
  Threshold: v.number(),
  AlarmDescription: v.pipe(v.string(), v.regex(/docs\/operations\.md#[a-z0-9-]+$/)),
});

/** Settings with which every alarm is there. */
export const everyAlarm = {
  stage: "drill",
  userPool: "true",
  webhooks: "on",
  slack: '{"component":"agents/assistant"}',
  alarmCostPerHour: "5",
};

export async function deployedAlarms(): Promise<readonly DeployedAlarm[]> {
  const folder = mkdtempSync(join(tmpdir(), "agent-platform-drill-"));
  try {
    const stacks = await synthesize(everyAlarm, folder, undefined, undefined, { registry: testRegistry });
    return stacks.flatMap(({ template }) =>
      Object.entries(template.Resources ?? {})
        .filter(([, { Type }]) => Type === "AWS::CloudWatch::Alarm")
        .map(([id, resource]) => {
          const { Threshold, AlarmDescription } = v.parse(Properties, resource.Properties);
          const [, section = ""] = AlarmDescription.split("#");
          return { name: id.slice(0, -8), threshold: Threshold, section };
        }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The steps of each section of docs/operations.md, by the section's anchor. */
export function pagesOfOperations(): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(join(import.meta.dirname, "../../docs/operations.md"), "utf8");
  const sections = text.split(/^## /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [title = ""] = section.split("\n");
      const anchor = title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, "")
        .replaceAll(" ", "-");
      return [anchor, section.match(/^\d+\. .*$/gm) ?? []] as const;
    }),
  );
}
