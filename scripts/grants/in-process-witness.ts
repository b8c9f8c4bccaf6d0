import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { requiredPermissions } from "../../local/iam/required-permissions.ts";

/**
 * Records the calls of tests that run the code of functions in their own process. Such calls have no role, so the
 * function is found in the stack trace. Loaded before each test file when `GRANTS_RECORD` is set.
 */

/** Entry points of one function that are not in its own folder. */
const entryPoints: readonly (readonly [path: string, bundle: string])[] = [
  ["/shared/evals/process-eval.ts", "eval-worker"],
  ["/shared/knowledge/processing/process-content.ts", "knowledge-worker"],
];

type Command = { readonly constructor: { readonly name: string }; readonly input: object };

const folder = process.env.GRANTS_RECORD;
if (folder) {
  // Deep enough to reach from a store function to the entry point that called it.
  Error.stackTraceLimit = 200;
  const file = join(folder, `${process.pid}-in-process.tsv`);
  const seen = new Set<string>();
  const { send } = DynamoDBDocumentClient.prototype;
  const watched = function (this: DynamoDBDocumentClient, command: Command, ...rest: unknown[]): unknown {
    for (const line of linesOf(command, new Error().stack ?? "")) {
      if (seen.has(line)) continue;
      seen.add(line);
      appendFileSync(file, line);
    }
    return Reflect.apply(send, this, [command, ...rest]);
  };
  Object.assign(DynamoDBDocumentClient.prototype, { send: watched });
}

function linesOf({ constructor: kind, input }: Command, stack: string): string[] {
  const bundle = bundleIn(stack);
  if (bundle === undefined) return [];
  const operation = kind.name.replace(/Command$/, "").replace(/^Transact(Write|Get)$/, "Transact$1Items");
  const request = {
    service: "dynamodb",
    operation: operation.replace(/^(Get|Put|Update|Delete)$/, "$1Item"),
    body: { ...input },
  };
  const batch = request.operation.replace(/^Batch(Get|Write)$/, "Batch$1Item");
  const needed = requiredPermissions({ ...request, operation: batch }) ?? [];
  return needed.map(({ action, resource }) => `${bundle}\t${action}\t${resource}\n`);
}

/** The function whose code is outermost on the stack. */
function bundleIn(stack: string): string | undefined {
  for (const frame of stack.split("\n").reverse()) {
    const entry = entryPoints.find(([path]) => frame.includes(path));
    if (entry) return entry[1];
    const own = /\/functions\/([\w-]+)\/(?:[\w-]+\/)*[\w-]+\.ts/.exec(frame)?.[1];
    if (own !== undefined) return own;
  }
  return undefined;
}
