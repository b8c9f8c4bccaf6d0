import { copyStage, nameOf, resumeCopied } from "../../recovery/copy-stage.ts";
import { RecoveryError } from "../../recovery/recovery-error.ts";
import { restoredTables } from "../../recovery/restored-tables.ts";
import { connectPlace, included, typedName } from "../recovery-place.ts";
import { UsageError } from "../usage-error.ts";

export type CopyAsked = {
  readonly from: string;
  readonly fromProfile?: string;
  readonly fromRegion?: string;
  readonly to?: string;
  readonly toProfile?: string;
  readonly toRegion?: string;
  readonly include?: readonly string[];
  readonly over?: true;
  readonly resumeSource?: true;
  readonly yes?: true;
  readonly json?: true;
};

/** Makes a stage hold what another one holds, after its name has been typed. @throws RecoveryError where it cannot */
export async function copy(asked: CopyAsked): Promise<void> {
  const { json, yes, over } = asked;
  const say = (line: string): void => (json ? console.error(line) : console.log(line));
  const source = { stage: asked.from, profile: asked.fromProfile, region: asked.fromRegion };
  const tables = restoredTables(included(asked.include));
  if (asked.resumeSource) return await resume(await connectPlace(source, say), json);
  if (asked.to === undefined) throw new UsageError("Into which stage? --to is missing.");
  const target = { stage: asked.to, profile: asked.toProfile, region: asked.toRegion };
  const [from, to] = [await connectPlace(source, say), await connectPlace(target, say)];
  if (from.resources.bucket === to.resources.bucket)
    throw new UsageError(`${nameOf(from)} cannot be copied to itself.`);
  say(`${nameOf(to)} gets what ${nameOf(from)} holds. Both are paused; the source stays so.`);
  const question = `Type the name of the stage that is overwritten`;
  if (!yes && (await typedName(question, json)) !== asked.to)
    throw new RecoveryError("That is not its name. Nothing was copied.");
  const copied = await copyStage(from, to, { tables, over });
  if (json)
    console.log(JSON.stringify({ from: from.resources.stage, to: to.resources.stage, ...copied }, null, 2));
  else
    console.log(
      `Copied. ${nameOf(from)} is paused; copy --from ${asked.from} --resume-source lets it work again.`,
    );
}

async function resume(place: Parameters<typeof resumeCopied>[0], json: true | undefined): Promise<void> {
  const other = await resumeCopied(place);
  if (json)
    return console.log(JSON.stringify({ stage: place.resources.stage, resumed: other !== undefined }));
  console.log(other === undefined ? "No copy has paused it." : `It works again, beside ${other}.`);
}
