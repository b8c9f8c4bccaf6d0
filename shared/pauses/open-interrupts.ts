import { type OpenCall, openRequirements } from "../domain/runs/open-requirements.ts";
import type { StepAnswer } from "../schemas/runs/pause-answers.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import { answeredCall, callAnswerSchema, refusedCall } from "./ask-call.ts";
import {
  answeredFailure,
  answeredStep,
  failureAnswerSchema,
  refusedStep,
  stepAnswerSchema,
} from "./ask-step.ts";
import { wireCallId } from "./call-id.ts";

/** Answers in the form of a continuation. */
export type Answers = {
  readonly requirements?: readonly object[];
  readonly step_requirements?: readonly StepAnswer[];
};

/** A question, in the members that AG-UI has for one. */
export type Interrupt = {
  readonly id: string;
  readonly reason: string;
  readonly message: string;
  readonly responseSchema: Record<string, unknown>;
  readonly expiresAt?: string;
  readonly toolCallId?: string;
  readonly metadata?: Record<string, unknown>;
};

/** Something that a paused run waits for. */
export type OpenInterrupt = {
  readonly interrupt: Interrupt;
  /** The call that waits, as the stream has shown it. */
  readonly call?: { readonly id: string; readonly name: string; readonly args: unknown };
  /** The output of a step that a person is asked to review. */
  readonly review?: unknown;
  /** Set on a call that was started before, and of which it is unknown whether it took effect. */
  readonly isInDoubt?: true;
  /** Whether it is a tool that the client brought along, whose result comes as a message. */
  readonly isClientTool: boolean;
  /** Undefined where the payload is no answer to it. */
  readonly answer: (payload: unknown) => Answers | undefined;
  /** Undefined where it cannot be refused by itself. */
  readonly refuse: () => Answers | undefined;
};

type Paused = Pick<StoredRun, "run_id" | "output" | "kwargs">;

/** What a paused run waits for, as interrupts. An interrupt's id begins with that of the run that it belongs to. */
export function openInterrupts(run: Paused): OpenInterrupt[] {
  const { calls, steps, failures } = openRequirements(run.output);
  const ofClient = clientToolNames(run);
  return [
    ...calls.map((call) => ofCall(run, call, (answered) => ({ requirements: [answered] }), ofClient)),
    ...steps.flatMap((step): OpenInterrupt[] => {
      const { step_id, is_post_execution } = step.requirement;
      const wrap = (requirement: object): Answers => ({
        step_requirements: [
          {
            step_id,
            is_post_execution,
            executor_requirements: [requirement] as StepAnswer["executor_requirements"],
          }, // as it was shown
        ],
      });
      if (step.calls.length > 0)
        return step.calls.map((call) => ofCall(run, call, wrap, none, step.requirement.executor_run_id));
      const asAnswers = (answer: StepAnswer | undefined) => answer && { step_requirements: [answer] };
      const { confirmation_message, output_review_message, user_input_message, timeout_at } =
        step.requirement;
      const message = confirmation_message ?? output_review_message ?? user_input_message;
      return [
        {
          interrupt: {
            id: `${run.run_id}:step:${step_id}${is_post_execution ? ":after" : ""}`,
            reason: step.questions[0] ?? "confirmation",
            message: message ?? `Step ${step.requirement.step_name} waits.`,
            responseSchema: stepAnswerSchema(step),
            ...(timeout_at !== null && { expiresAt: timeout_at }),
          },
          ...(step.questions.includes("output_review") && { review: step.requirement.step_output?.content }),
          isClientTool: false,
          answer: (payload) => asAnswers(answeredStep(step, payload)),
          refuse: () => asAnswers(refusedStep(step)),
        },
      ];
    }),
    ...failures.map(
      (failure): OpenInterrupt => ({
        interrupt: {
          id: `${run.run_id}:failure:${failure.step_id}`,
          reason: "step_failed",
          message: `Step ${failure.step_name} failed: ${failure.error_message}`,
          responseSchema: failureAnswerSchema,
        },
        isClientTool: false,
        answer: (payload) => {
          const answer = answeredFailure(failure, payload);
          return answer && { step_requirements: [answer] };
        },
        refuse: () => undefined,
      }),
    ),
  ];
}

/** The run that an interrupt belongs to. */
export const runOfInterrupt = (id: string): string | undefined => /^([^:]+):./.exec(id)?.[1];

const none: ReadonlySet<string> = new Set();

function clientToolNames({ kwargs }: Paused): ReadonlySet<string> {
  const { client_tools: tools } = kwargs;
  return new Set(Array.isArray(tools) ? tools.map(({ name }) => String(name)) : []);
}

function ofCall(
  { run_id }: Paused,
  open: OpenCall,
  wrap: (requirement: object) => Answers,
  ofClient: ReadonlySet<string>,
  executor = run_id,
): OpenInterrupt {
  const { requirement, questions } = open;
  const { tool_execution: call, member_run_id } = requirement;
  const id = wireCallId(member_run_id ?? executor, call.tool_call_id);
  const wrapped = (answer: object | undefined) => answer && wrap(answer);
  return {
    interrupt: {
      id: `${run_id}:call:${requirement.id}`,
      reason: call.approval_type === "required" ? "approval" : (questions[0] ?? "confirmation"),
      message:
        call.remote_call && requirement.confirmation_note !== undefined
          ? requirement.confirmation_note
          : call.in_doubt === undefined
            ? messages[questions[0] ?? "confirmation"](call.tool_name)
            : inDoubt(call.tool_name),
      toolCallId: id,
      responseSchema: callAnswerSchema(open),
      ...(call.approval_id !== null && { metadata: { approval_id: call.approval_id } }),
    },
    call: { id, name: call.tool_name, args: call.tool_args },
    ...(call.in_doubt !== undefined && { isInDoubt: true }),
    isClientTool: member_run_id === undefined && executor === run_id && ofClient.has(call.tool_name),
    answer: (payload) => wrapped(answeredCall(open, payload)),
    refuse: () => wrapped(refusedCall(open)),
  };
}

const messages = {
  confirmation: (name: string) => `May ${name} be carried out?`,
  user_input: (name: string) => `${name} needs input.`,
  user_feedback: (name: string) => `${name} asks questions.`,
  external_execution: (name: string) => `${name} needs the result of the client.`,
} as const;

const inDoubt = (name: string): string =>
  `${name} was started, and it is not known whether it took effect. May it be carried out again?`;

/** The fields of a continuation, each as JSON text. Several answers within one step are one answer of that step. */
export function answerFields(answers: readonly Answers[]): Record<string, string> {
  const requirements = answers.flatMap((one) => one.requirements ?? []);
  const steps = new Map<string, NonNullable<Answers["step_requirements"]>[number]>();
  for (const step of answers.flatMap((one) => one.step_requirements ?? [])) {
    const key = `${step.step_id} ${step.is_post_execution}`;
    const before = steps.get(key)?.executor_requirements ?? [];
    const executor_requirements = [...before, ...(step.executor_requirements ?? [])];
    steps.set(key, { ...step, ...(executor_requirements.length > 0 && { executor_requirements }) });
  }
  return {
    ...(requirements.length > 0 && { requirements: JSON.stringify(requirements) }),
    ...(steps.size > 0 && { step_requirements: JSON.stringify([...steps.values()]) }),
  };
}
