import type { TableName } from "../../shared/settings/table-env.ts";
import { RecoveryError } from "./recovery-error.ts";
import { readState } from "./recovery-state.ts";
import { keepsVersions } from "./restore-objects.ts";
import type { RestoreOptions, RestorePlace } from "./restore-stage.ts";
import { leftByDefault } from "./restored-tables.ts";
import { type TableState, tableState } from "./table-copies.ts";

/** What a restore would do, as far as it can be known before. */
export type RestorePlan = {
  readonly stage: string;
  readonly region: string;
  /** The instant, in ISO 8601. */
  readonly to: string;
  readonly tables: readonly { readonly table: string; readonly items: number; readonly bytes: number }[];
  /** Tables that stay as they are. */
  readonly left: readonly string[];
  /** Whether the bucket keeps versions, so that deleted objects can be brought back. */
  readonly objects: boolean;
  /** Whether changed contents are embedded again. */
  readonly vectors: boolean;
  readonly functions: number;
  readonly queues: number;
  /** Dollars at list prices, without what has to be written: that depends on how much has changed. */
  readonly dollars: number;
  /** The instant of a restore that has begun and not ended. */
  readonly begun: string | undefined;
};

/** List prices in us-east-1. @source DynamoDB pricing, on-demand: a restored GB, a million read units */
const DOLLARS_PER_GB = 0.15;
const DOLLARS_PER_READ = 0.125 / 1e6;
const GB = 1e9;
const READ_UNIT_BYTES = 4_096;

/**
 * What reading a table and its copy costs: each is read whole, and each item is asked for by its key once.
 *
 * @returns dollars
 */
export function priceOf({ items, bytes }: Pick<TableState, "items" | "bytes">): number {
  const perItem = items === 0 ? 0 : Math.ceil(bytes / items / READ_UNIT_BYTES);
  const reads = 2 * (bytes / READ_UNIT_BYTES) + 2 * items * perItem;
  return (bytes / GB) * DOLLARS_PER_GB + reads * DOLLARS_PER_READ;
}

/**
 * @throws RecoveryError where a table cannot be taken back to the instant
 */
export async function planRestore(place: RestorePlace, { to, tables }: RestoreOptions): Promise<RestorePlan> {
  const { resources, dynamo, s3 } = place;
  const states = await Promise.all(
    tables.map(async (table) => ({ table, ...(await tableState(dynamo, resources.tables[table])) })),
  );
  refuseOutside(states, to);
  const [objects, begun] = await Promise.all([
    keepsVersions(s3, resources.bucket),
    readState(s3, resources.bucket),
  ]);
  return {
    stage: resources.stage,
    region: resources.region,
    to: to.toISOString(),
    tables: states.map(({ table, items, bytes }) => ({ table, items, bytes })),
    left: leftByDefault.filter((name) => !tables.includes(name)),
    objects,
    vectors: resources.hasVectorBucket,
    functions: resources.functions.length,
    queues: resources.mappings.length,
    dollars: states.reduce((sum, state) => sum + priceOf(state), 0),
    begun: begun?.to,
  };
}

function refuseOutside(states: readonly (TableState & { readonly table: TableName })[], to: Date): void {
  const earliest = new Date(Math.max(...states.map((state) => state.earliest.getTime())));
  const latest = new Date(Math.min(...states.map((state) => state.latest.getTime())));
  if (to >= earliest && to <= latest) return;
  throw new RecoveryError(
    `${to.toISOString()} cannot be restored: all tables can be taken back to ${earliest.toISOString()} at the earliest and to ${latest.toISOString()} at the latest.`,
  );
}

/** The lines that the operator reads before anything happens. */
export function describeRestore(plan: RestorePlan): string[] {
  const { stage, region, to, tables, left, dollars } = plan;
  const [items, bytes] = [sum(tables.map((one) => one.items)), sum(tables.map((one) => one.bytes))];
  return [
    `Stage ${stage} (${region}) goes back to ${to}.`,
    "",
    `Tables    ${tables.length}, with ${shownNumber(items)} items of ${shownBytes(bytes)} (counts of DynamoDB, up to six hours old)`,
    ...(left.length > 0 ? [`          not ${left.join(" and ")}: they stay as they are (--include)`] : []),
    plan.objects
      ? "Objects   the versions of then become the present ones"
      : "Objects   the bucket keeps no versions: what was deleted since stays gone",
    plan.vectors
      ? "Vectors   contents that changed since are embedded again, which the embedder bills"
      : "Vectors   in the tables",
    `Service   ${plan.functions} functions do not start and ${plan.queues} queues wait, from the second step until the tables are done`,
    "Then      schedules and queues are brought in step; runs that were live then go on from there",
    `Price     about $${dollars.toFixed(2)} for restoring and reading; writing what differs is $0.63 a million KB and more with indexes`,
    ...(plan.begun === undefined
      ? []
      : ["", `A restore to ${plan.begun} has begun and not ended; it would go on.`]),
  ];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const shownNumber = (n: number): string => n.toLocaleString("en-US");
const shownBytes = (bytes: number): string =>
  bytes < GB ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / GB).toFixed(1)} GB`;
