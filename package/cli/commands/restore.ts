import { RecoveryError } from "../../recovery/recovery-error.ts";
import { describeRestore, planRestore } from "../../recovery/restore-plan.ts";
import { giveUpRestore, type RestorePlace, restoreStage } from "../../recovery/restore-stage.ts";
import { restoredTables } from "../../recovery/restored-tables.ts";
import { connectPlace, included, typedName } from "../recovery-place.ts";
import { UsageError } from "../usage-error.ts";

export type RestoreAsked = {
  readonly stage: string;
  /** The instant, in ISO 8601. */
  readonly to?: string;
  readonly include?: readonly string[];
  readonly plan?: true;
  readonly giveUp?: true;
  readonly keepCopies?: true;
  readonly yes?: true;
  readonly json?: true;
  readonly profile?: string;
};

/** Takes a stage back to an instant, after its name has been typed. @throws RecoveryError where it cannot */
export async function restore(asked: RestoreAsked): Promise<void> {
  const { stage, json, profile } = asked;
  const options = {
    to: asked.giveUp ? new Date(0) : instantOf(asked.to),
    tables: restoredTables(included(asked.include)),
    keepCopies: asked.keepCopies,
  };
  const say = (line: string): void => (json ? console.error(line) : console.log(line));
  const place = await connectPlace({ stage, profile }, say);
  if (asked.giveUp) return await giveUp(place, json);
  const plan = await planRestore(place, options);
  if (!(json && asked.plan)) say(describeRestore(plan).join("\n"));
  if (asked.plan) {
    if (json) console.log(JSON.stringify(plan, null, 2));
    return;
  }
  if (!asked.yes && (await typedName("Type the name of the stage to restore it", json)) !== stage)
    throw new RecoveryError("That is not its name. Nothing was restored.");
  const restored = await restoreStage(place, options);
  if (json) console.log(JSON.stringify({ ...plan, restored }, null, 2));
  else console.log(`Restored. npx agent-platform doctor --stage ${stage} examines it.`);
}

async function giveUp(place: RestorePlace, json: true | undefined): Promise<void> {
  const to = await giveUpRestore(place);
  if (json) return console.log(JSON.stringify({ stage: place.resources.stage, givenUp: to ?? null }));
  console.log(to === undefined ? "No restore has begun." : `The restore to ${to} is given up.`);
}

/** @throws UsageError for what is no instant in whole seconds */
export function instantOf(text: string | undefined): Date {
  const example = "--to 2026-11-27T10:15:00Z";
  if (text === undefined) throw new UsageError(`To which instant? ${example}`);
  const zoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(\.0+)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const instant = new Date(text);
  if (!zoned || Number.isNaN(instant.getTime()))
    throw new UsageError(
      `${text} is no instant: date, time, whole seconds and zone are needed, as in ${example}`,
    );
  return instant;
}
