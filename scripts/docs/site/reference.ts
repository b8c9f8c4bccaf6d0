import type { Section } from "./site-index.ts";

/** What the command line says of one of its commands with `--help`; the first is of the whole. */
export type Help = { readonly command: string; readonly text: string };

/** Where the generated pages of the site are, and what they have. */
export const reference: Section = {
  title: "Reference",
  pages: [
    {
      title: "commands",
      path: "reference/commands.md",
      contents: "every command and its options, as `--help` has them",
    },
    { title: "events", path: "reference/events.md", contents: "every event of a run, with its fields" },
    { title: "errors", path: "reference/errors.md", contents: "every code of an error, with its status" },
    { title: "settings", path: "settings.md", contents: "every setting and its bounds" },
    {
      title: "fields of stored components",
      path: "guide/components.md",
      contents: "every key of a configuration",
    },
  ],
};

export const commandsPage = (helps: readonly Help[]): string =>
  [
    "# Commands",
    "",
    ...helps.flatMap(({ command, text }) => [
      `## ${command === "" ? "agent-platform" : `agent-platform ${command}`}`,
      "",
      `\`\`\`text\n${text.trim()}\n\`\`\``,
      "",
    ]),
  ].join("\n");

/** The commands that a help text lists. */
export const commandsIn = (help: string): readonly string[] =>
  [...(help.split("\nCommands:\n")[1]?.split("\n\n")[0] ?? "").matchAll(/^ {2}([a-z]+)/gm)].flatMap(
    ([, name = ""]) => (name === "help" ? [] : [name]),
  );

export const errorsPage = (statuses: Readonly<Record<string, number>>): string =>
  [
    "# Errors",
    "",
    "A refusal has a status, and a body with `detail`, which its caller may read, and `error_code`:",
    "",
    "| `error_code` | Status |",
    "| --- | --- |",
    ...Object.entries(statuses).map(([code, status]) => `| \`${code}\` | ${status} |`),
    "",
  ].join("\n");

/**
 * The events of runs, by what runs.
 *
 * @param operations  text of `client/operations.ts`, which has a type of one line for each
 */
export function eventsPage(operations: string): string {
  const declared = [
    ...operations.matchAll(/^export type (Agent|Team|Workflow)RunEvent\w+ = \{ event: "(\w+)"; (.*) \};$/gm),
  ];
  const kinds = ["Agent", "Team", "Workflow"] as const;
  const all = declared.map(([, kind = "", name = "", fields = ""]) => ({
    kind,
    name,
    fields: fieldsIn(fields),
  }));
  const inAll = (kind: string): readonly string[] => {
    const lists = all.filter((one) => one.kind === kind).map(({ fields }) => fields);
    const [first = []] = lists;
    return first.filter((field) => lists.filter((list) => list.includes(field)).length > lists.length / 2);
  };
  return [
    "# Events",
    "",
    "A stream of a run has these events, each with its name in `event`. A question mark is at a field that may be missing.",
    "",
    ...kinds.flatMap((kind) => {
      const usual = inAll(kind);
      const rows = all.filter((one) => one.kind === kind);
      return [
        `## ${kind === "Agent" ? "Agents" : kind === "Team" ? "Teams" : "Workflows"}`,
        "",
        `Most have ${usual.map((field) => `\`${field}\``).join(", ")}.`,
        "",
        "| Event | Further fields |",
        "| --- | --- |",
        ...rows.map(({ name, fields }) => {
          const own = fields.filter((field) => !usual.includes(field));
          return `| \`${name}\` | ${own.map((field) => `\`${field}\``).join(", ")} |`;
        }),
        "",
      ];
    }),
  ].join("\n");
}

/** The names of the fields of an object type, without what is inside of their own types. */
function fieldsIn(text: string): readonly string[] {
  const fields: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const sign = text[at] ?? ";";
    if (/[{[(<]/.test(sign)) depth++;
    if (/[}\])>]/.test(sign)) depth--;
    if (sign !== ";" || depth > 0) continue;
    const [, name] = /^\s*"?([\w.-]+\??)"?:/.exec(text.slice(start, at)) ?? [];
    if (name !== undefined) fields.push(name);
    start = at + 1;
  }
  return fields;
}
