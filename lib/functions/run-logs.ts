import { Lazy, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";

/** The functions that execute runs or act on them, by the ids of their constructs; see `createServiceFunction`. */
const acting = {
  runs: "Runs",
  "runs-stream": "RunsStream",
  a2a: "A2a",
  "a2a-stream": "A2aStream",
  queue: "Queue",
  worker: "Worker",
  sweeper: "Sweeper",
  housekeeper: "Housekeeper",
  "chat-worker": "ChatWorker",
  "eval-worker": "EvalWorker",
} as const;

/** The log groups of those that are deployed, by the name of the function. */
const logGroupsOf = (scope: Construct): readonly (readonly [string, LogGroup])[] =>
  Object.entries(acting).flatMap(([name, id]) => {
    const found = scope.node.tryFindChild(`${id}Logs`);
    return found instanceof LogGroup ? [[name, found] as const] : [];
  });

/**
 * Log groups by function name as JSON, for the environment of the function that searches them. It is written at the end
 * of the synthesis: most of them are created later.
 */
export const runLogGroups = (scope: Construct): string =>
  Lazy.string({
    produce: () => {
      const names = logGroupsOf(scope).map(([name, group]) => [name, group.logGroupName]);
      return Stack.of(scope).toJsonString(Object.fromEntries(names));
    },
  });

/** Lets a function act on these log groups; called when every function has been created. */
export function grantRunLogs(scope: Construct, fn: IFunction, actions: readonly string[]): void {
  fn.addToRolePolicy(
    new PolicyStatement({
      actions: actions.map((action) => `logs:${action}`),
      resources: logGroupsOf(scope).map(([, group]) => group.logGroupArn),
    }),
  );
}
