import { callerOf } from "../auth/caller.ts";
import type { Principal } from "../auth/principal.ts";
import { FEEDBACK_OF_ALL, hasFeedbackScope } from "../auth/scopes/sees-all-feedback.ts";
import { LINKS_ARE_OFF, unknownKey } from "../domain/feedback/unknown-key.ts";
import { ServiceError } from "../errors.ts";
import { sseFrame } from "../events/sse.ts";
import type { FeedbackLink } from "../outbound/index.ts";
import { type Clock, epochSeconds } from "../runtime/clock.ts";
import type { FeedbackKeys } from "../schemas/feedback/feedback-keys.ts";
import type { RecordedEvent } from "../schemas/runs/run-event.ts";
import { isEndOf } from "../stores/runs/event-base.ts";
import type { RunAddress } from "../stores/runs/run-keys.ts";

/** How long links are good for that come with a run. */
const LINK_SECONDS = 7 * 86_400;

/** Makes the links of a run, by key. @param address of the platform, without a slash at its end */
export type MakeLinks = (
  address: string,
  run: RunAddress,
  keys: readonly string[],
  given: Pick<FeedbackLink, "author" | "expires_at">,
) => Promise<Record<string, string>>;

/** Makes links for feedback; absent where the instance has none. */
export type FeedbackLinking = {
  readonly clock: Clock;
  readonly makeLinks: MakeLinks;
  readonly settings: {
    readonly FEEDBACK_KEYS?: FeedbackKeys | undefined;
    readonly PUBLIC_URL?: string | undefined;
  };
};

type Needs = { readonly feedbackLinking?: FeedbackLinking | undefined };
type Asking = { readonly principal: Principal; readonly origin?: string | undefined };

/** Links by key for one run; undefined where its requester asked for none, or may not give feedback on it. */
export type LinksOf = (run: RunAddress) => Promise<Record<string, string> | undefined>;

/**
 * Refuses a run that asks for links which there cannot be, before anything is done.
 *
 * @throws ServiceError BAD_REQUEST, UNPROCESSABLE
 */
export function refuseBadFeedbackKeys({ feedbackLinking }: Needs, keys: readonly string[] | undefined): void {
  if (!keys) return;
  if (!feedbackLinking) throw new ServiceError("BAD_REQUEST", LINKS_ARE_OFF);
  const unknown = unknownKey(keys, feedbackLinking.settings.FEEDBACK_KEYS);
  if (unknown !== undefined)
    throw new ServiceError("UNPROCESSABLE", `feedback_keys: ${unknown} is not one of this instance's`);
}

/**
 * What makes the links of a run that asked for some, in the name of the run's own user.
 *
 * @param kwargs  of the run, as it was requested
 */
export function linksFor(
  { feedbackLinking }: Needs,
  { principal, origin }: Asking,
  kwargs: Readonly<Record<string, unknown>>,
): LinksOf {
  const keys = keysIn(kwargs);
  return async (run) => {
    if (!feedbackLinking || keys.length === 0) return undefined;
    const isOwn = run.owner === callerOf(principal).user_id;
    if (!isOwn && !hasFeedbackScope(principal, FEEDBACK_OF_ALL)) return undefined;
    const { clock, makeLinks, settings } = feedbackLinking;
    const given = { author: run.owner, expires_at: epochSeconds(clock) + LINK_SECONDS };
    return makeLinks(settings.PUBLIC_URL ?? origin ?? "", run, keys, given);
  };
}

const keysIn = ({ feedback_keys }: Readonly<Record<string, unknown>>): readonly string[] =>
  Array.isArray(feedback_keys) ? feedback_keys.filter((key) => typeof key === "string") : [];

type FrameOf = (event: RecordedEvent) => string | Promise<string>;

/**
 * Frames of a stream with one more, before that of the run's end or pause: the links. It is no event of the record: whoever reads that
 * later gets links that are good from then on.
 */
export function framesWithLinks(frameOf: FrameOf, run: RunAddress, linksOf: LinksOf | undefined): FrameOf {
  if (!linksOf) return frameOf;
  // Some runs end with two events.
  let hasEnded = false;
  return async (event) => {
    const isFirst = !hasEnded && isEndOf(run.run_id, event);
    hasEnded = isEndOf(run.run_id, event);
    const frame = await frameOf(event);
    const feedback = isFirst ? await linksOf(run) : undefined;
    return feedback ? sseFrame(linksEvent(event, feedback)) + frame : frame;
  };
}

const ofEveryEvent = ["created_at", "run_id", "session_id", "nested_depth"] as const;
const ofComponents = [
  "agent_id",
  "agent_name",
  "team_id",
  "team_name",
  "workflow_id",
  "workflow_name",
] as const;

function linksEvent(end: RecordedEvent, feedback: Readonly<Record<string, string>>) {
  const fields: Readonly<Record<string, unknown>> = end;
  const names = [...ofEveryEvent, ...ofComponents].filter((name) => fields[name] !== undefined);
  const base = Object.fromEntries(names.map((name) => [name, fields[name]]));
  return { event: "CustomEvent", ...base, name: "feedback_links", feedback };
}
