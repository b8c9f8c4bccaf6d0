import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import * as v from "valibot";
import type { CallAnswer } from "../../shared/domain/schedules/call-answer.ts";
import type { ScheduleCall } from "../../shared/domain/schedules/schedule-call.ts";
import { ServiceError } from "../../shared/errors.ts";
import { internalEvent } from "../../shared/http/internal-event.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { FamilyFunctions } from "../../shared/runtime/functions/family-functions.ts";
import type { Invoke } from "../../shared/runtime/functions/invoke-function.ts";
import type { ScheduleRunRef } from "../../shared/schemas/schedules/schedule-run.ts";

export type CallRequest = {
  readonly call: ScheduleCall;
  /** The attempt that calls: the runs function links the run to it. */
  readonly ref: ScheduleRunRef;
  readonly owner: string | null;
  readonly timeout_seconds: number;
};

/** Calls an endpoint of this service. @throws where a run may have been started and the call can be repeated */
export type CallEndpoint = (request: CallRequest) => Promise<CallAnswer>;

type Needs = {
  readonly functions: FamilyFunctions;
  readonly adminScope: string;
  /** For requests that may be repeated, and for those that may not. */
  readonly invoke: Readonly<Record<ScheduleCall["kind"], Invoke>>;
  readonly clock: Clock;
};

/** A family's function lives no longer than 29 seconds; after this there will be no answer. */
const LONGEST_CALL_SECONDS = 35;

/**
 * Calls by the Lambda API, in the owner's name and with no credential. What the owner's schedule may not do is refused
 * by the same authorization as for every request.
 */
export function endpointCaller({ functions, adminScope, invoke, clock }: Needs): CallEndpoint {
  return async ({ call, ref, owner, timeout_seconds }) => {
    const request = {
      method: call.method,
      rawPath: call.rawPath,
      rawQueryString: call.rawQueryString,
      headers: { ...call.headers, "x-schedule-run": `${ref.schedule_id}/${ref.schedule_run_id}` },
      ...(call.body !== undefined && { body: call.body }),
      owner,
      requestId: ref.schedule_run_id,
      at: clock.now(),
    };
    const target = targetOf(request, adminScope);
    if ("answered" in target) return target;
    const name = functions[target.family];
    if (name === undefined) return notFoundAnswer;
    const seconds = Math.min(timeout_seconds, LONGEST_CALL_SECONDS);
    const signal = AbortSignal.timeout(seconds * 1000);
    try {
      return answerFrom(await invoke[call.kind](name, JSON.stringify(target.event), signal));
    } catch (error) {
      if (signal.aborted) return { answered: false, error: `no answer within ${seconds} seconds` };
      if (call.kind === "run") throw error;
      return { answered: false, error: `the endpoint could not be called: ${errorName(error)}` };
    }
  };
}

function targetOf(request: Parameters<typeof internalEvent>[0], adminScope: string) {
  try {
    return internalEvent(request, adminScope) ?? notFoundAnswer;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { answered: true, status: error.status, body: error.message } satisfies CallAnswer;
  }
}

const notFoundAnswer: CallAnswer = { answered: true, status: 404, body: "Not Found" };

function answerFrom({ payload, failed }: Awaited<ReturnType<Invoke>>): CallAnswer {
  if (failed) return { answered: false, error: "the endpoint's function broke off; its log says why" };
  const { statusCode = 200, body = "" } = JSON.parse(payload) as APIGatewayProxyStructuredResultV2; // as families answer
  return { answered: true, status: statusCode, body };
}

const Named = v.object({ name: v.string() });
const errorName = (error: unknown): string => (v.is(Named, error) ? error.name : "unknown");
