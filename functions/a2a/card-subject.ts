import type { CardSubject, Skill } from "../../shared/a2a/agent-card.ts";
import type { Runnable } from "../../shared/engine/define/runnable.ts";
import type { WorkflowStep } from "../../shared/engine/define/workflow.ts";

const TEXT = "text/plain";
const JSON_TYPE = "application/json";

/** A component as its card shows it: itself as a skill, and a skill for each tool, member or step that it works with. */
export function cardSubject(runnable: Runnable): CardSubject {
  const { kind, id, name, description = "", version, quick_prompts } = runnable;
  const examples = quick_prompts.length > 0 ? { examples: quick_prompts } : {};
  const itself = { id, name, description: description || name, tags: [kind], ...examples };
  return {
    ...{ name, description, version },
    outputModes: isStructured(runnable) ? [JSON_TYPE] : [TEXT],
    skills: [itself, ...partsOf(runnable).map((part) => ({ ...part, id: `${id}:${part.id}` }))],
  };
}

/** The media types in which a component can answer. */
export const answerModes = (runnable: Runnable): readonly string[] =>
  isStructured(runnable) ? [JSON_TYPE, TEXT] : [TEXT];

const isStructured = (runnable: Runnable): boolean =>
  runnable.kind !== "workflow" && runnable.output_schema !== undefined;

function partsOf(runnable: Runnable): Skill[] {
  if (runnable.kind === "workflow") return runnable.steps.map(ofStep);
  const tools = runnable.tools.map(({ name, description }) => skill("tool", name, name, description));
  const members = runnable.kind === "team" ? runnable.members : [];
  return [
    ...members.map(({ id, name, description, role }) => skill("member", id, name, description ?? role)),
    ...tools,
  ];
}

const ofStep = ({ name, description }: WorkflowStep): Skill => skill("step", name, name, description);

const skill = (tag: string, id: string, name: string, description = ""): Skill => ({
  ...{ id, name, tags: [tag] },
  description: description || name,
});
