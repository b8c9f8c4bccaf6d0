import {
  type ContentTask,
  isCounted,
  pendingTaskOf,
  planFailure,
} from "../../domain/knowledge/content-plans.ts";
import { ServiceError } from "../../errors.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { type ContentAddress, contentWork } from "../../stores/knowledge/content-item.ts";
import { LeaseLost, runWork } from "../../work/index.ts";
import { wake } from "../add-content.ts";
import { ContentFault } from "../content-fault.ts";
import { RetryableResponse } from "../fetch/answers.ts";
import { cleanContent, purgeRemoved } from "./clean-content.ts";
import { type LeasedDeps, openContent, releaseContent, Superseded, writeLeased } from "./content-lease.ts";
import { gatherFolder } from "./gather-folder.ts";
import { gatherSite } from "./gather-site.ts";
import { ingestContent } from "./ingest-content.ts";
import { OutOfTime } from "./out-of-time.ts";
import type { ProcessingDeps } from "./processing-deps.ts";
import { StepFailed } from "./step-failed.ts";
import { tagContent } from "./tag-content.ts";
import { visitSite } from "./visit-site.ts";
import { withinShare } from "./within-share.ts";

const { most: MAX_ATTEMPTS } = contentWork.retry;
/** A source's `Retry-After` counts up to here. */
const MAX_DELAY_SECONDS = 300;

type Step = (deps: LeasedDeps, leased: StoredContent, until: number) => Promise<StoredContent | undefined>;

const stepOf: Readonly<Record<Exclude<ContentTask, "nothing">, Step>> = {
  clean: cleanContent,
  forget: purgeRemoved,
  ingest: ingestContent,
  visit: visitSite,
  gather: (deps, leased) => (leased.input.kind === "site" ? gatherSite : gatherFolder)(deps, leased),
  tag: tagContent,
};

/**
 * Does all pending work on a content. May be called at any time and more than once: one worker has the lease at a time,
 * and each step resumes from the record.
 *
 * @param until  epoch milliseconds at which it stops; another worker resumes
 */
export async function processContent(
  deps: ProcessingDeps,
  address: ContentAddress,
  until: number,
): Promise<void> {
  const content = await openContent(deps, address);
  if (content) await withinShare(deps, content, () => processOpen(deps, address, until));
}

async function processOpen(deps: ProcessingDeps, address: ContentAddress, until: number): Promise<void> {
  for (let isOver = false; !isOver; ) {
    const seen = await openContent(deps, address);
    if (!seen) return;
    isOver = await runWork(
      contentWork,
      deps,
      address,
      {
        // A lost race: read again.
        idle: () => false,
        // Whoever began the attempts before this one ended without a word: its process died.
        exhausted: (lease) => runSteps({ ...deps, lease }, lease.record, until, DIED),
        work: (lease) => runSteps({ ...deps, lease }, lease.record, until),
      },
      {
        claim: {
          guard: { version: seen.version },
          change: { add: { version: 1 } },
          uncounted: !isCounted(pendingTaskOf(seen)),
        },
      },
    );
  }
}

/**
 * @param fault  why the content fails before anything is done
 * @returns      false when new work may have been recorded just before the release
 */
async function runSteps(
  deps: LeasedDeps,
  claimed: StoredContent,
  until: number,
  fault?: string,
): Promise<boolean> {
  let first: Step | undefined = fault === undefined ? undefined : (_, leased) => fail(deps, leased, fault);
  for (let leased: StoredContent | undefined = claimed; leased; first = undefined) {
    const seen: StoredContent = leased;
    const duty = pendingTaskOf(seen);
    try {
      const step = first ?? (duty === "nothing" ? undefined : stepOf[duty]);
      if (!step) return pendingTaskOf(await releaseContent(deps, seen, undefined)) === "nothing";
      leased = await step(deps, seen, until);
    } catch (error) {
      leased = await handleError(deps, seen, duty, error);
    }
  }
  return true;
}

/** @returns the content if the work continues here */
async function handleError(
  deps: LeasedDeps,
  leased: StoredContent,
  duty: ContentTask,
  error: unknown,
): Promise<StoredContent | undefined> {
  if (error instanceof Superseded) return error.content;
  if (error instanceof LeaseLost) return undefined;
  try {
    if (error instanceof ContentFault) return await fail(deps, leased, error.message);
    // It got further, so this was no failed attempt.
    if (error instanceof OutOfTime) return await postpone(deps, leased, 0, { counts: false });
    const { content_id, attempt } = { content_id: leased.id, attempt: leased.attempt };
    deps.log.warn("a step of processing a content failed", {
      content_id,
      attempt,
      duty,
      error: errorText(error),
    });
    if (isCounted(duty) && attempt >= MAX_ATTEMPTS) return await fail(deps, leased, outOfAttempts(error));
    return await postpone(deps, leased, delayAfter(error, attempt));
  } catch (second) {
    if (second instanceof Superseded) return second.content;
    if (second instanceof LeaseLost) return undefined;
    throw second;
  }
}

const fail = (deps: LeasedDeps, leased: StoredContent, message: string): Promise<StoredContent> =>
  writeLeased(deps, leased, (seen, now) => planFailure(seen, message, now));

async function postpone(
  deps: LeasedDeps,
  leased: StoredContent,
  delaySeconds: number,
  claim = { counts: true },
): Promise<undefined> {
  await releaseContent(deps, leased, epochSeconds(deps.clock) + delaySeconds, claim);
  await wake(deps, leased, delaySeconds);
  return undefined;
}

const DIED = `It could not be processed: its worker ended ${MAX_ATTEMPTS} times without a result.`;

function outOfAttempts(error: unknown): string {
  const while_ = error instanceof StepFailed ? ` while ${error.step}` : "";
  const cause = error instanceof StepFailed ? error.cause : error;
  const reason = cause instanceof ServiceError ? `: ${cause.message}` : ".";
  return `It could not be processed in ${MAX_ATTEMPTS} attempts; the last one ended${while_}${reason}`;
}

/** Not before the time at which a source's `Retry-After` allows it. */
function delayAfter(error: unknown, attempt: number): number {
  const cause = error instanceof StepFailed ? error.cause : undefined;
  const retryAfter = cause instanceof RetryableResponse ? (cause.retryAfterSeconds ?? 0) : 0;
  return Math.max(Math.min(MAX_DELAY_SECONDS, retryAfter), contentWork.retryDelay(Math.max(1, attempt)));
}

const errorText = (error: unknown): string => {
  const cause = error instanceof StepFailed ? error.cause : undefined;
  return cause === undefined ? String(error) : `${error}: ${cause}`;
};
