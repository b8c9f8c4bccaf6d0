import type { AwsCall, Fault } from "../../local/aws/aws-endpoint.ts";
import { kindOf } from "./call-kind.ts";
import type { Answer } from "./client.ts";
import type { RunningPlatform } from "./platform.ts";

/**
 * How a call fails, on every try of the client:
 *
 *   refused   the service answers 500 and has done nothing
 *   dropped   the connection breaks before the service has seen the call
 *   lost      the service has done it, and the connection breaks before the answer
 */
export type Failing = "refused" | "dropped" | "lost";

/** An answer that broke off has no status. */
export type Broken = { readonly status: undefined; readonly text: string };
export type Answered = Answer | Broken;

/** Not part of any request: these work beside it. */
const background =
  /^(Worker|Sweeper|Housekeeper|ScheduleExecutor|ScheduleReconcile|KnowledgeWorker|EvalWorker)/;

/** Kept from their tables, so that nothing but the request changes them. */
const kept = /^(Sweeper|ScheduleReconcile|DeliveryWorker)/;

/** Of what the housekeeper does only removals are kept, which begin with a session; what it computes is waited for. */
const isKept = (call: AwsCall): boolean =>
  kept.test(call.caller.label) ||
  (call.caller.label.startsWith("Housekeeper") && /^(Get|Update|Delete)Item session/.test(kindOf(call)));

/**
 * Read once in a while and kept: whether a request makes it depends on the time. It is whether there are endpoints, and the
 * secret that signs messages to them.
 */
const cached: ReadonlySet<string> = new Set(["GetItem endpoints", "secretsmanager GetSecretValue"]);

/**
 * Makes calls fail that a request makes. Workers go on meanwhile; the sweeper, what removes sessions and what delivers
 * messages do not.
 */
export function faultLab(platform: RunningPlatform) {
  const withHook = async <T>(
    hook: (call: AwsCall) => Fault | undefined,
    work: () => Promise<T>,
  ): Promise<T> => {
    platform.faults.set((call) => {
      if (isKept(call)) return refusal;
      return background.test(call.caller.label) ? undefined : hook(call);
    });
    try {
      return await work();
    } finally {
      platform.faults.set((call) => (isKept(call) ? refusal : undefined));
    }
  };
  /** @returns  the answer; undefined when the request made no call of this kind */
  const failIfMade = async <T>(
    kind: string,
    how: Failing,
    send: () => Promise<T>,
  ): Promise<{ readonly answer: T } | undefined> => {
    let victim: string | undefined;
    let done: Promise<unknown> = Promise.resolve();
    const answer = await withHook((call) => {
      if (kindOf(call) !== kind) return undefined;
      const isFirst = victim === undefined;
      victim ??= JSON.stringify(call.body);
      if (JSON.stringify(call.body) !== victim) return undefined;
      if (how === "lost" && isFirst) {
        done = perform(platform, call);
        done.catch(() => undefined); // met below
      }
      return how === "refused" ? refusal : "drop";
    }, send);
    await done;
    return victim === undefined ? undefined : { answer };
  };
  return {
    /** The kinds of calls that a request makes, each once, in order; and its answer. */
    async record(send: () => Promise<Answered>): Promise<{ answer: Answered; calls: Map<string, AwsCall> }> {
      const calls = new Map<string, AwsCall>();
      const note = (call: AwsCall) => {
        const kind = kindOf(call);
        if (!calls.has(kind) && !cached.has(kind)) calls.set(kind, call);
        return undefined;
      };
      return { answer: await withHook(note, send), calls };
    },
    failIfMade,
    /** Makes the request while its first call of this kind fails, however often it is tried; others succeed. */
    async fail<T>(kind: string, how: Failing, send: () => Promise<T>): Promise<T> {
      const failed = await failIfMade(kind, how, send);
      if (!failed) throw new Error(`the request made no call of the kind ${kind}`);
      return failed.answer;
    },
  };
}

const refusal: Fault = {
  status: 500,
  type: "InternalServerError",
  message: "at /srv/secret-host/index.mjs:1",
};

async function perform({ dynamoEndpoint, sqs }: RunningPlatform, call: AwsCall): Promise<void> {
  const body = JSON.stringify(call.body);
  // Objects are named by what they hold: one that is written and one that is not look the same to who comes next.
  if (call.service === "s3") return;
  if (call.service === "sqs") return void (await sqs.answer(`AmazonSQS.${call.operation}`, body));
  const response = await fetch(dynamoEndpoint, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `DynamoDB_20120810.${call.operation}`,
      "x-amz-date": "20260101T000000Z",
      authorization:
        "AWS4-HMAC-SHA256 Credential=LOCAL/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
    },
    body,
  });
  if (!response.ok) throw new Error(`the lost call was refused: ${await response.text()}`);
}

/** Takes an answer as far as it comes. */
export async function taken(response: Promise<Response>): Promise<Answered> {
  const { status, headers, body } = await response;
  let text = "";
  try {
    const decoder = new TextDecoder();
    for await (const chunk of body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    return { status: undefined, text };
  }
  return {
    status,
    headers,
    text,
    json: headers.get("content-type") === "application/json" ? JSON.parse(text) : undefined,
  };
}
