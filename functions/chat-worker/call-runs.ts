import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { internalEvent } from "../../shared/http/internal-event.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { FamilyFunctions } from "../../shared/runtime/functions/family-functions.ts";
import type { Invoke } from "../../shared/runtime/functions/invoke-function.ts";

export type RunsCall = {
  /** Below the component, as `/runs`. */
  readonly rawPath: string;
  readonly form: Readonly<Record<string, string>>;
  readonly rawQueryString?: string;
  /** The user in whose name the call is made. */
  readonly owner: string;
  /** Key of the message that is answered; a run that was started for it once is not started again. */
  readonly messageKey: string;
};

export type RunsAnswer = { readonly status: number; readonly body: string };

/** Calls the runs function. @throws where there is no answer; the same call may be repeated */
export type CallRuns = (call: RunsCall) => Promise<RunsAnswer>;

type Needs = {
  readonly functions: FamilyFunctions;
  readonly adminScope: string;
  readonly invoke: Invoke;
  readonly clock: Pick<Clock, "now">;
  readonly newRequestId: () => string;
};

/**
 * Calls the family of runs by the Lambda API, in the person's name and with no credential: what that person may not do
 * is refused by the same authorization as for every request.
 */
export function runsCaller({ functions, adminScope, invoke, clock, newRequestId }: Needs): CallRuns {
  return async ({ rawPath, rawQueryString = "", form, owner, messageKey }) => {
    const request = {
      method: "POST",
      rawPath,
      rawQueryString,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "idempotency-key": messageKey,
        "x-chat-message": messageKey,
      },
      body: new URLSearchParams(form).toString(),
      owner,
      requestId: newRequestId(),
      at: clock.now(),
    };
    const target = internalEvent(request, adminScope);
    const name = target && functions[target.family];
    if (name === undefined) return { status: 404, body: "" };
    const { payload, failed } = await invoke(name, JSON.stringify(target?.event));
    if (failed) throw new Error("the function of runs broke off; its log says why");
    const { statusCode = 200, body = "" } = JSON.parse(payload) as APIGatewayProxyStructuredResultV2; // as families answer
    return { status: statusCode, body };
  };
}

/** Whether the same call may succeed later: the queue is full, a service is not available. */
export const mayPassLater = ({ status }: RunsAnswer): boolean =>
  status === 429 || status === 409 || status >= 500;
