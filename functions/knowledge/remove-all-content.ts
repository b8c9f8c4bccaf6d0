import { callerOf } from "../../shared/auth/caller.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { selectBase } from "../../shared/knowledge/configured.ts";
import { markRemoved } from "../../shared/knowledge/intake.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import { getContents, type Visibility } from "../../shared/stores/knowledge/content-item.ts";
import { contentRows, partitionsOf } from "../../shared/stores/knowledge/list-contents.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";

type Needs = Pick<KnowledgeDeps, "db" | "queue" | "log" | "clock" | "bases">;

/** Contents that are removed side by side. */
const AT_A_TIME = 25;

/** Deletes every content of a base that the caller owns; an admin all of them. */
export const removeAllContent: Handler<typeof knowledgeRoutes.removeAllContent, Needs> = async (
  { query, principal },
  deps,
) => {
  const { id: knowledge_id } = selectBase(deps.bases, query);
  const caller = callerOf(principal);
  const visibility: Visibility = { knowledge_id, owner: caller.seesAll ? undefined : caller.user_id };
  // Of the partitions that a user sees, the first holds their own contents.
  const own = caller.seesAll ? partitionsOf(visibility) : partitionsOf(visibility).slice(0, 1);
  for (const partition of own) {
    for await (const rows of contentRows(deps.db, partition, 1000)) {
      const ids = rows.map(({ id }) => String(id));
      await removeThese(deps, knowledge_id, ids);
    }
  }
  return "success";
};

async function removeThese(deps: Needs, knowledgeId: string, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_A_TIME) {
    const contents = await getContents(deps.db, knowledgeId, ids.slice(from, from + AT_A_TIME));
    await Promise.all([...contents.values()].map((content) => markRemoved(deps, content)));
  }
}
