import { PlatformError } from "../../../client/index.ts";
import { type Kind, pluralOf, type RunRow, runsOf, sessionRunsOf } from "../../api/kinds.ts";
import { queryClient } from "../../api/query-client.ts";
import { messagesOf } from "../../api/run-messages.ts";
import { type ContinueBody, type CreateBody, type StreamEvent, streamsOf } from "../../api/run-streams.ts";
import { type Inbox, receiveEvents } from "../../conversation/receive-events.ts";
import { recordedTree } from "../../conversation/recorded-tree.ts";
import { emptyTree, withNode } from "../../conversation/run-nodes.ts";
import { perFrame } from "../../parts/per-frame.ts";
import { continueStreaming } from "../../pauses/continue-run.ts";
import { readSaid, type Said, withSaid } from "./said.ts";
import { isBusy, isOver, newTurn, recordedTurn, type Turn } from "./turn.ts";

export type Sending = Omit<CreateBody, "message" | "session_id" | "stream" | "files">;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

type Events = AsyncGenerator<StreamEvent, void>;
/**
 * One session of a component: its turns, and the streams of those that go on. It outlives its screen, so that a stream
 * goes on while the reader looks at something else.
 */
export class Chat {
  turns: readonly Turn[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #inboxes = new Map<string, Inbox>();
  readonly #frames = perFrame(() => this.#show());
  readonly #left = new AbortController();

  readonly kind: Kind;
  readonly component: string;
  readonly session: string;
  /** Of the component, as answers are signed. */
  readonly name: string;

  constructor({ kind, component, session, name }: Pick<Chat, "kind" | "component" | "session" | "name">) {
    this.kind = kind;
    this.component = component;
    this.session = session;
    this.name = name;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly snapshot = (): readonly Turn[] => this.turns;

  /** Takes over what the session's record holds, and follows what goes on in it. */
  load(rows: readonly RunRow[]): void {
    const known = new Map(this.turns.map((turn) => [turn.run_id, turn]));
    const recorded = rows
      .filter(({ status }) => status !== "REGENERATED")
      .map((row) => known.get(row.run_id) ?? recordedTurn(row, this.name));
    const added = this.turns.filter(({ run_id }) => !rows.some((row) => row.run_id === run_id));
    this.#set([...recorded, ...added]);
    for (const turn of recorded) {
      if (turn.state !== "live" || known.has(turn.run_id)) continue;
      void this.#follow(turn.key);
      void this.#readSaid(turn.key);
    }
  }

  /** Sends a message. @returns once its run has begun, or was refused */
  send(message: string, files: readonly File[], settings: Sending): void {
    const turn = newTurn(
      message,
      files.map(({ name, size }) => ({ name, size })),
    );
    this.#set([...this.turns, turn]);
    const body = { ...settings, message, session_id: this.session, ...(files.length > 0 && { files }) };
    void this.#follow(turn.key, () => this.#streams().create(body, this.#left.signal));
  }

  /** Says something to a run that goes on. Where it has ended meanwhile, another run answers it. */
  async say(key: string, text: string, files: readonly File[]): Promise<void> {
    const run_id = this.#turn(key)?.run_id;
    if (run_id === undefined) return;
    const message_id = crypto.randomUUID();
    const note = (state: Said["state"], error?: unknown) => {
      const one = { message_id, text, state, ...(error !== undefined && { error }) };
      this.#change(key, { said: withSaid(this.#turn(key)?.said ?? [], one) });
    };
    note("sending");
    try {
      const body = { message: text, message_id, ...(files.length > 0 && { files }) };
      const { delivery } = await this.#messages().send(run_id, body);
      note(delivery === "new_run" ? "moved" : "unread");
      if (delivery === "new_run") await this.#loadAgain();
    } catch (error) {
      note("failed", error);
    }
  }

  /** Takes back what a run has not read. @throws PlatformError where it has */
  async withdraw(key: string, message_id: string): Promise<void> {
    const run_id = this.#turn(key)?.run_id;
    if (run_id === undefined) return;
    try {
      await this.#messages().withdraw(run_id, message_id);
    } finally {
      await this.#readSaid(key);
    }
  }

  /** Stops a run at its next checkpoint; one whose id is not known yet, as soon as it is. */
  async stop(key: string): Promise<void> {
    const turn = this.#turn(key);
    if (!turn || !isBusy(turn)) return;
    this.#change(key, { isStopping: true });
    if (turn.run_id !== undefined) await runsOf(this.kind, this.component).cancel(turn.run_id, this.session);
  }

  /** Continues a paused run with its answers. @throws PlatformError for answers that it does not take */
  async answer(key: string, answers: ContinueBody): Promise<void> {
    const run = this.#turn(key)?.run_id;
    if (run === undefined) return;
    const place = { kind: this.kind, component: this.component, session: this.session, run };
    const events = await continueStreaming(place, answers, this.#left.signal);
    this.#change(key, { state: "live", isStopping: false });
    this.#restart(key);
    void this.#follow(key, events && (() => events));
  }

  /** Resumes a failed run, from where it failed. @throws PlatformError where that is refused */
  async tryAgain(key: string): Promise<void> {
    await this.answer(key, {});
  }

  /** Starts another run from a run of this session: a copy that goes on, or another answer to the same message. */
  again(key: string, how: "fork" | "regenerate"): void {
    const turn = this.#turn(key);
    if (turn?.run_id === undefined) return;
    const copy = { ...newTurn(turn.input, turn.files), media: turn.media };
    this.#set([...this.turns, copy]);
    const body = { session_id: this.session, [how]: true };
    const { run_id } = turn;
    void this.#follow(copy.key, () => this.#streams().continue(run_id, body, this.#left.signal)).then(() => {
      const made = this.#turn(copy.key);
      // The record hides an answer that was replaced; so does this.
      if (how === "regenerate" && made?.tree?.nodes[made.tree.root]?.status === "completed")
        this.#set(this.turns.filter((one) => one.key !== key));
    });
  }

  /** Follows a run that another user has continued. */
  follow(key: string): void {
    this.#change(key, { state: "live" });
    void this.#follow(key);
  }

  forget(key: string): void {
    this.#set(this.turns.filter((turn) => turn.key !== key));
  }

  /** Closes its streams. The runs go on. */
  leave(): void {
    this.#left.abort();
  }

  #messages() {
    return messagesOf(this.kind, this.component, this.session);
  }

