import { type Duty, dutyOf, MAX_ATTEMPTS, planFailure } from "../../domain/knowledge/content-plans.ts";
import { ServiceError } from "../../errors.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import type { ContentAddress } from "../../stores/knowledge/content-item.ts";
import { wake } from "../add-content.ts";
import { ContentFault } from "../content-fault.ts";
import { PassingAnswer } from "../fetch/answers.ts";
import { cleanContent, forget } from "./clean-content.ts";
import { claimContent, LeaseLost, releaseContent, Superseded, writeLeased } from "./content-lease.ts";
import { gatherFolder } from "./gather-folder.ts";
import { ingestContent } from "./ingest-content.ts";
import { OutOfTime } from "./out-of-time.ts";
import type { ProcessingDeps } from "./processing-deps.ts";
import { StepFailed } from "./step-failed.ts";
import { tagContent } from "./tag-content.ts";

/** Waits before a step that failed is tried again double with every attempt, up to this. */
const MAX_DELAY_SECONDS = 300;

type Work = (deps: ProcessingDeps, held: StoredContent, until: number) => Promise<StoredContent | undefined>;

const works: Readonly<Record<Exclude<Duty, "nothing">, Work>> = {
  clean: cleanContent,
  forget,
  ingest: ingestContent,
  gather: gatherFolder,
  tag: tagContent,
};

/**
 * Does whatever is owed to a content, until nothing is. May be called at any time, by anybody, and again: one worker
 * holds a content at a time, and each step goes on from the record.
 *
 * @param until  epoch milliseconds at which it breaks off; another worker goes on
 */
export async function processContent(
  deps: ProcessingDeps,
  address: ContentAddress,
  until: number,
): Promise<void> {
  let held = await claimContent(deps, address);
  while (held) held = await takeStep(deps, held, until);
}

async function takeStep(
  deps: ProcessingDeps,
  held: StoredContent,
  until: number,
): Promise<StoredContent | undefined> {
  const duty = dutyOf(held);
  try {
    if (duty !== "nothing") return await works[duty](deps, held, until);
    const free = await releaseContent(deps, held, undefined);
    // Something may have been asked for in the moment of letting go.
    return dutyOf(free) === "nothing" ? undefined : await claimContent(deps, free);
  } catch (error) {
    return afterFault(deps, held, duty, error);
  }
}

/** @returns the content where the work goes on */
async function afterFault(
  deps: ProcessingDeps,
  held: StoredContent,
  duty: Duty,
  error: unknown,
): Promise<StoredContent | undefined> {
  if (error instanceof Superseded) return error.content;
  if (error instanceof LeaseLost) return undefined;
  try {
    if (error instanceof ContentFault) return await fail(deps, held, error.message);
    if (error instanceof OutOfTime) return await postpone(deps, held, 0);
    const { content_id, attempt } = { content_id: held.id, attempt: held.attempt };
    deps.log.warn("a content could not be looked after", { content_id, attempt, duty, error: told(error) });
    if (duty === "ingest" && attempt >= MAX_ATTEMPTS) return await fail(deps, held, givenUp(error));
    return await postpone(deps, held, delayAfter(error, attempt));
  } catch (second) {
    if (second instanceof Superseded) return second.content;
    if (second instanceof LeaseLost) return undefined;
    throw second;
  }
}

const fail = (deps: ProcessingDeps, held: StoredContent, message: string): Promise<StoredContent> =>
  writeLeased(deps, held, (seen, now) => planFailure(seen, message, now));

async function postpone(deps: ProcessingDeps, held: StoredContent, delaySeconds: number): Promise<undefined> {
  await releaseContent(deps, held, epochSeconds(deps.clock) + delaySeconds);
  await wake(deps, held, delaySeconds);
  return undefined;
}

function givenUp(error: unknown): string {
  const while_ = error instanceof StepFailed ? ` while ${error.step}` : "";
  const cause = error instanceof StepFailed ? error.cause : error;
  const reason = cause instanceof ServiceError ? `: ${cause.message}` : ".";
  return `It could not be processed in ${MAX_ATTEMPTS} attempts; the last one ended${while_}${reason}`;
}

/** A source that says when to ask again is not asked before. */
function delayAfter(error: unknown, attempt: number): number {
  const cause = error instanceof StepFailed ? error.cause : undefined;
  const asked = cause instanceof PassingAnswer ? (cause.retryAfterSeconds ?? 0) : 0;
  return Math.min(MAX_DELAY_SECONDS, Math.max(asked, 2 ** Math.max(1, attempt)));
}

const told = (error: unknown): string => {
  const cause = error instanceof StepFailed ? error.cause : undefined;
  return cause === undefined ? String(error) : `${error}: ${cause}`;
};
