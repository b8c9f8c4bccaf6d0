import { registryEntries } from "../../shared/engine/component/registry-entries.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { configRoutes } from "../../shared/routes/config.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import type { ConfigDeps } from "./config-deps.ts";
import { knowledgeEntries } from "./knowledge-entries.ts";

/** What stored components may name, and what is declared in code. */
export const listRegistry: Handler<typeof configRoutes.listRegistry, ConfigDeps> = async (
  { query },
  { registry, models, bases, vectorStore },
) => {
  const { resource_type, name = "", page, limit } = query;
  const startedAt = performance.now();
  const wanted = name.toLowerCase();
  const found = registryEntries(registry, models, knowledgeEntries(bases, vectorStore)).filter(
    (one) => (!resource_type || one.type === resource_type) && one.name.toLowerCase().includes(wanted),
  );
  return {
    data: found.slice((page - 1) * limit, page * limit),
    meta: pageMeta(page, limit, found.length, performance.now() - startedAt),
  };
};
