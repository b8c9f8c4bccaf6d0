import * as v from "valibot";
import { indexKeys } from "../listing/index-keys.ts";
import type { Listed, Listing } from "../listing/listing.ts";
import type { Tally } from "../listing/tally.ts";
import type { StoredEval } from "./eval-item.ts";

/** What an index carries of an evaluation. */
export type EvalRow = Listed &
  Pick<
    StoredEval,
    | "id"
    | "user_id"
    | "eval_type"
    | "name"
    | "agent_id"
    | "team_id"
    | "model_id"
    | "status"
    | "created_at"
    | "updated_at"
  >;

/** What lists filter by. */
export type EvalFilter = {
  readonly types: readonly StoredEval["eval_type"][] | undefined;
  readonly kind: "agent" | "team" | undefined;
  readonly agent_id: string | undefined;
  readonly team_id: string | undefined;
  readonly model_id: string | undefined;
};

type Counted = Pick<StoredEval, "eval_type" | "agent_id" | "team_id" | "model_id">;

/** Evaluations are counted by everything that lists filter by. */
export const evalListing: Listing<StoredEval, EvalRow> = {
  table: "evals",
  plural: "evaluations",
  placeOf: indexKeys,
  countKey: ({ eval_type, agent_id, team_id, model_id }) =>
    JSON.stringify([eval_type, agent_id, team_id, model_id]),
};

export const passes = (
  { eval_type, agent_id, team_id, model_id }: Counted,
  { types, kind, ...ids }: EvalFilter,
): boolean =>
  (types === undefined || types.includes(eval_type)) &&
  (kind === undefined || (kind === "agent" ? agent_id : team_id) !== null) &&
  (ids.agent_id === undefined || ids.agent_id === agent_id) &&
  (ids.team_id === undefined || ids.team_id === team_id) &&
  (ids.model_id === undefined || ids.model_id === model_id);

const Name = v.nullable(v.string());
const CountKey = v.pipe(v.string(), v.parseJson(), v.tuple([v.string(), Name, Name, Name]));

/** How many of the counted evaluations pass a filter. */
export const countOf = (counts: Tally["counts"], filter: EvalFilter): number =>
  Object.entries(counts)
    .filter(([key]) => {
      const [eval_type, agent_id, team_id, model_id] = v.parse(CountKey, key);
      // As `countKey` wrote it.
      return passes({ eval_type: eval_type as Counted["eval_type"], agent_id, team_id, model_id }, filter);
    })
    .reduce((sum, [, count]) => sum + count, 0);
