import { describe, expect, test } from "vitest";
import {
  BEGIN,
  END,
  type GraphedMember,
  type GraphedStep,
  graphOfSteps,
  graphOfTeam,
} from "../../console/graph/graph-of.ts";
import { type StateStep, statesIn } from "../../console/graph/graph-state.ts";

const step = (name: string, more: Partial<GraphedStep> = {}): GraphedStep => ({
  ...{ name, type: "Step", steps: [], otherwise: [] },
  ...more,
});
const edgesOf = ({ edges }: ReturnType<typeof graphOfSteps>): readonly string[] =>
  edges.map(({ from, to, label, isBack }) =>
    [from, label ? `-${label}->` : "->", to, ...(isBack ? ["(back)"] : [])].join(" "),
  );

const flow = graphOfSteps([
  step("research", { runs: { kind: "agent", id: "assistant" } }),
  step("drafts", { type: "Parallel", steps: [step("plain"), step("outline")] }),
  step("too long?", { type: "Condition", steps: [step("shorten")], otherwise: [step("keep")] }),
  step("polish", { type: "Loop", steps: [step("read"), step("correct")] }),
]);

const team: GraphedMember = {
  id: "support",
  name: "Support",
  members: [
    { id: "assistant", name: "Assistant" },
    { id: "money", name: "Money", members: [{ id: "refund-desk", name: "Refund desk" }, { id: "books" }] },
  ],
};

describe("the graph of a workflow", () => {
  test("goes through its steps in their order, side by side, by branches and in rounds", () => {
    expect(edgesOf(flow)).toEqual([
      `${BEGIN} -> research`,
      "research -> drafts",
      "drafts -> drafts/plain",
      "drafts -> drafts/outline",
      "drafts/plain -> too long?",
      "drafts/outline -> too long?",
      "too long? -yes-> too long?/shorten",
      "too long? -no-> too long?/keep",
      "too long?/shorten -> polish",
      "too long?/keep -> polish",
      "polish -> polish/read",
      "polish/read -> polish/correct",
      "polish/correct -again-> polish (back)",
      `polish/correct -> ${END}`,
    ]);
    expect(flow.nodes.map(({ type }) => type)).toEqual([
      ...["begin", "agent", "parallel", "function", "function", "choice", "function", "function"],
      ...["loop", "function", "function", "end"],
    ]);
  });

  test("leads past a condition without another branch, and through steps that are only grouped", () => {
    const inner = step("part", { type: "Steps", steps: [step("a"), step("b")] });
    expect(edgesOf(graphOfSteps([step("sure?", { type: "Condition", steps: [inner] }), step("c")]))).toEqual([
      `${BEGIN} -> sure?`,
      "sure? -yes-> sure?/part/a",
      "sure?/part/a -> sure?/part/b",
      "sure?/part/b -> c",
      "sure? -no-> c",
      `c -> ${END}`,
    ]);
  });

  test("without steps leads from the input to the output", () => {
    expect(edgesOf(graphOfSteps([]))).toEqual([`${BEGIN} -> ${END}`]);
  });
});

test("the graph of a team has the members of a team within it below that team", () => {
  const { nodes, edges } = graphOfTeam(team);
  expect(nodes.map(({ id, type, within }) => ({ id, type, within }))).toEqual([
    { id: "Support", type: "team", within: [] },
    { id: "Support/Assistant", type: "agent", within: ["Support"] },
    { id: "Support/Money", type: "team", within: ["Support"] },
    { id: "Support/Money/Refund desk", type: "agent", within: ["Support/Money"] },
    { id: "Support/Money/books", type: "agent", within: ["Support/Money"] },
  ]);
  expect(edges).toEqual([
    { from: "Support", to: "Support/Assistant" },
    { from: "Support", to: "Support/Money" },
    { from: "Support/Money", to: "Support/Money/Refund desk" },
    { from: "Support/Money", to: "Support/Money/books" },
  ]);
});

type Done = readonly [path: string, change?: Partial<StateStep>];

/** Steps of a run as its record has them, by their paths. */
const stepsOf = (done: readonly Done[]): readonly StateStep[] =>
  done.map(([path, change], at) => ({
    ...{ id: `${at}`, name: path.split("/").at(-1) ?? "", kind: "step", depth: 1, failed: false, path },
    ...change,
  }));

const running = { isRunning: true };
const failed = { failed: true };

