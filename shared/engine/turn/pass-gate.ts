import { createHash } from "node:crypto";
import { untilStopped } from "../../runtime/promises.ts";
import { faultClass } from "../model/fault-class.ts";
import type { RunFault } from "../model/model-fault.ts";
import { type CallResult, type ClosedGate, type Entered, freeCall, NO_KEY } from "../model/model-gate.ts";
import { CLIENTS_PATIENCE_MS, roughTokens, waitAtGate } from "../model/wait-at-gate.ts";
import type { Execution } from "../run/execution.ts";

/** How long a call waits in its process, which it occupies, for a service that asks to slow down. */
const PATIENCE_MS = 60_000;

/**
 * Waits until a model may be called, by what all workers know of it, as long as that is worth it.
 *
 * @param call   unique for the call within its run
 * @param shown  what the model is shown
 */
export async function passGate(
  call: string,
  shown: readonly unknown[],
  { ports, request, spec }: Pick<Execution, "ports" | "request" | "spec">,
): Promise<Entered> {
  const { clock, modelGate, models, postpone, signal } = ports;
  if (!modelGate) return freeCall;
  // A model that cannot be loaded says so when it is called.
  const resolved = await untilStopped(models.resolve(spec), signal).catch(() => undefined);
  if (!resolved) return freeCall;
  const { account = NO_KEY } = resolved;
  const tokens = () => roughTokens(shown);
  const share = shareOf(`${request.run_id}#${call}`);
  const asked = { spec, account, user_id: request.user_id, tokens, share };
  return waitAtGate(modelGate, asked, postpone ? PATIENCE_MS : CLIENTS_PATIENCE_MS, clock, signal);
}

/** In [0, 1). It follows from the call, so that calls which wait for the same instant do not start together. */
export function shareOf(key: string): number {
  return createHash("sha256").update(key).digest().readUInt32BE() / 2 ** 32;
}

/** What a call that failed says about its model to all workers; undefined for one that was aborted. */
export function failureOf(
  fault: RunFault,
  hasBegun: boolean,
  { aborted }: Pick<AbortSignal, "aborted">,
): CallResult | undefined {
  if (aborted) return undefined;
  switch (faultClass(fault, hasBegun)) {
    case "unavailable":
      return { was: "unavailable" };
    case "rate_limit":
      return { was: "throttled", after_seconds: fault.again?.after_seconds };
    default:
      return { was: "refused" };
  }
}

/** Why a run cannot go on whose model is not to be called now. */
export function closedFault(closed: ClosedGate, nowMs: number): RunFault {
  const after_seconds = Math.max(1, Math.ceil((closed.until_ms - nowMs) / 1000));
  const common = { thrown: undefined, again: { after_seconds }, closed };
  return closed.because === "unavailable"
    ? {
        ...common,
        cause: "model",
        text: `${UNAVAILABLE} ${after_seconds} s.`,
        error_type: "model_unavailable",
      }
    : {
        ...common,
        cause: "throttled",
        text: `${THROTTLED} ${after_seconds} s.`,
        error_type: "model_throttled",
      };
}

const UNAVAILABLE = "The model's service has failed repeatedly and is not called now; it is tried again in";
const THROTTLED = "The model's service takes no more requests now; it is asked again in";
