import type { ModelPrice } from "../../settings/values/model-prices.ts";
import type { Models, ModelView } from "../model/models.ts";
import { noteDeclaration } from "../tool/note-declaration.ts";
import { checkRights } from "../tool/tool-rights.ts";
import { type Agent, type AgentSettings, agentDefaults } from "./agent.ts";
import type { RemoteSettings } from "./remote-settings.ts";
import type { Member } from "./team.ts";

/** The settings of an agent that concern its runs and not how they are executed. */
type OwnSettings = Pick<
  AgentSettings,
  | "name"
  | "description"
  | "role"
  | "introduction"
  | "revision"
  | "callback"
  | "input_schema"
  | "output_schema"
  | "pre_hooks"
  | "post_hooks"
  | "keep_withheld"
  | "max_tokens_per_run"
  | "max_cost_per_run"
  | "online_evaluation"
  | "retries"
  | "delay_between_retries"
  | "exponential_backoff"
  | "quick_prompts"
  | "metadata"
>;

type RemoteDeclaration = { readonly id: string } & Pick<RemoteSettings, "card"> &
  Partial<RemoteSettings> &
  Partial<OwnSettings>;

const TIMEOUT_SECONDS = 600;

/**
 * Declares an agent that another organization runs: a run of it is a task there. It may be what any agent may be, such as a
 * member of a team or the executor of a step.
 *
 * @throws Error when the address of the card or the name of the secret cannot be one
 */
export function defineRemoteAgent(declared: RemoteDeclaration): Agent {
  const { card, secret, hosts, effect, context, timeout_seconds, price, ...own } = declared;
  const who = `the remote agent ${declared.id}`;
  checkRights(who, { secrets: secret === undefined ? [] : [secret] });
  if (!/^https?:$/.test(URL.parse(card)?.protocol ?? "")) {
    throw new Error(
      `${who}: card must be the whole address of its agent card, such as https://agents.example/.well-known/agent-card.json, not "${card}".`,
    );
  }
  return noteDeclaration({
    kind: "agent",
    ...agentDefaults,
    // A request that was refused for a moment is sent again; one that may have been received is not.
    retries: 2,
    exponential_backoff: true,
    name: declared.id,
    ...own,
    remote: {
      card,
      ...(secret !== undefined && { secret }),
      hosts: hosts ?? [],
      effect: effect ?? "once",
      context: context ?? "session",
      timeout_seconds: timeout_seconds ?? TIMEOUT_SECONDS,
      ...(price && { price }),
    },
  });
}

/** What answers in the runs of an agent or a team: its model, or the agent elsewhere. */
export const modelViewOf = (
  {
    id,
    model,
    prompt_cache,
    remote,
  }: Pick<AgentSettings, "id" | "model" | "prompt_cache"> & Pick<Agent, "remote">,
  models: Pick<Models, "describe">,
): ModelView =>
  remote
    ? { id, provider: REMOTE_PROVIDER, price: remote.price ?? FREE }
    : models.describe(model, typeof prompt_cache === "object" ? prompt_cache.ttl : undefined);

export const REMOTE_PROVIDER = "A2A";

/** @decided  What a remote agent costs is between its operator and ours; without a price it spends no budget in dollars. */
const FREE: ModelPrice = { input_per_million: 0, output_per_million: 0 };

export type RemoteAgent = Agent & { readonly remote: RemoteSettings };

/** Whether a run of it is a task of another organization's agent. */
export const isRemote = (member: Member): member is RemoteAgent =>
  member.kind === "agent" && member.remote !== undefined;
