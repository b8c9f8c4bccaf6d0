import { ServiceError } from "../../../shared/errors.ts";
import type { Component } from "../../../shared/runs/index.ts";
import type { AcceptedRun, RunStatus } from "../../../shared/schemas/runs/run.ts";
import { countingRuns, countingTurns, mayOverlap } from "./counting.ts";
import {
  type Asked,
  type RunRef,
  type SimulatedProduct,
  simulatedComponents,
  type WorldSettings,
} from "./product.ts";
import type { Random } from "./random.ts";
import type { Answer } from "./rest.ts";
import type { Process, Scheduler } from "./scheduler.ts";

const FIRST_ASKED_MS = 12_000;
const TOGETHER_MS = 40;
const ASKED_AGAIN_MS = 15_000;
const ACTED_ON_MS = 35_000;
const SUBMISSION_TRIES = 3;

type World = {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly product: SimulatedProduct;
  readonly answers: Answer[];
  /** Called with each run that a client has, where people talk to runs. */
  readonly talk?: ((asked: Asked, run: RunRef) => void) | undefined;
};

/**
 * Plans what clients and operators do in a world: submit, some with a key and more than once; cancel; requeue.
 *
 * @returns every 202, filled as they come
 */
export function planClients(
  random: Random,
  scheduler: Scheduler,
  product: SimulatedProduct,
  { MAX_RUNNING_PER_USER }: Pick<WorldSettings, "MAX_RUNNING_PER_USER">,
  talk?: World["talk"],
): readonly Answer[] {
  const world: World = { random, scheduler, product, answers: [], talk };
  // Some wait for a share only where there are more than may run.
  const runs = random.between(2, MAX_RUNNING_PER_USER === 0 ? 4 : 7);
  for (let n = 1; n <= runs; n += 1) planSubmissions(world, n, askedFor(random, n));
  return world.answers;
}

const PATIENCE_MS = [50, 6_000] as const;

/**
 * Plays clients that wait for their runs, for a shorter time than many runs take.
 *
 * @returns every 202, filled as they come
 */
export function planWaiting(
  random: Random,
  scheduler: Scheduler,
  product: SimulatedProduct,
  talk?: World["talk"],
): readonly Answer[] {
  const world: World = { random, scheduler, product, answers: [], talk };
  const runs = random.between(1, 3);
  for (let n = 1; n <= runs; n += 1) {
    const user = random.pick(["maria", "nils"]);
    const component = random.pick<Component>([simulatedComponents.agent, simulatedComponents.workflow]);
    const message = `${scriptOf(random)} parallel 9${n}`;
    const asked: Asked = {
      user,
      component,
      session: `waits-${n}`,
      policy: "parallel",
      message,
      key: undefined,
    };
    const patienceMs = random.between(...PATIENCE_MS);
    const cancelMs = random.chance(0.3) ? Math.max(0, patienceMs + random.between(-500, 500)) : undefined;
    const wait = (process: Process) =>
      product.wait(process, asked, patienceMs, {
        // Who looks at the session sees the run before its client is answered, and may cancel it about that moment.
        started: (run) => {
          talk?.(asked, run);
          if (cancelMs === undefined) return;
          scheduler.after(cancelMs, "client", () => insistOnCancelling(world, asked, run));
        },
        answered: (accepted) => {
          world.answers.push({ key: undefined, accepted });
          followUp(world, asked, accepted);
        },
      });
    scheduler.after(someTime(random, FIRST_ASKED_MS), "client", () =>
      request(world, `front-${n}`, "front", wait),
    );
  }
  return world.answers;
}

const CONFIRMED_MS = 50_000;
const CONFIRMATIONS = 4;

/**
 * Plays clients whose runs count in the state of their session, some of which people confirm and operators requeue.
 *
 * @returns every 202, filled as they come
 */
export function planCounting(
  random: Random,
  scheduler: Scheduler,
  product: SimulatedProduct,
): readonly Answer[] {
  const world: World = { random, scheduler, product, answers: [] };
  for (const [n, asked] of countingRuns(random).entries()) {
    const submit = async (process: Process) => {
      const accepted = await product.submit(process, asked);
      world.answers.push({ key: undefined, accepted });
      if (mayOverlap(asked)) followUp(world, asked, accepted);
      if (!asked.message.includes("[[tool:ask")) return;
      for (let i = 0; i < CONFIRMATIONS; i += 1) {
        const confirm = (by: Process) => product.confirm(by, asked, accepted);
        scheduler.after(random.between(2_000, CONFIRMED_MS), "client", () =>
          request(world, `client confirms ${accepted.run_id.slice(-4)}`, "client", confirm),
        );
      }
    };
    scheduler.after(someTime(random, FIRST_ASKED_MS), "client", () =>
      insist(SUBMISSION_TRIES, (again) => request(world, `client-${n} counts`, "client", submit, again)),
    );
  }
  takeTurns(world, countingTurns(random));
  return world.answers;
}

const LOOKS_EVERY_MS = 400;

/** A client that submits a run, another one while the first waits for a person, confirms, and so on. */
function takeTurns(world: World, [turn, ...later]: readonly (readonly [Asked, Asked])[]): void {
  if (!turn) return;
  const [waiting, meanwhile] = turn;
  submitTurn(world, waiting, (first) =>
    untilRested(world, waiting, first, (status) => {
      const next = () => takeTurns(world, later);
      submitTurn(world, meanwhile, (second) =>
        untilRested(world, meanwhile, second, () => {
          if (status === "PAUSED") confirmTurn(world, waiting, first, next);
          else next();
        }),
      );
    }),
  );
}

const insistOn = (world: World, name: string, work: (process: Process) => Promise<void>): void =>
  insist(Number.POSITIVE_INFINITY, (again) => request(world, name, "client", work, again));

