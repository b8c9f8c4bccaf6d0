import { Card } from "../../parts/page.tsx";

type Config = Readonly<Record<string, unknown>>;

/** The files of a stored skill, its instructions first. */
export function SkillFiles({ config }: { readonly config: Config }) {
  return filesOf(config).map(([path, text]) => (
    <Card key={path} title={path}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by the keyboard */}
      <pre className="code" dir="auto" tabIndex={0}>
        {text}
      </pre>
    </Card>
  ));
}

function filesOf({ files }: Config): (readonly [string, string])[] {
  const all = Object.entries(typeof files === "object" && files !== null ? files : {});
  const texts = all.flatMap(([path, text]) => (typeof text === "string" ? [[path, text] as const] : []));
  const isFirst = ([path]: readonly [string, string]) => Number(path.toLowerCase() !== "skill.md");
  return texts.sort((a, b) => isFirst(a) - isFirst(b) || (a[0] < b[0] ? -1 : 1));
}
