import { createHash } from "node:crypto";
import { DB_ID, KNOWLEDGE_TABLE } from "../domain/databases/database.ts";
import { notFound, ServiceError } from "../errors.ts";
import type { BaseSetting } from "../settings/values/knowledge-bases.ts";

/** A knowledge base. */
export type KnowledgeBase = BaseSetting & { readonly id: string };

/** The bases of a deployment with their ids, which are derived from their names. */
export const basesOf = (settings: readonly BaseSetting[]): KnowledgeBase[] =>
  settings.map((setting) => ({ ...setting, id: idOf(setting.name) }));

function idOf(name: string): string {
  const digest = createHash("sha256").update(`${DB_ID}:${KNOWLEDGE_TABLE}:${name}`).digest("hex");
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export type BaseSelector = {
  readonly knowledge_id?: string | null | undefined;
  readonly db_id?: string | null | undefined;
};

/**
 * The base that a request selects.
 *
 * @throws ServiceError NOT_FOUND for an unknown one; BAD_REQUEST where the request names none of several
 * @source docs/interface/knowledge.md 1.1
 */
export function selectBase(
  bases: readonly KnowledgeBase[],
  { knowledge_id, db_id }: BaseSelector,
): KnowledgeBase {
  if (knowledge_id) {
    const named = bases.find(({ id }) => id === knowledge_id);
    if (!named) throw notFound("knowledge base", knowledge_id);
    return named;
  }
  if (db_id && db_id !== DB_ID) throw notFound("database", db_id);
  const [only, ...others] = bases;
  if (!only) throw new ServiceError("NOT_FOUND", "no knowledge base is configured");
  if (others.length === 0) return only;
  const ids = bases.map(({ id }) => id).join(", ");
  throw new ServiceError(
    "BAD_REQUEST",
    `there are several knowledge bases; name one by knowledge_id: ${ids}`,
  );
}