  /** Reads what became of what was said to a run. A run that answers the rest is shown too. */
  async #readSaid(key: string): Promise<void> {
    const turn = this.#turn(key);
    if (turn?.run_id === undefined) return;
    const listed = await this.#messages()
      .list(turn.run_id)
      .catch(() => undefined);
    if (!listed) return; // what is known stays
    this.#change(key, { said: readSaid(this.#turn(key)?.said ?? [], listed.messages) });
    const known = new Set(this.turns.map(({ run_id }) => run_id));
    if (listed.messages.some(({ moved_to }) => moved_to !== undefined && !known.has(moved_to)))
      await this.#loadAgain();
  }

  async #loadAgain(): Promise<void> {
    this.load(await sessionRunsOf(this.kind, this.component, this.session));
  }

  #streams() {
    return streamsOf(this.kind, this.component);
  }

  #turn(key: string): Turn | undefined {
    return this.turns.find((turn) => turn.key === key);
  }

  /** The root is marked as going on, so that nothing takes it for over before its first event. */
  #restart(key: string): void {
    const tree = this.#turn(key)?.tree;
    if (!tree) return;
    const going = withNode(tree, tree.root, ({ error: _, ...node }) => ({ ...node, status: "running" }));
    this.#change(key, { tree: going });
  }

  /**
   * Takes the events of a run until it is over: from the stream that begins it, or from its record. Where a connection
   * breaks, the run is looked for, and followed again from the last event that arrived.
   */
  async #follow(key: string, begin?: () => Events): Promise<void> {
    let opened = begin;
    let waitMs = FIRST_WAIT_MS;
    while (!this.#left.signal.aborted) {
      try {
        const turn = this.#turn(key);
        if (!turn) return;
        if (!opened && turn.run_id === undefined && !(await this.#findSent(key))) return;
        const events = opened?.() ?? this.#resumed(key);
        const isReplay = !opened;
        opened = undefined;
        if (await this.#take(key, events, isReplay)) return this.#end(key);
        waitMs = FIRST_WAIT_MS;
      } catch (error) {
        opened = undefined;
        if (this.#left.signal.aborted) return;
        if (error instanceof PlatformError && error.status < 500 && error.status !== 429) {
          const begun = this.#turn(key)?.run_id !== undefined;
          this.#change(key, { state: begun ? "ended" : "refused", error });
          return;
        }
        this.#change(key, { state: "lost", error });
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    }
  }

  #resumed(key: string): Events {
    const { run_id = "", lastIndex } = this.#turn(key) ?? {};
    return this.#streams().resume(run_id, this.session, lastIndex, this.#left.signal);
  }

  /** Looks for the run of a message whose answer was lost with the connection. @returns whether there is one */
  async #findSent(key: string): Promise<boolean> {
    const known = new Set(this.turns.map(({ run_id }) => run_id));
    const turn = this.#turn(key);
    const rows = await sessionRunsOf(this.kind, this.component, this.session).catch((error) => {
      if (error instanceof PlatformError && error.status === 404) return [];
      throw error;
    });
    const sent = rows.find(({ run_id, run_input }) => !known.has(run_id) && run_input === turn?.input);
    if (sent) this.#begin(key, sent.run_id);
    else this.#change(key, { state: "refused", error: new Error("The message did not arrive.") });
    return sent !== undefined;
  }

  #begin(key: string, run_id: string): void {
    const turn = this.#turn(key);
    const tree = turn?.tree ?? emptyTree(run_id, this.name);
    this.#change(key, { run_id, tree, state: "live" });
    if (turn?.isStopping)
      runsOf(this.kind, this.component)
        .cancel(run_id, this.session)
        .catch(() => this.#change(key, { isStopping: false }));
    if (turn?.run_id === undefined)
      void queryClient.invalidateQueries({ queryKey: ["sessions", this.kind, this.component] });
  }

  /** Takes the events of one connection. @returns whether the run is over */
  async #take(key: string, events: Events, isReplay: boolean): Promise<boolean> {
    const { tree, lastIndex, run_id } = this.#turn(key) ?? {};
    // Without an index everything comes again, and is put together anew beside what is shown.
    const isAnew = isReplay && lastIndex === undefined && run_id !== undefined;
    const inbox: Inbox = {
      tree: isAnew && run_id !== undefined ? emptyTree(run_id, this.name) : tree,
      lastIndex,
      isHeld: isAnew,
    };
    this.#inboxes.set(key, inbox);
    const over = await receiveEvents(events, inbox, {
      begin: (id) => {
        this.#begin(key, id);
        return this.#turn(key)?.tree;
      },
      connected: () => {
        if (this.#turn(key)?.state === "lost") this.#change(key, { state: "live" });
      },
      changed: this.#frames.ask,
    });
    inbox.isHeld = false;
    this.#frames.flush();
    this.#inboxes.delete(key);
    // A run that was cancelled before it began has no events that say so.
    if (over && !isOver(inbox)) await this.#reload(key);
    return over || isOver(inbox);
  }

  async #reload(key: string): Promise<void> {
    const rows = await sessionRunsOf(this.kind, this.component, this.session);
    const row = rows.find(({ run_id }) => run_id === this.#turn(key)?.run_id);
    if (row) this.#change(key, { tree: recordedTree(row, this.name) });
  }

  #end(key: string): void {
    // What was read of it before it went on is of an earlier pause.
    queryClient.removeQueries({ queryKey: ["run", this.session, this.#turn(key)?.run_id] });
    this.#change(key, { state: "ended", isStopping: false });
    if (this.#turn(key)?.said.some(({ state }) => state === "unread")) void this.#readSaid(key);
    void queryClient.invalidateQueries({ queryKey: ["sessions", this.kind, this.component] });
  }

  /** Shows what has arrived since the last frame. */
  #show(): void {
    const shown = this.turns.map((turn) => {
      const inbox = this.#inboxes.get(turn.key);
      if (!inbox || inbox.isHeld || inbox.tree === turn.tree || !inbox.tree) return turn;
      return { ...turn, tree: inbox.tree, lastIndex: inbox.lastIndex };
    });
    this.#set(shown);
  }

  #change(key: string, changes: Partial<Turn>): void {
    this.#set(this.turns.map((turn) => (turn.key === key ? { ...turn, ...changes } : turn)));
  }

  #set(turns: readonly Turn[]): void {
    this.turns = turns;
    for (const listener of this.#listeners) listener();
  }
}

/** Address of a component's playground, or of one of its sessions. */
export const chatPath = (kind: Kind, component: string, session?: string): string =>
  `/playground/${[kind, component, ...(session === undefined ? [] : [session])].map(encodeURIComponent).join("/")}`;

export const runScope = (kind: Kind): string => `${pluralOf[kind]}:run`;
