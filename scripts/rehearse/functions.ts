import type { Stack } from "./deploy-stack.ts";
import { type Kind, odd, recorded } from "./events.ts";
import { type Ended, type FunctionToRun, runFunction } from "./runtime-api.ts";

export type DeployedFunction = FunctionToRun & { readonly kind: Kind };

export type FunctionResult = {
  readonly name: string;
  readonly answered: number;
  readonly failed: number;
  /** Events at which it ended, did not answer, or answered otherwise than its caller needs. */
  readonly wrong: readonly string[];
};

const record = (value: unknown): Readonly<Record<string, unknown>> => Object(value);
const texts = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(record(value)).map(([name, one]) => [name, String(one)]));

/** The functions of a stack whose code is a folder. @param address  of the services that they call */
export function functionsOf(stack: Stack, address: string): DeployedFunction[] {
  const resources = [...stack.resources];
  const named = (type: string): string =>
    JSON.stringify(resources.filter(([, held]) => held.type === type).map(([, held]) => held.properties));
  const [sources, authorizers, integrations] = [
    named("AWS::Lambda::EventSourceMapping"),
    named("AWS::ApiGatewayV2::Authorizer"),
    named("AWS::ApiGatewayV2::Integration") + named("AWS::Lambda::Url"),
  ];
  return resources.flatMap(([, { type, name, properties, folder }]) => {
    if (type !== "AWS::Lambda::Function" || folder === undefined) return [];
    const isIn = (text: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
    const kind = isIn(authorizers)
      ? "authorizer"
      : isIn(integrations)
        ? "http"
        : isIn(sources)
          ? "queue"
          : "other";
    return [
      {
        name,
        kind,
        handler: String(properties.Handler),
        folder,
        memoryMb: Number(properties.MemorySize ?? 128),
        environment: {
          ...texts(record(properties.Environment).Variables),
          AWS_ENDPOINT_URL: address,
          // What is not there is not there: nothing is tried again.
          AWS_MAX_ATTEMPTS: "1",
        },
      },
    ];
  });
}

/** Runs a function with the events of its kind and with odd ones, one after the other in one process. */
export async function tryFunction(client: string, fn: DeployedFunction): Promise<FunctionResult> {
  const running = await runFunction(client, fn);
  const result = { name: fn.name, answered: 0, failed: 0, wrong: [] as string[] };
  try {
    for (const event of [...recorded[fn.kind], ...odd]) {
      const ended = await running.invoke(event);
      if (ended.end === "answered") result.answered += 1;
      if (ended.end === "failed") result.failed += 1;
      const wrong = wrongIn(ended, recorded[fn.kind].includes(event) ? fn : undefined);
      if (wrong !== undefined)
        result.wrong.push(`${JSON.stringify(event).slice(0, 60)}: ${wrong.slice(0, 300)}`);
      if (ended.end === "died" || ended.end === "late") break;
    }
  } finally {
    await running.stop();
  }
  return result;
}

/** @param fn  where the event is one that its caller sends */
function wrongIn(ended: Ended, fn: DeployedFunction | undefined): string | undefined {
  if (ended.end === "late") return "no answer in time";
  if (ended.end === "died") return `it ended: ${ended.error}`;
  if (fn === undefined) return undefined;
  if (ended.end === "failed") return fn.kind === "other" ? undefined : `it failed: ${ended.error}`;
  // A stream begins with its status; other functions answer with JSON.
  if (fn.handler.endsWith(".stream"))
    return ended.answer.startsWith('{"statusCode"') ? undefined : `no status: ${ended.answer}`;
  const member = { http: "statusCode", authorizer: "isAuthorized", queue: "batchItemFailures", other: "" }[
    fn.kind
  ];
  return member === "" || ended.answer.includes(`"${member}"`) ? undefined : `no ${member}: ${ended.answer}`;
}
