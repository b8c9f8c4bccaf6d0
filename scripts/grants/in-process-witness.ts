import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { requiredPermissions } from "../../local/iam/required-permissions.ts";

/**
 * Watches tests that call the code of functions in their own process, where no role stands behind a call: which
 * function it is for is read from the stack. Loaded before each test file when `GRANTS_RECORD` is set.
 */

/** Code that one function alone begins with, where that is not in its own folder. */
const begins: readonly (readonly [path: string, bundle: string])[] = [
  ["/shared/evals/tend-eval.ts", "eval-worker"],
  ["/shared/knowledge/processing/tend-content.ts", "knowledge-worker"],
];

type Command = { readonly constructor: { readonly name: string }; readonly input: object };

const folder = process.env.GRANTS_RECORD;
if (folder) {
  // Deep enough to reach from a store function to the function it was called for.
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
  const operation = kind.name
    .replace(/Command$/, "")
    .replace(/^Transact(Write|Get)$/, "Transact$1Items");
  const asked = {
    service: "dynamodb",
    operation: operation.replace(/^(Get|Put|Update|Delete)$/, "$1Item"),
    body: { ...input },
  };
  const batch = asked.operation.replace(/^Batch(Get|Write)$/, "Batch$1Item");
  const needed = requiredPermissions({ ...asked, operation: batch }) ?? [];
  return needed.map(({ action, resource }) => `${bundle}\t${action}\t${resource}\n`);
}

/** The function whose code is furthest out on the stack. */
function bundleIn(stack: string): string | undefined {
  for (const frame of stack.split("\n").reverse()) {
    const begun = begins.find(([path]) => frame.includes(path));
    if (begun) return begun[1];
    const own = /\/functions\/([\w-]+)\/[\w-]+\.ts/.exec(frame)?.[1];
    if (own !== undefined) return own;
  }
  return undefined;
}