describe("a workflow's graph shows of a run", () => {
  const stateOf = (status: string, done: readonly Done[], waiting: readonly string[] = []) => {
    const states = statesIn(flow, stepsOf(done), { status, waiting });
    return Object.fromEntries([...states].map(([id, { state }]) => [id.split("/").at(-1), state]));
  };

  test("what is under way, also beside what is done, and what is still to come", () => {
    expect(stateOf("RUNNING", [["research"], ["drafts/plain"], ["drafts/outline", running]])).toEqual({
      ...{ [BEGIN]: "done", research: "done", drafts: "running", plain: "done", outline: "running" },
      ...{ "too long?": "to come", shorten: "to come", keep: "to come" },
      ...{ polish: "to come", read: "to come", correct: "to come", [END]: "to come" },
    });
    const beside = stateOf("RUNNING", [["research"], ["drafts/outline", running]]);
    expect(beside).toMatchObject({ plain: "to come", outline: "running" });
  });

  test("the step that failed, and that nothing came after it", () => {
    expect(stateOf("ERROR", [["research"], ["drafts/plain", failed], ["drafts/outline"]])).toMatchObject({
      ...{ research: "done", plain: "failed", outline: "done" },
      ...{ "too long?": "skipped", keep: "skipped", polish: "skipped", [END]: "skipped" },
    });
  });

  test("a step that failed and was tried again as it ended", () => {
    const states = statesIn(flow, stepsOf([["research", failed], ["research"]]), {
      status: "RUNNING",
      waiting: [],
    });
    expect(states.get("research")).toEqual({ state: "done", step: "1", times: 2 });
  });

  test("the branch that was not taken, while the run goes on", () => {
    expect(
      stateOf("RUNNING", [["research"], ["drafts/plain"], ["too long?/keep"], ["polish/1/read", running]]),
    ).toMatchObject({
      ...{ "too long?": "done", shorten: "skipped", keep: "done" },
      ...{ polish: "running", read: "running", correct: "to come" },
    });
  });

  test("the rounds of a loop as one step that was done so often, of which the last is shown", () => {
    const rounds = stepsOf([
      ["polish/1/read"],
      ["polish/1/correct", failed],
      ["polish/2/read"],
      ["polish/2/correct"],
    ]);
    const states = statesIn(flow, rounds, { status: "COMPLETED", waiting: [] });
    expect(states.get("polish/correct")).toEqual({ state: "done", step: "3", times: 2 });
    expect(states.get("polish")).toEqual({ state: "done" });
    expect(states.get(END)).toEqual({ state: "done" });
  });

  test("what waits for people", () => {
    expect(stateOf("PAUSED", [["research"], ["drafts/plain"]], ["drafts/outline"])).toMatchObject({
      ...{ plain: "done", outline: "waiting", "too long?": "to come" },
    });
  });

  test("the same by the names of a trace, which have lost what stood between their words", () => {
    const traced: readonly StateStep[] = [
      { id: "w", name: "flow", kind: "workflow", depth: 0, failed: false },
      { id: "r", name: "research", kind: "step", depth: 1, failed: false },
      { id: "d", name: "drafts", kind: "step", depth: 1, failed: false },
      { id: "o", name: "outline", kind: "step", depth: 2, failed: true },
      { id: "t", name: "too long?", kind: "step", depth: 1, failed: false },
      { id: "k", name: "keep", kind: "step", depth: 2, failed: false },
    ];
    const states = statesIn(flow, traced, { status: "ERROR", waiting: [] });
    expect(states.get("research")).toEqual({ state: "done", step: "r" });
    expect(states.get("drafts/outline")).toEqual({ state: "failed", step: "o" });
    expect(states.get("too long?/keep")).toEqual({ state: "done", step: "k" });
    expect(states.get("too long?/shorten")).toEqual({ state: "skipped" });
  });
});

describe("a team's graph shows of a run", () => {
  const graph = graphOfTeam(team);
  const member = (id: string, name: string, kind: string, depth: number, more: Partial<StateStep> = {}) => ({
    ...{ id, name, kind, depth, failed: false },
    ...more,
  });
  const stateOf = (status: string, steps: readonly StateStep[]) =>
    Object.fromEntries(
      [...statesIn(graph, steps, { status, waiting: [] })].map(([id, { state }]) => [
        id.split("/").at(-1),
        state,
      ]),
    );
  const leader = (more: Partial<StateStep> = {}) => member("s", "Support", "team", 0, more);
  const calledMoney = (more: Partial<StateStep> = {}) => [
    member("m", "scripted-1", "model", 1),
    member("c", "delegate → Money", "tool", 1),
    member("t", "Money", "team", 2, more),
    member("b", "delegate → Refund desk", "tool", 3),
  ];

  test("which members were asked, in a team within it too, and which were not", () => {
    expect(
      stateOf("COMPLETED", [leader(), ...calledMoney(), member("r", "Refund desk", "agent", 4)]),
    ).toEqual({
      ...{ Support: "done", Assistant: "skipped", Money: "done", "Refund desk": "done", books: "skipped" },
    });
  });

  test("who is at work, and who may still be asked, also while the leader thinks", () => {
    const refund = (more: Partial<StateStep>) => member("r", "Refund desk", "agent", 4, more);
    expect(stateOf("RUNNING", [leader(running), ...calledMoney(running), refund(running)])).toEqual({
      ...{ Support: "running", Assistant: "to come", Money: "running", "Refund desk": "running" },
      books: "to come",
    });
    expect(stateOf("RUNNING", [leader(running), ...calledMoney(), refund({})])).toEqual({
      ...{ Support: "running", Assistant: "to come", Money: "done", "Refund desk": "done", books: "to come" },
    });
  });

  test("whose part failed", () => {
    const steps = [leader(), ...calledMoney(), member("r", "Refund desk", "agent", 4, failed)];
    expect(stateOf("COMPLETED", steps)).toMatchObject({ Support: "done", "Refund desk": "failed" });
  });
});
