import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { selectBase } from "../../shared/knowledge/configured.ts";
import { addContent, contentIdOf, requireWithin, SourceFault } from "../../shared/knowledge/intake.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { isObject, parsedJson } from "../../shared/schemas/values/json-values.ts";
import type { SourceSetting } from "../../shared/settings/values/sources.ts";
import { acceptedContent } from "./accepted-content.ts";
import { metadataOf, optionsOf } from "./described.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";
import { ownerFor } from "./visibility-of.ts";

type Needs = Pick<KnowledgeDeps, "db" | "queue" | "log" | "clock" | "bases">;

/** Adds an object of a source, or every object of a folder: a path that ends with a slash. */
export const addRemoteContent: Handler<typeof knowledgeRoutes.addRemoteContent, Needs> = async (
  { body, query, principal },
  deps,
) => {
  const { id: knowledge_id, sources } = selectBase(deps.bases, query);
  const source = sources.find(({ id }) => id === body.config_id);
  if (!source) throw new ServiceError("BAD_REQUEST", `this base has no source ${body.config_id}`);
  const repo = repoOf(source, body.source_params);
  const { path, name = path.slice(0, 255), description = "" } = body;
  refuseOutside(source, path);
  const metadata = metadataOf(body);
  const owner = ownerFor(principal);
  const place = { source_id: source.id, ...(repo !== undefined && { repo }) };
  const identity = { knowledge_id, owner, name: body.name, description: body.description, metadata };
  const id = contentIdOf({ ...identity, origin: `${source.id}:${repo ?? ""}:${path}` });
  const upload = {
    id,
    knowledge_id,
    owner,
    name,
    description,
    type: source.type,
    size: 0,
    metadata: metadata ?? null,
    input: path.endsWith("/")
      ? { kind: "folder" as const, ...place, prefix: path }
      : { kind: "remote" as const, ...place, key: path },
    options: optionsOf(body),
  };
  return acceptedContent(
    await addContent(deps, { knowledge_id, id }, async () => upload, epochSeconds(deps.clock)),
  );
};

/** @throws ServiceError BAD_REQUEST for a path that is not below the source's prefix */
function refuseOutside({ prefix = "" }: SourceSetting, path: string): void {
  try {
    requireWithin(prefix, path);
  } catch (error) {
    if (error instanceof SourceFault) throw new ServiceError("BAD_REQUEST", error.message, { cause: error });
    throw error;
  }
}

/** @throws ServiceError BAD_REQUEST for parameters that the source does not take, or where no repository is named */
function repoOf(source: SourceSetting, params: string | undefined): string | undefined {
  const parsed = params === undefined ? {} : paramsOf(source, params);
  if (source.type !== "github") return undefined;
  const repo = parsed.repo ?? source.repo;
  if (source.secret !== undefined && repo !== source.repo) {
    // The credential may reach much more than the deployment is meant to share.
    throw new ServiceError("BAD_REQUEST", `the source ${source.id} reads no other repository than its own`);
  }
  if (repo !== undefined && /^[\w.-]+\/[\w.-]+$/.test(repo)) return repo;
  throw new ServiceError("BAD_REQUEST", "a GitHub source needs a repository: owner/repo");
}

function paramsOf({ type }: SourceSetting, params: string): { repo?: string } {
  if (type !== "github")
    throw new ServiceError("BAD_REQUEST", `a source of type ${type} takes no source_params`);
  const value = parsedJson(params);
  if (!isObject(value)) throw new ServiceError("BAD_REQUEST", "source_params must be a JSON object");
  const { repo, ...others } = value;
  if (Object.keys(others).length > 0 || (repo !== undefined && typeof repo !== "string")) {
    throw new ServiceError("BAD_REQUEST", "source_params takes only repo, as text");
  }
  return repo === undefined ? {} : { repo };
}
