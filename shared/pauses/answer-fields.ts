import type { Answers } from "./open-interrupts.ts";

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
