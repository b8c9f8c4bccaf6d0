import { PlatformError } from "../../../client/index.ts";
import { type RunPlace, runsOf } from "../../api/kinds.ts";
import { queryClient } from "../../api/query-client.ts";
import { type StreamEvent, streamsOf } from "../../api/run-streams.ts";
import { type Inbox, receiveEvents } from "../../conversation/receive-events.ts";
import { emptyTree, type RunTree } from "../../conversation/run-nodes.ts";
import { perFrame } from "../../parts/per-frame.ts";
import { type LiveStep, LiveSteps } from "./live-steps.ts";

/** A run under way, as far as its events have arrived. */
export type RunProgress = {
  readonly tree: RunTree;
  readonly steps: readonly LiveStep[];
  /** The connection broke; the run goes on, and is followed again. */
  readonly isLost: boolean;
  /** This reader may not read its events; the record is all there is. */
  readonly isRefused: boolean;
};

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

/** A run under way that is watched: its events, from the first one on, until it ends or pauses. */
export class FollowedRun {
  progress: RunProgress;
  readonly #place: RunPlace;
  readonly #inbox: Inbox;
  readonly #steps: LiveSteps;
  readonly #listeners = new Set<() => void>();
  readonly #left = new AbortController();
  readonly #frames = perFrame(() => this.#show());

  /** @param name  of its component */
  constructor(place: RunPlace, name: string) {
    this.#place = place;
    this.#inbox = { tree: emptyTree(place.run, name), lastIndex: undefined, isHeld: true };
    this.#steps = new LiveSteps(place.run);
    this.progress = { tree: emptyTree(place.run, name), steps: [], isLost: false, isRefused: false };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly snapshot = (): RunProgress => this.progress;

  /** Takes events until the run is over; where a connection breaks, from the last one that arrived. */
  async follow(): Promise<void> {
    const { kind, component, session, run } = this.#place;
    let waitMs = FIRST_WAIT_MS;
    while (!this.#left.signal.aborted) {
      try {
        const { lastIndex } = this.#inbox;
        const events = streamsOf(kind, component).resume(run, session, lastIndex, this.#left.signal);
        const isOver = await receiveEvents(this.#seen(events), this.#inbox, {
          begin: () => undefined,
          connected: () => this.#set({ isLost: false }),
          changed: this.#frames.ask,
        });
        this.#inbox.isHeld = false;
        this.#frames.flush();
        const { status } = await runsOf(kind, component).get(run, session);
        if (isOver || (status !== "RUNNING" && status !== "PENDING")) return this.#end();
        waitMs = FIRST_WAIT_MS;
      } catch (error) {
        if (this.#left.signal.aborted) return;
        if (error instanceof PlatformError && error.status < 500 && error.status !== 429)
          return this.#set({ isRefused: true });
        this.#set({ isLost: true });
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    }
  }

  /** Closes its stream. The run goes on. */
  leave(): void {
    this.#left.abort();
  }

  async *#seen(events: AsyncIterable<StreamEvent>): AsyncGenerator<StreamEvent, void> {
    for await (const event of events) {
      this.#steps.take(event, Date.now());
      yield event;
    }
  }

  #end(): void {
    void queryClient.invalidateQueries({ queryKey: ["run", this.#place.session, this.#place.run] });
  }

  /** Shows what has arrived since the last frame. */
  #show(): void {
    const { tree, isHeld } = this.#inbox;
    if (!isHeld && tree) this.#set({ tree, steps: this.#steps.list() });
  }

  #set(changes: Partial<RunProgress>): void {
    if (Object.entries(changes).every(([name, value]) => this.progress[name as keyof RunProgress] === value))
      return;
    this.progress = { ...this.progress, ...changes };
    for (const listener of this.#listeners) listener();
  }
}
