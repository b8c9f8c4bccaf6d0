/** How a task of a state machine ends. */
export type TaskEnd =
  /** `output`: JSON. */
  | { readonly succeeds: true; readonly output: string }
  /** `error`: a name that a state machine can catch; `cause`: JSON. */
  | { readonly succeeds: false; readonly error: string; readonly cause: string };

/** What became of it. `isFinal`: a further try cannot succeed. */
export type TaskEnded =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly error: string; readonly isFinal: boolean };

export type TaskTokens = {
  /** Reports to Step Functions, once, how the task with this token ends. */
  readonly end: (token: string, end: TaskEnd) => Promise<TaskEnded>;
};

/** Longest output of a task, in bytes of UTF-8. @source Step Functions developer guide, "Service quotas" */
export const MAX_OUTPUT_BYTES = 262_144;
/** Longest cause of a failure. @source Step Functions API reference, "SendTaskFailure" */
export const MAX_CAUSE_CHARS = 32_768;

const CONNECTION_TIMEOUT_MS = 1_000;
/** Two tries of the client stay well below the lease of a delivery. */
const REQUEST_TIMEOUT_MS = 4_000;
const TRIES = 2;

/** The token is used up, too old or none, or the output is refused. @source Step Functions API reference, "SendTaskSuccess" */
const finalErrors = new Set([
  "TaskTimedOut",
  "TaskDoesNotExist",
  "InvalidToken",
  "InvalidOutput",
  "ValidationException",
]);

/** Step Functions in this account and region. Connects with the first task. */
export function connectTaskTokens(): TaskTokens {
  const connect = async () => {
    const sdk = await import("@aws-sdk/client-sfn");
    const requestHandler = { connectionTimeout: CONNECTION_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS };
    return { sdk, client: new sdk.SFNClient({ maxAttempts: TRIES, requestHandler }) };
  };
  let connection: ReturnType<typeof connect> | undefined;
  return {
    end: async (taskToken, end) => {
      connection ??= connect();
      const { client, sdk } = await connection;
      try {
        if (end.succeeds)
          await client.send(new sdk.SendTaskSuccessCommand({ taskToken, output: end.output }));
        else
          await client.send(
            new sdk.SendTaskFailureCommand({ taskToken, error: end.error, cause: end.cause }),
          );
        return { accepted: true };
      } catch (error) {
        const name = error instanceof Error ? error.name : "Error";
        // Without the message: it may repeat the token.
        return { accepted: false, error: name, isFinal: finalErrors.has(name) };
      }
    },
  };
}
