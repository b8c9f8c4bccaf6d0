import { describe, expect, test } from "vitest";
import type { Team } from "../../../../shared/engine/define/team.ts";
import { executeSlice } from "../../../../shared/engine/loop/execute-slice.ts";
import type { LedgerEntry, ToolAnswer, ToolLedger } from "../../../../shared/engine/ports/engine-ports.ts";
import { RunStopped } from "../../../../shared/engine/run/next-step.ts";
import type { RunOutcome } from "../../../../shared/engine/run/run-outcome.ts";
import type { RunState } from "../../../../shared/engine/run/run-state.ts";
import type { RunEvent } from "../../../../shared/schemas/runs/run-event.ts";
import { aRequest, aTool, scripted, tickingClock } from "../../../engine/support/run-agent.ts";
import {
  aMember,
  aTeam,
  directive,
  handOn,
  newIds,
  playOut,
  timeless,
} from "../../../engine/team/support.ts";

/** What outlives a process: the ledger, the last kept state with the events emitted until then, and what tools did. */
function openWorld() {
  const ledger = new Map<string, { starts: number; answer?: ToolAnswer }>();
  const done: string[] = [];
  let kept: { readonly state: RunState; readonly eventCount: number } | undefined;
  let events: RunEvent[] = [];
  let moment = async () => {};
  const newId = newIds();

  const start = async (call: string, isAllowed: (known: number) => boolean): Promise<LedgerEntry> => {
    await moment();
    const known = ledger.get(call);
    if (known?.answer) return { state: "ended", answer: known.answer };
    if (!isAllowed(known?.starts ?? 0)) return { state: "open", starts: known?.starts ?? 0 };
    ledger.set(call, { starts: (known?.starts ?? 0) + 1 });
    await moment();
    return { state: "started" };
  };
  const port: ToolLedger = {
    start: (call) => start(call, (starts) => starts === 0),
    startAgain: (call, starts) => start(call, (known) => known === starts),
    async end(call, answer) {
      await moment();
      ledger.set(call, { starts: 1, answer });
      await moment();
    },
  };
  const tool = aTool({
    effect: "once",
    execute: async ({ a, b }) => {
      await moment();
      done.push(`${a}+${b}`);
      await moment();
      return Number(a) + Number(b);
    },
  }).tool;

  /** Executes the run in one process, which dies at its n-th moment. */
  async function live(team: Team, input: string, diesAt: number): Promise<RunOutcome | "died"> {
    const dying = new AbortController();
    let moments = 0;
    moment = async () => {
      moments += 1;
      if (moments === diesAt) dying.abort(new RunStopped("lost", "the process died"));
      // A dead process does nothing more.
      if (dying.signal.aborted) await new Promise(() => {});
    };
    events = events.slice(0, kept?.eventCount ?? 0);
    const models = scripted();
    const ports = {
      models: {
        ...models,
        resolve: async (spec?: string) => {
          await moment();
          return models.resolve(spec);
        },
      },
      clock: tickingClock(),
      newId,
      emit: (event: RunEvent) => void (dying.signal.aborted || events.push(structuredClone(event))),
      signal: dying.signal,
      ledger: port,
      saveCheckpoint: async (state: RunState) => {
        await moment();
        kept = { state: JSON.parse(JSON.stringify(state)), eventCount: events.length };
        await moment();
      },
    };
    const died = new Promise<"died">((resolve) =>
      dying.signal.addEventListener("abort", () => resolve("died"), { once: true }),
    );
    const lived = executeSlice(team, aRequest(input), ports, kept?.state).catch((error) => {
      if (!dying.signal.aborted) throw error;
      return "died" as const;
    });
    const outcome = await Promise.race([lived, died]);
    if (outcome === "died") return outcome;
    if (outcome.status === "YIELDED") throw new Error("it yielded without a request");
    return outcome;
  }
  return { live, tool, done, events: () => events };
}

const sum = (a: number): string => directive("add", { a, b: 1 });
const dead = Number.POSITIVE_INFINITY;

const scripts = {
  "one member after the other": [
    {},
    `${handOn("ann", `${sum(1)}${sum(2)}`)}${handOn("ben", sum(3))}`,
    ["1+1", "2+1", "3+1"],
  ],
  "members side by side": [{ mode: "broadcast" }, `${sum(1)}${sum(2)}`, ["1+1", "1+1", "2+1", "2+1"]],
  tasks: [
    { mode: "tasks" },
    [
      directive("create_task", { title: "one", assignee: "ann", description: sum(1) }),
      directive("create_task", { title: "two", assignee: "ben", description: sum(2) }),
      directive("create_task", {
        title: "three",
        assignee: "ann",
        description: sum(3),
        dependencies: ["task-1"],
      }),
      directive("run_tasks"),
      directive("run_tasks"),
      directive("complete_goal", { summary: "Done." }),
    ].join(""),
    ["1+1", "2+1", "3+1"],
  ],
} as const satisfies Record<string, readonly [Partial<Team>, string, readonly string[]]>;

describe.each(Object.entries(scripts))("%s", (_, [parts, input, expected]) => {
  const build = (tool: ReturnType<typeof aTool>["tool"]) =>
    aTeam({ ...parts, members: ["ann", "ben"].map((id) => aMember(id, { tools: [tool] })) });

  test("a process may die at any moment: what was done is not done again, and the run ends or asks", async () => {
    let diesAt = 1;
    let completed = 0;
    for (; ; diesAt += 1) {
      const world = openWorld();
      const team = build(world.tool);
      const first = await world.live(team, input, diesAt);
      const last = first === "died" ? await world.live(team, input, dead) : first;
      if (last === "died") throw new Error("only the first process dies");
      const done = [...world.done].sort();
      if (last.status === "PAUSED") {
        // Whether the call that was under way happened is not known: a person is asked, and nothing is repeated.
        expect(last.output.requirements?.length).toBeGreaterThan(0);
        expect(last.output.requirements?.every(({ tool_execution }) => tool_execution.in_doubt === 1)).toBe(
          true,
        );
        for (const what of new Set(done)) {
          const times = (all: readonly string[]) => all.filter((one) => one === what).length;
          expect(times(done)).toBeLessThanOrEqual(times(expected));
        }
      } else {
        completed += 1;
        expect(last.status).toBe("COMPLETED");
        expect(done).toEqual([...expected].sort());
        const runs = last.output.member_responses?.map(({ run_id }) => run_id) ?? [];
        expect(new Set(runs).size).toBe(runs.length);
        expect(last.output.member_responses?.every(({ status }) => status === "COMPLETED")).toBe(true);
      }
      if (first !== "died") break;
    }
    expect(diesAt).toBeGreaterThan(30);
    expect(completed).toBeGreaterThan(diesAt / 2);
  });
});

test("what is emitted of members that work one after the other is the same whenever a process dies", async () => {
  const [, input] = scripts["one member after the other"];
  const members = (tool: ReturnType<typeof aTool>["tool"]) =>
    ["ann", "ben"].map((id) => aMember(id, { tools: [tool] }));
  const whole = await playOut(aTeam({ members: members(openWorld().tool) }), input);
  for (let diesAt = 1; ; diesAt += 1) {
    const world = openWorld();
    const team = aTeam({ members: members(world.tool) });
    const first = await world.live(team, input, diesAt);
    const last = first === "died" ? await world.live(team, input, dead) : first;
    if (last !== "died" && last.status === "COMPLETED") {
      expect(world.events().map(({ event }) => event)).toEqual(whole.events.map(({ event }) => event));
      expect(timeless(last)).toEqual(timeless(whole.outcome));
    }
    if (first !== "died") break;
  }
});
