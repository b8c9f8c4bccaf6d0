import type { Fields, Form, Run, Stage } from "./stage.ts";

const resting = ["PAUSED", "COMPLETED", "ERROR", "CANCELLED"];

/** The runs of one component, as a scenario asks for them. @param component  such as `agents/assistant` */
export function runsOf(stage: Stage, component: string) {
  const runs = `/${component}/runs`;
  const pathOf = ({ run_id, session_id }: Run, below = ""): string =>
    `${runs}/${run_id}${below}?session_id=${session_id}`;
  const goOn = (run: Run, form: Form): Promise<Run> =>
    stage.send("POST", `${runs}/${run.run_id}/continue`, { form: { session_id: run.session_id, ...form } });
  const rest = (run: Run): Promise<Run> =>
    stage.until<Run>(pathOf(run), ({ status }) => resting.includes(status));
  return {
    pathOf,
    rest,
    /** Waits for the answer. */
    wait: (message: string, form: Form = {}): Promise<Run> =>
      stage.send("POST", runs, { form: { message, stream: "false", ...form } }),
    /** Follows the events. */
    stream: async (message: string, form: Form = {}): Promise<Run> =>
      runIn(await stage.send<Frame[]>("POST", runs, { form: { message, ...form } })),
    /** Has it executed by a worker. */
    queue: async (message: string, form: Form = {}): Promise<Run> =>
      rest(
        await stage.send("POST", runs, { form: { message, stream: "false", background: "true", ...form } }),
      ),
    begin: (message: string, form: Form = {}): Promise<Run> =>
      stage.send("POST", runs, { form: { message, stream: "false", background: "true", ...form } }),
    goOn: (run: Run, form: Form = {}): Promise<Run> => goOn(run, { stream: "false", ...form }),
    goOnStreamed: (run: Run, form: Form = {}): Promise<Run> => goOn(run, form),
    goOnQueued: async (run: Run, form: Form = {}): Promise<Run> =>
      rest(await goOn(run, { stream: "false", background: "true", ...form })),
    /** Records everything that can be read of a run. */
    look: async (run: Run): Promise<void> => {
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

export const toolCall = (name: string, given: object): string => `[[tool:${name} ${JSON.stringify(given)}]]`;

/** What a paused run waits for, answered. */
export const answered = (asked: readonly Fields[] = [], answer: Fields): string =>
  JSON.stringify(asked.map((one) => ({ ...one, ...answer })));

type Frame = { readonly data?: Partial<Run> };

/** The run that a stream is of: it is named by the first event, and described by the last. */
function runIn(frames: readonly Frame[]): Run {
  const [first] = frames;
  return { status: "", ...frames.at(-1)?.data, ...ids(first?.data) };
}

const ids = ({ run_id = "", session_id = "" }: Partial<Run> = {}) => ({ run_id, session_id });
