import type { JsonAnswer } from "../aws/json-answer.ts";
import type { AwsRequest } from "../iam/required-permissions.ts";

/** How a task was ended. */
export type EndedTask = {
  readonly token: string;
  /** Of a task that succeeded. */
  readonly output?: unknown;
  /** Of one that failed. */
  readonly error?: string;
  readonly cause?: string;
};

export type TaskTokens = {
  /** Answers one request of a Step Functions client. */
  readonly answer: (request: AwsRequest) => JsonAnswer;
  readonly ended: () => readonly EndedTask[];
};

/** Tokens that this machine treats as some that are not valid any more. */
const INVALID = "invalid";

/**
 * The two calls of Step Functions that end a task, in this process. There are no state machines: every token is one of a
 * task that waits, until it is ended. One that begins with `invalid` is of none.
 *
 * @param show  takes lines that the user should see; none has a token
 */
export function openTaskTokens(show: (line: string) => void): TaskTokens {
  const ended: EndedTask[] = [];
  return {
    answer: ({ operation, body }) => {
      const token = String(body.taskToken);
      if (token.startsWith(INVALID)) return refusal("InvalidToken", "Invalid Token");
      if (ended.some((one) => one.token === token)) return refusal("TaskTimedOut", "Task Timed Out");
      if (operation === "SendTaskSuccess") {
        const output: unknown = JSON.parse(String(body.output));
        ended.push({ token, output });
        show("[step functions] a task succeeded");
      } else {
        ended.push({ token, error: String(body.error), cause: String(body.cause) });
        show(`[step functions] a task failed: ${body.error}`);
      }
      return { status: 200, body: {} };
    },
    ended: () => ended,
  };
}

const refusal = (type: string, message: string): JsonAnswer => ({
  status: 400,
  type,
  body: { __type: type, message },
});
