import {
  DB_ID,
  EVAL_TABLE,
  LEARNING_TABLE,
  MEMORY_TABLE,
  METRICS_TABLE,
  SESSION_TABLE,
} from "../../shared/domain/databases/database.ts";
import { families } from "../../shared/routes/index.ts";

/** Sections by the family that serves what they describe, with the tables that clients may name. */
const sections = [
  { section: "session", family: "sessions", tables: [SESSION_TABLE] },
  { section: "metrics", family: "metrics", tables: [METRICS_TABLE] },
  { section: "memory", family: "memories", tables: [MEMORY_TABLE] },
  { section: "learning", family: "learnings", tables: [LEARNING_TABLE] },
  { section: "evals", family: "evals", tables: [EVAL_TABLE] },
  // No request names its table.
  { section: "traces", family: "traces", tables: undefined },
] as const;

type Section = (typeof sections)[number]["section"];
type Described = {
  readonly dbs: { db_id: string; domain_config: { display_name: string }; tables?: string[] }[];
};

/**
 * What clients may look at, one section for each family that this instance serves: a family that is not there has none,
 * so that no client offers it.
 */
export function configSections(
  served: Readonly<Record<string, unknown>> = families,
): { session: Described } & Partial<Record<Section, Described>> {
  const shown = sections
    .filter(({ section, family }) => section === "session" || family in served)
    .map(({ section, tables }) => [section, described(tables)]);
  return { session: described([SESSION_TABLE]), ...Object.fromEntries(shown) };
}

const described = (tables: readonly string[] | undefined): Described => ({
  dbs: [{ db_id: DB_ID, domain_config: { display_name: DB_ID }, ...(tables && { tables: [...tables] }) }],
});
