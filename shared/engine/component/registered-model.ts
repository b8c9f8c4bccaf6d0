import * as v from "valibot";
import { type ErrorCode, ServiceError } from "../../errors.ts";
import { specOfModel } from "../../schemas/values/model-spec.ts";
import { namedModels } from "../define/agent.ts";
import type { Registry } from "../define/registry.ts";
import type { Models, ModelView } from "../model/models.ts";

const ModelConfig = v.union([v.string(), v.object({ id: v.string(), provider: v.string() })]);

/**
 * The specification of a model that a config or a request names: the default one, one of a declared agent or team, or one
 * that is registered.
 *
 * @returns an `error` when it is none of these
 * @decided other models are refused, even if a key for them is configured: whoever writes configs or sends requests does
 *          not decide on costs
 */
export function registeredModel(
  config: unknown,
  { agents, teams, parts }: Registry,
  models: Pick<Models, "describe">,
): { readonly spec?: string } | { readonly error: string; readonly error_code: ErrorCode } {
  if (config === undefined || config === null) return {};
  const parsed = v.safeParse(ModelConfig, config);
  if (!parsed.success)
    return { error: "model must be {id, provider} or provider:id", error_code: "UNPROCESSABLE" };
  const wanted = typeof parsed.output === "string" ? modelNamed(parsed.output, models) : parsed.output;
  const specs = [...agents, ...teams].flatMap(namedModels);
  const known = [undefined, ...specs, ...(parts?.models ?? [])];
  const at = known.findIndex((spec) => isSame(models.describe(spec), wanted));
  if (at < 0)
    return { error: `model ${wanted.provider}:${wanted.id} is not registered`, error_code: "NOT_FOUND" };
  const spec = known[at];
  return spec === undefined ? {} : { spec };
}

/**
 * The same check for a request.
 *
 * @param spec  a specification
 * @throws ServiceError BAD_REQUEST for a model that is none of these
 */
export function requireRegisteredModel(
  spec: string,
  registry: Registry,
  models: Pick<Models, "describe">,
): void {
  const found = registeredModel(spec, registry, models);
  if ("error" in found)
    throw new ServiceError("BAD_REQUEST", `${found.error}; GET /registry lists the models`);
}

/** A model by `provider:id`, where the provider is written in either way, or by a specification without a colon. */
function modelNamed(text: string, models: Pick<Models, "describe">): Pick<ModelView, "id" | "provider"> {
  const colon = text.indexOf(":");
  if (colon < 0) return models.describe(text);
  const wanted = { provider: text.slice(0, colon).trim(), id: text.slice(colon + 1).trim() };
  const spec = specOfModel(wanted.provider, wanted.id);
  const known = spec === undefined ? wanted : models.describe(spec);
  return known.id === wanted.id ? known : wanted;
}

/** Providers are written as they are shown or as specifications begin: `Amazon Bedrock`, `amazon-bedrock`. */
const plain = (provider: string): string => provider.toLowerCase().replace(/[^a-z0-9]/g, "");

const isSame = (
  one: Pick<ModelView, "id" | "provider">,
  other: Pick<ModelView, "id" | "provider">,
): boolean => one.id === other.id && plain(one.provider) === plain(other.provider);
