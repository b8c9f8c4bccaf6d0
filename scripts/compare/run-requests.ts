import type { Fields, Form, Run, Stage } from "./stage.ts";

const stopped = ["PAUSED", "COMPLETED", "ERROR", "CANCELLED"];

/** The requests for runs of one component. @param component  such as `agents/assistant` */
export function runsOf(stage: Stage, component: string) {
  const runs = `/${component}/runs`;
  const pathOf = ({ run_id, session_id }: Run, below = ""): string =>
    `${runs}/${run_id}${below}?session_id=${session_id}`;
  const sendContinue = (run: Run, form: Form): Promise<Run> =>
    stage.send("POST", `${runs}/${run.run_id}/continue`, { form: { session_id: run.session_id, ...form } });
  const untilStopped = (run: Run): Promise<Run> =>
    stage.until<Run>(pathOf(run), ({ status }) => stopped.includes(status));
  return {
    pathOf,
    untilStopped,
    /** Waits for the answer. */
    wait: (message: string, form: Form = {}): Promise<Run> =>
      stage.send("POST", runs, { form: { message, stream: "false", ...form } }),
    /** Receives the events as a stream. */
    stream: async (message: string, form: Form = {}): Promise<Run> =>
      runIn(await stage.send<Frame[]>("POST", runs, { form: { message, ...form } })),
    /** Queues the run for a worker and waits until it has stopped. */
    queue: async (message: string, form: Form = {}): Promise<Run> =>
      untilStopped(
        await stage.send("POST", runs, { form: { message, stream: "false", background: "true", ...form } }),
      ),
    enqueue: (message: string, form: Form = {}): Promise<Run> =>
      stage.send("POST", runs, { form: { message, stream: "false", background: "true", ...form } }),
    continueRun: (run: Run, form: Form = {}): Promise<Run> => sendContinue(run, { stream: "false", ...form }),
    continueStreamed: (run: Run, form: Form = {}): Promise<Run> => sendContinue(run, form),
    continueQueued: async (run: Run, form: Form = {}): Promise<Run> =>
      untilStopped(await sendContinue(run, { stream: "false", background: "true", ...form })),
    /** Records everything that the API returns about a run. */
    recordRun: async (run: Run): Promise<void> => {
      await stage.send("GET", pathOf(run));
      await stage.send("GET", `${runs}?session_id=${run.session_id}`);
      await stage.send("POST", `${runs}/${run.run_id}/resume`, { form: { session_id: run.session_id } });
      const type = component.split("s/")[0];
      await stage.send("GET", `/sessions/${run.session_id}?type=${type}`);
      await stage.send("GET", `/sessions/${run.session_id}/runs?type=${type}`);
      type Traces = { readonly data?: readonly Fields[] };
      const { data = [] } = await stage.send<Traces>("GET", `/traces?run_id=${run.run_id}`);
      if (data[0]) await stage.send("GET", `/traces/${data[0].trace_id}`);
    },
  };
}

export const toolCall = (name: string, args: object): string => `[[tool:${name} ${JSON.stringify(args)}]]`;

/** The requirements of a paused run, each with the answer. */
export const answered = (requirements: readonly Fields[] = [], answer: Fields): string =>
  JSON.stringify(requirements.map((one) => ({ ...one, ...answer })));

type Frame = { readonly data?: Partial<Run> };

/** The run of a stream: its ids are in the first event, the rest in the last. */
function runIn(frames: readonly Frame[]): Run {
  const [first] = frames;
  return { status: "", ...frames.at(-1)?.data, ...ids(first?.data) };
}

const ids = ({ run_id = "", session_id = "" }: Partial<Run> = {}) => ({ run_id, session_id });
