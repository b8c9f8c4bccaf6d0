import type { HandlerRequest } from "../../../shared/http/handler.ts";
import type { openaiRoutes } from "../../../shared/routes/protocols/openai.ts";
import type { Component } from "../../../shared/runs/index.ts";
import type { OpenaiModel } from "../../../shared/schemas/openai/model.ts";
import { mayUse } from "../mcp/held-scopes.ts";
import { liveComponents } from "../mcp/live-components.ts";
import type { McpDeps } from "../mcp/mcp-deps.ts";
import { componentOfModel, modelName } from "./model-names.ts";

/** The components that the caller may run: what the registry declares, then the stored ones with a live version. */
export async function listOpenaiModels(
  { principal }: Pick<HandlerRequest<typeof openaiRoutes.listOpenaiModels>, "principal">,
  { db, clock, mcp }: McpDeps,
): Promise<{ object: "list"; data: OpenaiModel[] }> {
  const { registry, osId } = mcp;
  const declared = (["agent", "team", "workflow"] as const).flatMap((kind) =>
    registry[`${kind}s`].map(({ id }): Component => ({ kind, id })),
  );
  const stored = await liveComponents(db, { registry, tools: "all" }, clock).anew();
  const components = [...declared, ...stored.map(({ component }) => component)];
  const runnable = components.filter((component) => mayUse(principal, component, "run"));
  return { object: "list", data: runnable.map((component) => modelOf(component, osId)) };
}

export async function getOpenaiModel(
  { principal, params }: HandlerRequest<typeof openaiRoutes.getOpenaiModel>,
  deps: McpDeps,
): Promise<OpenaiModel> {
  return modelOf(await componentOfModel(deps, principal, params.model), deps.mcp.osId);
}

const modelOf = (component: Component, osId: string): OpenaiModel => ({
  id: modelName(component),
  object: "model",
  created: 0,
  owned_by: osId,
});
