import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pagesOfOperations } from "../../scripts/drill/alarms.ts";
import { drills, drillTable } from "../../scripts/drill/drills.ts";
import { synthesized } from "./synthesized.ts";

test("every alarm is drilled, or it is said why not, and its page has steps", async () => {
  const slack = { component: "agents/assistant" };
  const app = await synthesized({
    stage: "prod",
    userPool: "true",
    webhooks: "on",
    slack,
    alarmCostPerHour: 5,
  });
  const alarms = app.ofType("AWS::CloudWatch::Alarm");
  expect(alarms.map(({ id }) => id.slice(0, -8)).toSorted()).toEqual(Object.keys(drills).toSorted());
  const pages = pagesOfOperations();
  for (const { properties } of alarms) {
    const [, section = ""] = String(properties.AlarmDescription).split("#");
    expect(pages.get(section)?.length, section).toBeGreaterThan(0);
  }
});

test("the table of drills in the page of operations is that of the rows", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/operations.md"), "utf8");
  expect(withoutWidths(page)).toContain(withoutWidths(drillTable()));
});

/** The formatter gives the columns of a table their widths. */
const withoutWidths = (text: string): string =>
  text.replaceAll(/ +\|/g, " |").replaceAll(/^\|[ |-]+\|$/gm, "|-|");