const submitTurn = (world: World, asked: Asked, then: (run: RunRef) => void): void =>
  insistOn(world, `client takes ${asked.key}`, async (process) => {
    const accepted = await world.product.submit(process, asked);
    world.answers.push({ key: asked.key, accepted });
    then(accepted);
  });

function confirmTurn(world: World, asked: Asked, run: RunRef, then: () => void): void {
  insistOn(world, `client confirms ${asked.key}`, async (process) => {
    await world.product.confirm(process, asked, run);
    untilRested(world, asked, run, then);
  });
}

/** Looks until a run has ended, or waits for a person. */
function untilRested(world: World, asked: Asked, run: RunRef, then: (status: RunStatus) => void): void {
  const lookLater = () =>
    world.scheduler.after(LOOKS_EVERY_MS, "client", () => untilRested(world, asked, run, then));
  const look = async (process: Process) => {
    const status = await world.product.statusOf(process, asked, run);
    if (status === "PENDING" || status === "RUNNING") lookLater();
    else then(status);
  };
  insistOn(world, `client looks at ${asked.key}`, look);
}

const policies = ["parallel", "queue", "queue", "reject", "interrupt"] as const;

/** The message says the policy and ends with a number, so that an observer knows it and no two are the same. */
function askedFor(random: Random, n: number): Asked {
  const user = random.pick(["maria", "nils"]);
  const isShared = random.chance(0.4);
  const policy = isShared ? random.pick(policies) : "parallel";
  const key = random.chance(0.5) ? `key-${n}` : undefined;
  // A session belongs to what runs in it first.
  const component = !isShared && n % 2 === 0 ? simulatedComponents.workflow : simulatedComponents.agent;
  return {
    user,
    policy,
    component,
    session: isShared ? `shared-${user}` : `session-${n}`,
    key,
    message: `${scriptOf(random)} ${policy} ${n}`,
  };
}

function scriptOf(random: Random): string {
  const sleep = (most: number) => `[[sleep:${random.between(10, most)}]]`;
  const slowly = (most: number) => `[[tool:slowly {"ms":${random.between(10, most)}}]]`;
  return random.pick([
    "hello",
    "[[tokens:12]]",
    `${sleep(12_000)} slow`,
    `${slowly(6_000)} tool`,
    `${sleep(4_000)}${slowly(4_000)}${sleep(3_000)} both`,
    "[[fail:broken]]",
    `${sleep(2_000)}[[tool:ask {}]] pauses`,
  ]);
}

/** Some moment of a span, or one of its first moments: races need company. */
const someTime = (random: Random, mostMs: number, earlyMs = TOGETHER_MS): number =>
  random.chance(0.5) ? random.between(0, earlyMs) : random.between(0, mostMs);

function planSubmissions(world: World, n: number, asked: Asked): void {
  const { random, scheduler, product, answers } = world;
  const firstMs = someTime(random, FIRST_ASKED_MS);
  const submissions = asked.key === undefined ? 1 : random.between(1, 3);
  for (let i = 0; i < submissions; i += 1) {
    const submit = async (process: Process) => {
      const accepted = await product.submit(process, asked);
      answers.push({ key: asked.key, accepted });
      if (i === 0) followUp(world, asked, accepted);
      if (i === 0) world.talk?.(asked, accepted);
    };
    scheduler.after(firstMs + (i === 0 ? 0 : someTime(random, ASKED_AGAIN_MS)), "client", () =>
      insist(SUBMISSION_TRIES, (again) =>
        request(world, `client-${n}.${i} submits`, "client", submit, again),
      ),
    );
  }
}

function followUp(world: World, asked: Asked, accepted: AcceptedRun): void {
  const { random, scheduler, product } = world;
  const { run_id } = accepted;
  const cancels = random.chance(0.5) ? random.between(1, 2) : 0;
  const requeues = random.chance(0.7) ? random.between(1, 5) : 0;
  for (let i = 0; i < cancels; i += 1) {
    scheduler.after(someTime(random, ACTED_ON_MS, 600), "client", () =>
      insistOnCancelling(world, asked, accepted),
    );
  }
  for (let i = 0; i < requeues; i += 1) {
    const confirmed = { force: random.chance(0.7), clear_cancellation: random.chance(0.5) };
    const requeue = (process: Process) => product.requeue(process, run_id, confirmed);
    const operators = random.chance(0.4) ? 2 : 1;
    scheduler.after(random.between(1_000, ACTED_ON_MS), "operator", () => {
      for (let n = 1; n <= operators; n += 1)
        request(world, `operator-${n} requeues ${run_id.slice(-4)}`, "operator", requeue);
    });
  }
}

/** Half a cancellation is a wish that is not fulfilled: who got no answer asks again. */
function insistOnCancelling(world: World, asked: Asked, run: RunRef): void {
  const cancel = (process: Process) => world.product.cancel(process, asked, run);
  insist(Number.POSITIVE_INFINITY, (again) =>
    request(world, `client cancels ${run.run_id.slice(-4)}`, "client", cancel, again),
  );
}

/** One request to the platform. A refusal is an answer like any other. @param failed  called when there is none */
function request(
  { scheduler }: World,
  name: string,
  role: "client" | "operator" | "front",
  work: (process: Process) => Promise<unknown>,
  failed: () => void = () => undefined,
): void {
  const answered = (process: Process) =>
    work(process).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
    });
  scheduler.start(name, role, answered, (how) => {
    if (how !== "done") failed();
  });
}

/** Asks again as long as there is no answer. */
function insist(tries: number, ask: (failed: () => void) => void): void {
  ask(() => {
    if (tries > 1) insist(tries - 1, ask);
  });
}
