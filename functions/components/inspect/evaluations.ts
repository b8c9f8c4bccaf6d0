import { digestOf, type SkillContent } from "../../../shared/evals/index.ts";
import type { VersionRecord } from "../../../shared/schemas/components/component-record.ts";
import type { EvalGate, SkillGate } from "../../../shared/schemas/evals/eval-gate.ts";
import { listVersions, type VersionAddress } from "../../../shared/stores/components/version-item.ts";
import type { Db } from "../../../shared/stores/db.ts";
import { listVersionEvals, type StoredEval } from "../../../shared/stores/evals/index.ts";

/** The newest evaluations of a version that are looked at. */
const LOOKED_AT = 100;

/** The newest evaluations, and those among them of exactly what is to be published. */
export type Evaluated = { readonly all: readonly StoredEval[]; readonly same: readonly StoredEval[] };

/** Those of a version itself. @param unsaved  a skill among what it links, as it is about to be stored */
export async function ownEvaluations(
  db: Db,
  { component_id, version }: VersionAddress,
  content: Pick<VersionRecord, "config" | "links">,
  unsaved?: SkillContent,
): Promise<Evaluated> {
  const [all, digest] = await Promise.all([
    listVersionEvals(db, component_id, version, LOOKED_AT),
    digestOf(db, content, unsaved),
  ]);
  return { all, same: all.filter((one) => one.component_digest === digest) };
}

/** Those of the versions of an agent or a team that link a version of a skill. */
export async function evaluationsInUse(
  db: Db,
  gate: Exclude<EvalGate | SkillGate, boolean>,
  skill: SkillContent,
): Promise<Evaluated> {
  const versions = await listVersions(db, userOf(gate));
  const using = versions.filter(({ links }) =>
    links.some(
      (link) =>
        link.link_kind === "skill" &&
        link.child_component_id === skill.component_id &&
        link.child_version === skill.version,
    ),
  );
  const found = await Promise.all(using.map((version) => ownEvaluations(db, version, version, skill)));
  return { all: found.flatMap(({ all }) => all), same: found.flatMap(({ same }) => same) };
}

function userOf(gate: Exclude<EvalGate | SkillGate, boolean>): string {
  if ("agent_id" in gate) return gate.agent_id;
  return "team_id" in gate ? gate.team_id : "";
}
