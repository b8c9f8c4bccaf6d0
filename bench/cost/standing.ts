import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Stack } from "../../local/template/stack.ts";
import { synthesize } from "../../local/template/synthesize.ts";
import { testRegistry } from "../../test/support/test-registry.ts";
import { freeEachMonth, HOURS_OF_MONTH, prices } from "./prices.ts";

/** Resources of a deployment that are billed by the month, with or without requests. */
export type Standing = {
  readonly alarms: number;
  /** Metrics of the alarms, by which alarms are billed. */
  readonly alarmMetrics: number;
  readonly dashboards: number;
  readonly secrets: number;
  /** Queues that feed functions, and are polled for that. */
  readonly queuesPolled: number;
};

/** The interfaces that other programs come by, which are off unless a stage switches them on. */
export const INTERFACES = { mcp: "true", openai: "true", chat: "true", agui: "true" } as const;

/**
 * Reads it from the template of a deployed stage. The bundles that the runs of the price were made with must be there.
 *
 * @param settings  of the stage, beside its issuer
 */
export async function readStanding(settings: Readonly<Record<string, string>> = {}): Promise<Standing> {
  const folder = mkdtempSync(join(tmpdir(), "agent-platform-cost-"));
  try {
    const issuers = '[{"issuer":"https://example.com","jwks_uri":"https://example.com/keys"}]';
    const context = { stage: "cost", jwtIssuers: issuers, ...settings };
    return standingOf(await synthesize(context, folder, undefined, undefined, { registry: testRegistry }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function standingOf(stacks: readonly Pick<Stack, "template">[]): Standing {
  const resources = stacks.flatMap(({ template }) => Object.values(template.Resources ?? {}));
  const alarms = resources.filter(({ Type }) => Type === "AWS::CloudWatch::Alarm");
  return {
    alarms: alarms.length,
    alarmMetrics: alarms.reduce((sum, { Properties }) => sum + metricsOf(Properties?.Metrics), 0),
    dashboards: resources.filter(({ Type }) => Type === "AWS::CloudWatch::Dashboard").length,
    secrets: resources.filter(({ Type }) => Type === "AWS::SecretsManager::Secret").length,
    queuesPolled: resources.filter(
      ({ Type, Properties }) => Type === "AWS::Lambda::EventSourceMapping" && Properties?.Enabled !== false,
    ).length,
  };
}

/** An alarm has one metric, or a list of metrics and the expressions over them. */
function metricsOf(listed: unknown): number {
  if (!Array.isArray(listed)) return 1;
  return listed.filter((entry: object) => "MetricStat" in entry).length;
}

/** Dollars for a number of hours, at list price. */
export const standingPrice = (
  standing: Standing,
  hours: number,
): Record<"alarms" | "dashboards" | "secrets", number> => ({
  alarms: (standing.alarmMetrics * prices.alarmMetricMonth * hours) / HOURS_OF_MONTH,
  dashboards: (standing.dashboards * prices.dashboardMonth * hours) / HOURS_OF_MONTH,
  secrets: (standing.secrets * prices.secretMonth * hours) / HOURS_OF_MONTH,
});

/** Dollars of a month after the account's free allowances. */
export const standingAfterFree = ({ alarmMetrics, dashboards, secrets }: Standing): number =>
  secrets * prices.secretMonth +
  Math.max(0, alarmMetrics - freeEachMonth.alarmMetrics) * prices.alarmMetricMonth +
  Math.max(0, dashboards - freeEachMonth.dashboards) * prices.dashboardMonth;
