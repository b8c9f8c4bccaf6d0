import { modelViewOf } from "../define/remote-agent.ts";
import { faultClass } from "../model/fault-class.ts";
import type { RunFault } from "../model/model-fault.ts";
import { addUsage, noUsage, subtractUsage, type Usage } from "../model/usage.ts";
import type { Execution } from "../run/execution.ts";
import { isAnswer } from "../run/repetition.ts";
import type { RunState } from "../run/run-state.ts";

/** How long a model answers in place of the agent's own, before that is asked again. */
const STAYS_MS = 300_000;

/** Stands for the agent's own model, whose specification may be the platform's. */
const OWN = "";

/** The execution of the next model call, by the model that the state names. */
export function withModelAt({ model_at }: RunState, execution: Execution): Execution {
  return model_at ? withModel(model_at.spec, execution) : execution;
}

/** The same execution with another model. */
export const withModel = (spec: string, execution: Execution): Execution => ({
  ...execution,
  spec,
  model: modelViewOf({ ...execution.agent, model: spec }, execution.ports.models),
});

/**
 * The state in which the agent's own model is asked again; undefined while another answers in its place. It is a step of its
 * own, so that a process which resumes the run asks the same model.
 */
export function returnedToOwn(state: RunState, { ports }: Execution): RunState | undefined {
  const { model_at, failed, broken, ...rest } = state;
  const isFree = failed === undefined && broken === undefined; // an answer that has begun stays with who began it
  return model_at && isFree && model_at.until_ms <= ports.clock.now() ? rest : undefined;
}

/**
 * The state in which the next model makes a call that one has failed; undefined where there is none, for what failed or at
 * all. It is in the state before that model is asked.
 *
 * @decided  Only the lists decide: what a service says of the request itself, or of the credential, is never masked. A model that
 *           stands in for the agent's own and fails too is followed by the next one, at last by the agent's own.
 */
export function nextModel(
  state: RunState,
  fault: RunFault,
  hasBegun: boolean,
  { agent, ports, model }: Execution,
): RunState | undefined {
  const { fallback_models = [], fallback_config = {} } = agent;
  const {
    on_error = fallback_models,
    on_rate_limit = [],
    on_context_overflow = [],
    on_refused = [],
  } = fallback_config;
  const lists = {
    rate_limit: [...on_rate_limit, ...on_error],
    context_overflow: [...on_context_overflow, ...on_error],
    unavailable: on_error,
    broken: on_error,
    refused: on_refused,
    client: [],
  };
  const kind = faultClass(fault, hasBegun);
  const list = lists[kind];
  if (list.length === 0) return undefined;
  const tried = [...(state.failed?.models ?? []), state.model_at?.spec ?? OWN];
  const to = [...list, OWN].find((spec) => !tried.includes(spec));
  if (to === undefined) return undefined;
  const { model_at: _, ...rest } = state;
  const { thrown: _t, ...first } = state.failed?.fault ?? fault;
  const shown = ports.models.describe(to === OWN ? agent.model : to);
  const call = state.messages.filter(isAnswer).length + 1;
  ports.warn?.("asking another model", { from: model.id, to: shown.id, class: kind });
  return {
    ...rest,
    // The call that has failed has had its name.
    calls: state.calls + 1,
    ...(to !== OWN && { model_at: { spec: to, until_ms: ports.clock.now() + STAYS_MS } }),
    failed: { models: tried, fault: { ...first, thrown: undefined } },
    fallbacks: [...(state.fallbacks ?? []), { call, from: model.id, to: shown.id, class: kind }],
  };
}

/** The fault that a call ends with which every model has failed: that of the first one. */
export const firstFault = ({ failed }: RunState, fault: RunFault): RunFault => failed?.fault ?? fault;

/** The state after a call, with what it used by the model that made it. */
export function withUsageBy(before: RunState, after: RunState): RunState {
  const spec = before.model_at?.spec;
  const used = subtractUsage(after.usage, before.usage);
  if (spec === undefined || isNothing(used)) return after;
  const { used_by = {} } = after;
  return { ...after, used_by: { ...used_by, [spec]: addUsage(used_by[spec] ?? noUsage, used) } };
}

const isNothing = ({ input_tokens, output_tokens }: Usage): boolean =>
  input_tokens === 0 && output_tokens === 0;
