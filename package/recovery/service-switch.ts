import {
  DeleteFunctionConcurrencyCommand,
  GetEventSourceMappingCommand,
  GetFunctionConcurrencyCommand,
  GetFunctionConfigurationCommand,
  InvokeCommand,
  type LambdaClient,
  PutFunctionConcurrencyCommand,
  ResourceConflictException,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import type { PausedService } from "./recovery-state.ts";

/** The parts of a service that work: its functions, and what feeds them from queues. */
export type ServiceParts = {
  readonly functions: readonly string[];
  /** Ids of event source mappings. */
  readonly mappings: readonly string[];
};

type Sleep = (ms: number) => Promise<void>;
const POLL_MS = 2_000;

/** How the service is switched on now, to be written down before it is switched off. @param at epoch milliseconds */
export async function switchesOf(
  lambda: LambdaClient,
  { functions, mappings }: ServiceParts,
  at: number,
): Promise<PausedService> {
  const concurrency: Record<string, number | null> = {};
  for (const FunctionName of functions) {
    const { ReservedConcurrentExecutions } = await lambda.send(
      new GetFunctionConcurrencyCommand({ FunctionName }),
    );
    concurrency[FunctionName] = ReservedConcurrentExecutions ?? null;
  }
  const enabled: string[] = [];
  for (const UUID of mappings) {
    const { State } = await lambda.send(new GetEventSourceMappingCommand({ UUID }));
    if (State === "Enabled" || State === "Enabling") enabled.push(UUID);
  }
  return { at, concurrency, mappings: enabled };
}

/**
 * Lets nothing begin any more: queues feed no function, so that no message counts as received, and no function starts.
 *
 * @returns seconds after which what runs has ended: the longest timeout of a function
 */
export async function pauseService(
  lambda: LambdaClient,
  { concurrency, mappings }: PausedService,
  sleep: Sleep,
): Promise<number> {
  for (const UUID of mappings) await switchMapping(lambda, UUID, false, sleep);
  for (const UUID of mappings) await awaitMapping(lambda, UUID, "Disabled", sleep);
  let longest = 0;
  for (const FunctionName of Object.keys(concurrency)) {
    await lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 0 }));
    const { Timeout = 0 } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    longest = Math.max(longest, Timeout);
  }
  return longest;
}

/** Puts everything back as it was. */
export async function resumeService(
  lambda: LambdaClient,
  { concurrency, mappings }: PausedService,
  sleep: Sleep,
): Promise<void> {
  for (const [name, reserved] of Object.entries(concurrency)) await letStart(lambda, name, reserved);
  for (const UUID of mappings) await switchMapping(lambda, UUID, true, sleep);
  for (const UUID of mappings) await awaitMapping(lambda, UUID, "Enabled", sleep);
}

/** Lets a function start again. @param reserved  its reserved concurrency before; null where it had none */
async function letStart(
  lambda: LambdaClient,
  FunctionName: string,
  ReservedConcurrentExecutions: number | null,
): Promise<void> {
  if (ReservedConcurrentExecutions === null)
    await lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
  else await lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions }));
}

async function switchMapping(
  lambda: LambdaClient,
  UUID: string,
  Enabled: boolean,
  sleep: Sleep,
): Promise<void> {
  for (;;) {
    try {
      await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
      return;
    } catch (error) {
      // It is being changed.
      if (!(error instanceof ResourceConflictException || isInUse(error))) throw error;
      await sleep(POLL_MS);
    }
  }
}

const isInUse = (error: unknown): boolean =>
  error instanceof Error && error.name === "ResourceInUseException";

async function awaitMapping(lambda: LambdaClient, UUID: string, wanted: string, sleep: Sleep): Promise<void> {
  for (;;) {
    const { State } = await lambda.send(new GetEventSourceMappingCommand({ UUID }));
    if (State === wanted) return;
    await sleep(POLL_MS);
  }
}

/**
 * Lets one function of a paused service start, and invokes it as after a restore.
 *
 * @returns what it failed with; undefined where it did not
 */
export async function invokeAlone(
  lambda: LambdaClient,
  FunctionName: string,
  { concurrency }: PausedService,
): Promise<string | undefined> {
  await letStart(lambda, FunctionName, concurrency[FunctionName] ?? null);
  const Payload = JSON.stringify({ after_restore: true });
  const answer = await lambda.send(new InvokeCommand({ FunctionName, Payload }));
  return answer.FunctionError && (answer.Payload?.transformToString() ?? answer.FunctionError);
}
